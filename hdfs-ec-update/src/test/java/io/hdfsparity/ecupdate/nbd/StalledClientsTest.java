/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that stop in the middle of a message: others go on. */
@Timeout(120)
class StalledClientsTest {
  private static final int READ = 0;
  private static final int WRITE_ZEROES = 6;
  private static final int BYTES = ServedMemory.MAX_PAYLOAD_BYTES;

  /** Of the largest replies; more than the socket buffers of both sides take. */
  private static final int REPLIES = 200;

  private static final long NEVER_MS = TimeUnit.DAYS.toMillis(1);

  /** One that reads none of its replies. */
  private static RawClient silent(ServedMemory memory) throws IOException {
    RawClient client = memory.client();
    client.go("/disk", false);
    for (int cookie = 0; cookie < REPLIES; cookie++) {
      client.request(0, READ, cookie, 0, BYTES);
    }
    return client;
  }

  /** One that sends less than it has announced. */
  private static RawClient halfHearted(ServedMemory memory) throws IOException {
    RawClient client = memory.client();
    client.go("/disk", false);
    client.request(0, 1, 7, 0, BYTES);
    client.send(new byte[BYTES / 2]);
    return client;
  }

  private static void readOnce(RawClient client, long cookie) throws IOException {
    client.request(0, READ, cookie, 0, BYTES);
    client.expectSimple(0, cookie);
    client.read(BYTES);
  }

  @Test
  void aClientThatDoesNotReadItsRepliesHoldsItsOwnShareOnly() throws IOException {
    try (ServedMemory memory = new ServedMemory(ServedMemory.limits(NEVER_MS));
        RawClient silent = silent(memory);
        RawClient other = memory.client()) {
      other.go("/disk", false);
      for (int cookie = 0; cookie < 50; cookie++) {
        readOnce(other, cookie);
      }
      assertThat(memory.server.connections()).isEqualTo(2);
    }
  }

  /** As when its DataNodes do not answer. */
  @Test
  void aDeviceThatDoesNotAnswerHoldsItsOwnShareOnly() throws Exception {
    try (ServedMemory memory = new ServedMemory(ServedMemory.limits(NEVER_MS));
        RawClient first = memory.client();
        RawClient second = memory.client();
        RawClient third = memory.client();
        RawClient fourth = memory.client();
        RawClient other = memory.client()) {
      CountDownLatch held = memory.disk.holdZeroes();
      List<RawClient> clients = List.of(first, second, third, fourth);
      for (RawClient client : clients) {
        client.go("/disk", false);
        // Beside each other, each of all that a connection may take.
        client.request(0, WRITE_ZEROES, 1, (long) BYTES * clients.indexOf(client) / 2, BYTES);
      }
      await().until(() -> memory.disk.held.get() >= 1);
      other.go("/image", false);
      other.request(0, READ, 2, 0, 4096);
      other.expectSimple(0, 2);
      other.read(4096);
      held.countDown();
      for (RawClient client : clients) {
        client.expectSimple(0, 1);
      }
    }
  }

  @Test
  void clientsThatHoldAllMemoryAreClosedWhenAnotherNeedsIt() throws IOException {
    try (ServedMemory memory = new ServedMemory(ServedMemory.limits(2_000));
        RawClient silent = silent(memory);
        RawClient halfHearted = halfHearted(memory);
        RawClient other = memory.client()) {
      other.go("/disk", false);
      for (int cookie = 0; cookie < 50; cookie++) {
        readOnce(other, cookie);
      }
      assertThat(memory.disk.cached()).containsOnly(0); // half a write is none
    }
  }

  @Test
  void aClientThatStopsIsLeftAloneWhileThereIsMemory() throws IOException {
    try (ServedMemory memory = new ServedMemory(ServedMemory.limits(20));
        RawClient slow = silent(memory);
        RawClient other = memory.client()) {
      other.go("/disk", false);
      long begun = System.nanoTime();
      for (int cookie = 0; System.nanoTime() - begun < 300_000_000L; cookie++) {
        readOnce(other, cookie);
      }
      boolean[] seen = new boolean[REPLIES];
      for (int i = 0; i < REPLIES; i++) {
        slow.expect(RawClient.SIMPLE + "00000000");
        seen[(int) slow.readLong()] = true;
        slow.read(BYTES);
      }
      assertThat(seen).containsOnly(true);
      await().until(() -> memory.server.connections() == 2);
    }
  }

  /** They are announced by a header only, and a device takes memory for them all the same. */
  @Test
  void zeroesTakeOfTheMemoryWhatADeviceTakesForThem() throws Exception {
    try (ServedMemory memory = new ServedMemory();
        RawClient client = memory.client()) {
      int allBytes = memory.server.freeBytes();
      client.go("/disk", false);
      CountDownLatch held = memory.disk.holdZeroes();
      client.request(0, WRITE_ZEROES, 1, 0, 1000);
      await().until(() -> memory.disk.held.get() == 1);
      assertThat(memory.server.freeBytes()).isEqualTo(allBytes - 1000);
      held.countDown();
      client.expectSimple(0, 1);
      await().until(() -> memory.server.freeBytes() == allBytes);

      CountDownLatch heldAgain = memory.disk.holdZeroes();
      client.request(0, WRITE_ZEROES, 2, 0, ServedMemory.SIZE_BYTES);
      await().until(() -> memory.disk.held.get() == 1);
      // Of a connection that may take less, all of it.
      assertThat(memory.server.freeBytes()).isEqualTo(allBytes - BYTES);
      heldAgain.countDown();
      client.expectSimple(0, 2);
    }
  }

  @Test
  void aClientThatSendsAByteNowAndThenIsWaitedForAllTheSame() throws IOException {
    AtomicLong nanos = new AtomicLong();
    List<Long> waitedMs = new ArrayList<>();
    AtomicReference<RequestReader> reader = new AtomicReference<>();
    InputStream trickle =
        new InputStream() {
          @Override
          public int read() {
            waitedMs.add(reader.get().waitedMs());
            nanos.addAndGet(1_000_000);
            return 7;
          }

          @Override
          public int read(byte[] into, int from, int lengthBytes) {
            into[from] = (byte) read();
            return 1;
          }
        };
    reader.set(new RequestReader(new DataInputStream(trickle), nanos::get));
    int lengthBytes = RequestReader.PIECE_BYTES + 10;
    assertThat(reader.get().payload(lengthBytes)).hasSize(lengthBytes).containsOnly(7);
    assertThat(waitedMs.get(RequestReader.PIECE_BYTES - 1))
        .isEqualTo(RequestReader.PIECE_BYTES - 1);
    assertThat(waitedMs.get(RequestReader.PIECE_BYTES)).isZero();
    assertThat(reader.get().waitedMs()).isZero();
  }

  @Test
  void eachTransferIsTimedByItself() throws IOException {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    ClientWait wait = new ClientWait(nanos::get);
    assertThat(wait.ms()).isZero();
    for (int i = 0; i < 2; i++) {
      int bytes =
          wait.during(
              () -> {
                assertThat(wait.ms()).isZero();
                nanos.addAndGet(5_000_000);
                assertThat(wait.ms()).isEqualTo(5);
                return 3;
              });
      assertThat(bytes).isEqualTo(3);
      assertThat(wait.ms()).isZero();
    }
  }
}
