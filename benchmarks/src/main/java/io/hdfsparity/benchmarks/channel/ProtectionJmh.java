/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.channel.secure.Opening;
import io.hdfsparity.ecupdate.channel.secure.Records;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a protected connection of the update channel costs beside one in clear. Java's ciphers are
 * slow until they are compiled, so the warm-up is long.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class ProtectionJmh {
  private static final int IDENTIFIER_BYTES = 300;
  private static final int PASSWORD_BYTES = 20;

  /** A small answer, a frame with 4 KiB, and the largest record. */
  @Param({"64", "4396", "16384"})
  int recordBytes;

  private final SecureRandom random = new SecureRandom();
  private final Secret secret =
      new Secret(Bytes.zeros(IDENTIFIER_BYTES), Bytes.zeros(PASSWORD_BYTES));
  private Records client;
  private Records node;
  private ByteBuffer plain;
  private ByteBuffer record;
  private ByteBuffer opened;
  private Mac mac;

  /** Makes a connection. */
  @Setup
  public void prepare() throws Exception {
    ClientHandshake handshake = ClientHandshake.begin(secret, random);
    Opening.Acceptance acceptance = accept(handshake);
    node = acceptance.records();
    client = handshake.accepted(acceptance.message().buffer());
    plain = ByteBuffer.allocate(recordBytes);
    record = ByteBuffer.allocateDirect(Records.recordBytes(recordBytes));
    opened = ByteBuffer.allocate(recordBytes);
    mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
  }

  private Opening.Acceptance accept(ClientHandshake handshake) throws Exception {
    return Opening.decode(handshake.opening().buffer()).accept(secret.key(), random);
  }

  /** Both ends of a record. */
  @Benchmark
  public ByteBuffer sealAndOpen() throws Exception {
    client.seal(plain.rewind(), record.clear());
    node.open(record.flip().position(Records.HEADER_BYTES), opened.clear());
    return opened;
  }

  /** What one end of a connection with a MAC and no encryption would do at least. */
  @Benchmark
  public byte[] hmacAlone() {
    return mac.doFinal(plain.array());
  }

  /** Both ends of a handshake, whatever the record. */
  @Benchmark
  public Records handshake() throws Exception {
    ClientHandshake handshake = ClientHandshake.begin(secret, random);
    return handshake.accepted(accept(handshake).message().buffer());
  }
}
