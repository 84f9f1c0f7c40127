/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a client has sent to open a protected connection; not believed yet. Immutable. */
public final class Opening {
  private final byte[] prologue;
  private final byte[] message;

  Opening(byte[] prologue, byte[] message) {
    this.prologue = prologue;
    this.message = message;
  }

  /**
   * Reads an opening from the position of {@code src}, which moves behind it.
   *
   * @return null if it is not whole yet; {@code src} is unchanged then
   * @throws FormatException if what is there is no opening
   */
  public static @Nullable Opening decode(ByteBuffer src) throws FormatException {
    return HandshakeFormat.decodeOpening(src);
  }

  /** By what the secret is to be found. */
  public Bytes name() {
    return Bytes.wrap(Arrays.copyOfRange(prologue, HandshakeFormat.HEADER_BYTES, prologue.length));
  }

  /**
   * What a node answers.
   *
   * @param message the whole acceptance
   * @param records of the connection; nothing is known of the peer before one of its records opens
   */
  public record Acceptance(Bytes message, Records records) {}

  /**
   * Answers, if the client has the key. Two multiplications on the curve, for who has it only.
   *
   * @param key of {@link #name}
   * @throws ForgedException if the opening was not made with this key
   */
  public Acceptance accept(Bytes key, SecureRandom random) throws ForgedException {
    return accept(key, () -> Ephemeral.random(random));
  }

  /** With a key pair that is made only for who has the key. */
  Acceptance accept(Bytes key, Supplier<Ephemeral> ephemeral) throws ForgedException {
    Handshake handshake = Handshake.begin(prologue, Records.psk(key));
    handshake.readFirst(message);
    byte[] answer = HandshakeFormat.acceptance(handshake.writeSecond(ephemeral.get(), new byte[0]));
    byte[][] keys = handshake.split();
    return new Acceptance(Bytes.wrap(answer), new Records(keys[1], keys[0]));
  }
}
