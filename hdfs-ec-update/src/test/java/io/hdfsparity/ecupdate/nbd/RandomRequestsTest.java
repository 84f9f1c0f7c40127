/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded random requests, many under way at a time, against a copy in memory: a read has for each
 * byte what the last write has left that was answered before it, or one that was under way beside
 * it, and in the end the last write of each byte has won.
 */
@Timeout(120)
class RandomRequestsTest {
  private static final int BATCHES = 60;
  private static final int REQUESTS = 24;
  private static final int SIZE = ServedMemory.SIZE_BYTES;

  /** Bytes that requests fall on, so that many overlap. */
  private static final int HOT_BYTES = 20_000;

  private record Read(int offset, int lengthBytes) {}

  /** A write, and what the device has after it. */
  private final List<byte[]> versions = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void allIsAsInACopy(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] twin = new byte[SIZE];
    try (ServedMemory memory = new ServedMemory();
        RawClient client = memory.client()) {
      client.go("/disk", true);
      for (int batch = 0; batch < BATCHES; batch++) {
        batch(client, random, twin, batch);
      }
      assertThat(Arrays.equals(memory.disk.cached(), twin)).as("seed %d", seed).isTrue();
      client.request(0, 3, 1, 0, 0);
      client.expect(RawClient.CHUNK + "0001 0000 0000000000000001 00000000");
      assertThat(Arrays.equals(memory.disk.durable(), twin)).as("seed %d", seed).isTrue();
    }
  }

  /** All are sent before an answer is read. */
  private void batch(RawClient client, Random random, byte[] twin, int batch) throws IOException {
    versions.clear();
    versions.add(Arrays.copyOf(twin, 2 * HOT_BYTES));
    Map<Long, Read> reads = new HashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      long cookie = batch * 1000L + i;
      int offset = random.nextInt(HOT_BYTES);
      int lengthBytes = 1 + random.nextInt(random.nextInt(4) == 0 ? HOT_BYTES : 600);
      switch (random.nextInt(3)) {
        case 0 -> {
          reads.put(cookie, new Read(offset, lengthBytes));
          client.request(0, 0, cookie, offset, lengthBytes);
        }
        case 1 -> {
          byte[] bytes = new byte[lengthBytes];
          random.nextBytes(bytes);
          System.arraycopy(bytes, 0, twin, offset, lengthBytes);
          versions.add(Arrays.copyOf(twin, 2 * HOT_BYTES));
          client.write(random.nextInt(2), cookie, offset, bytes);
        }
        default -> {
          Arrays.fill(twin, offset, offset + lengthBytes, (byte) 0);
          versions.add(Arrays.copyOf(twin, 2 * HOT_BYTES));
          client.request(2, 6, cookie, offset, lengthBytes);
        }
      }
    }
    for (int i = 0; i < REQUESTS; i++) {
      client.expect(RawClient.CHUNK + "0001");
      boolean isData = client.read(2)[1] == 1;
      long cookie = client.readLong();
      int lengthBytes = client.readInt();
      Read read = reads.remove(cookie);
      assertThat(read != null).isEqualTo(isData);
      if (read != null) {
        assertThat(client.readLong()).isEqualTo(read.offset());
        assertThat(lengthBytes - 8).isEqualTo(read.lengthBytes());
        judge(read, client.read(lengthBytes - 8));
      }
    }
    assertThat(reads).isEmpty();
  }

  /** Each byte is of some version: all of the batch are under way beside the read. */
  private void judge(Read read, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      byte found = bytes[i];
      int at = read.offset() + i;
      assertThat(versions.stream().anyMatch(version -> version[at] == found))
          .as("%s at %d", read, at)
          .isTrue();
    }
  }
}
