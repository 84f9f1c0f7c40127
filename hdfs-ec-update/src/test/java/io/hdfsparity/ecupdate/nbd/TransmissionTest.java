/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static io.hdfsparity.ecupdate.nbd.RawClient.CHUNK;
import static io.hdfsparity.ecupdate.nbd.RawClient.SIMPLE;
import static io.hdfsparity.ecupdate.nbd.RawClient.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests and replies, by bytes that were written by hand from the specification. */
@Timeout(120)
class TransmissionTest {
  private static final int EPERM = 1;
  private static final int EIO = 5;
  private static final int EINVAL = 22;
  private static final int ENOSPC = 28;
  private static final int ESHUTDOWN = 108;
  private static final int READ = 0;
  private static final int WRITE = 1;
  private static final int DISC = 2;
  private static final int FLUSH = 3;
  private static final int TRIM = 4;
  private static final int WRITE_ZEROES = 6;
  private static final int FUA = 1;
  private static final int SIZE = ServedMemory.SIZE_BYTES;

  private ServedMemory memory;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    memory = new ServedMemory();
    client = memory.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    memory.close();
  }

  private static byte[] some(int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(lengthBytes).nextBytes(bytes);
    return bytes;
  }

  @Test
  void simpleRepliesHaveTheDataOfReads() throws IOException {
    client.go("/disk", false);
    client.write(0, 1, 999_990, some(10));
    client.expect(SIMPLE + "00000000 0000000000000001");
    client.request(0, READ, 0xfedcba9876543210L, 999_990, 10);
    client.expect(SIMPLE + "00000000 fedcba9876543210" + HexFormat.of().formatHex(some(10)));
  }

  @Test
  void structuredRepliesHaveTheirOffset() throws IOException {
    client.go("/disk", true);
    client.write(0, 1, 100, some(10));
    client.expect(CHUNK + "0001 0000 0000000000000001 00000000");
    client.request(4, READ, 2, 100, 10); // DF
    client.expect(
        CHUNK
            + "0001 0001 0000000000000002 00000012 0000000000000064"
            + HexFormat.of().formatHex(some(10)));
    client.request(0, READ, 3, 100, 0);
    client.expect(CHUNK + "0001 0000 0000000000000003 00000000");
    client.request(0, READ, 4, SIZE, 1);
    expectStructuredError(EINVAL, 4);
  }

  private void expectStructuredError(int error, long cookie) throws IOException {
    client.expect(CHUNK + "0001 8001" + hex(cookie, 8));
    int lengthBytes = client.readInt();
    assertThat(client.readInt()).isEqualTo(error);
    client.expect(hex(lengthBytes - 6, 2));
    assertThat(new String(client.read(lengthBytes - 6), java.nio.charset.StandardCharsets.UTF_8))
        .contains("expected");
  }

  @Test
  void whatIsOutsideIsRefusedByItsError() throws IOException {
    client.go("/disk", false);
    long cookie = 10;
    for (long[] range :
        new long[][] {
          {SIZE, 1},
          {SIZE - 1, 2},
          {0, SIZE + 1L},
          {-1, 1},
          {-1, 4096},
          {Long.MAX_VALUE, 4096},
          {Long.MIN_VALUE, 1},
          {0xffffffffffffff00L, 0x100}
        }) {
      client.request(0, WRITE_ZEROES, cookie, range[0], range[1]);
      client.expectSimple(ENOSPC, cookie++);
      if (range[1] <= ServedMemory.MAX_PAYLOAD_BYTES) {
        client.request(0, READ, cookie, range[0], range[1]);
        client.expectSimple(EINVAL, cookie++);
        client.write(0, cookie, range[0], new byte[(int) range[1]]);
        client.expectSimple(ENOSPC, cookie++);
      }
    }
    client.request(0, WRITE_ZEROES, cookie, 0, 0xffffffffL);
    client.expectSimple(ENOSPC, cookie);
    assertThat(memory.disk.cached()).containsOnly(0);
  }

  @Test
  void whatIsTooLongIsReadPast() throws IOException {
    client.go("/disk", false);
    byte[] big = some(ServedMemory.MAX_PAYLOAD_BYTES + 1);
    client.write(0, 1, 0, big);
    client.expectSimple(EINVAL, 1);
    client.request(0, READ, 2, 0, big.length);
    client.expectSimple(EINVAL, 2);
    client.write(0, 3, 0, Arrays.copyOf(big, big.length - 1));
    client.expectSimple(0, 3);
    assertThat(Arrays.copyOf(memory.disk.cached(), big.length - 1))
        .isEqualTo(Arrays.copyOf(big, big.length - 1));
  }

  @Test
  void unknownCommandsAndFlagsAreRefused() throws IOException {
    client.go("/disk", false);
    client.request(0, TRIM, 1, 0, 4096);
    client.expectSimple(EINVAL, 1);
    client.request(0, 0xffff, 2, 0, 4096);
    client.expectSimple(EINVAL, 2);
    client.request(0x8000, READ, 3, 0, 1);
    client.expectSimple(EINVAL, 3);
    client.write(2, 4, 0, some(3)); // NO_HOLE is of WRITE_ZEROES
    client.expectSimple(EINVAL, 4);
    client.request(0x10, WRITE_ZEROES, 5, 0, 1); // FAST_ZERO was not offered
    client.expectSimple(EINVAL, 5);
    client.request(0, FLUSH, 6, 1, 0);
    client.expectSimple(EINVAL, 6);
    client.request(FUA, READ, 7, 0, 1); // existing clients set it
    client.expect(SIMPLE + "00000000 0000000000000007 00");
  }

  @Test
  void anotherMagicEnds() throws IOException {
    client.go("/disk", false);
    client.send("25609514 0000 0000 0000000000000000 0000000000000000 00000000");
    client.expectEnd();
  }

  @Test
  void aHeaderThatBreaksOffEndsOnlyItsConnection() throws IOException {
    client.go("/disk", false);
    client.send("25609513 0000 0001 0000000000000000 0000000000000000 00000010 0102");
    client.close();
    await().until(() -> memory.server.connections() == 0);
    assertThat(memory.disk.cached()).containsOnly(0);
    client = memory.client();
    client.go("/disk", false);
    client.request(0, FLUSH, 1, 0, 0);
    client.expectSimple(0, 1);
  }

  @Test
  void aReadOnlyExportRefusesWrites() throws IOException {
    client.go("/image", false);
    client.write(0, 1, 0, some(100));
    client.expectSimple(EPERM, 1);
    client.request(0, WRITE_ZEROES, 2, 0, 100);
    client.expectSimple(EPERM, 2);
    client.request(0, READ, 3, 0, 1);
    client.expect(SIMPLE + "00000000 0000000000000003 00");
  }

  @Test
  void fuaIsDurableByItselfAndFlushCoversWhatWasAnswered() throws IOException {
    client.go("/disk", false);
    client.write(0, 1, 0, some(50));
    client.expectSimple(0, 1);
    assertThat(memory.disk.durable()).containsOnly(0);
    client.write(FUA, 2, 1000, some(60));
    client.expectSimple(0, 2);
    assertThat(Arrays.copyOfRange(memory.disk.durable(), 1000, 1060)).isEqualTo(some(60));
    assertThat(Arrays.copyOf(memory.disk.durable(), 50)).containsOnly(0);
    try (RawClient other = memory.client()) { // multi-conn: a flush of one covers all
      other.go("/disk", false);
      other.request(0, FLUSH, 3, 0, 0);
      other.expectSimple(0, 3);
    }
    assertThat(Arrays.copyOf(memory.disk.durable(), 50)).isEqualTo(some(50));
    client.request(FUA | 2, WRITE_ZEROES, 4, 10, 1020);
    client.expectSimple(0, 4);
    assertThat(Arrays.copyOfRange(memory.disk.durable(), 10, 1030)).containsOnly(0);
  }

  @Test
  void aFailureIsToldAndTheConnectionContinues() throws IOException {
    client.go("/disk", true);
    memory.disk.fail(new IOException("Cannot write: disk=gone, expected one"));
    client.write(0, 1, 0, some(5));
    expectStructuredError(EIO, 1);
    client.request(0, READ, 2, 0, 5);
    expectStructuredError(EIO, 2);
    client.request(0, FLUSH, 3, 0, 0);
    expectStructuredError(EIO, 3);
    memory.disk.heal();
    client.request(0, FLUSH, 4, 0, 0);
    client.expect(CHUNK + "0001 0000 0000000000000004 00000000");
  }

  /** Requests are answered out of order, and writes to one place stay in order. */
  @Test
  void othersOvertakeAWriteThatWaits() throws IOException {
    client.go("/disk", false);
    CountDownLatch held = memory.disk.holdWrites();
    client.write(0, 1, 0, some(100));
    await().until(() -> memory.served.order().size() == 1);
    client.request(0, READ, 2, 500, 1);
    client.expect(SIMPLE + "00000000 0000000000000002 00");
    client.request(0, WRITE_ZEROES, 3, 500, 10); // it does not overlap
    client.expectSimple(0, 3);
    client.request(0, WRITE_ZEROES, 4, 50, 10); // it does, so it comes after the first
    await().until(() -> memory.served.order().size() == 2);
    assertThat(memory.disk.cached()).containsOnly(0);
    held.countDown();
    assertThat(client.read(16)).hasSize(16);
    assertThat(client.read(16)).hasSize(16);
    byte[] wanted = some(100);
    Arrays.fill(wanted, 50, 60, (byte) 0);
    assertThat(Arrays.copyOf(memory.disk.cached(), 100)).isEqualTo(wanted);
    assertThat(memory.served.order().size()).isZero();
  }

  @Test
  void requestsOfAClientThatHasGoneAreCarriedOut() throws IOException {
    client.go("/disk", false);
    CountDownLatch held = memory.disk.holdWrites();
    client.write(0, 1, 0, some(100));
    await().until(() -> memory.served.order().size() == 1);
    client.request(0, DISC, 2, 0, 0);
    held.countDown();
    client.expectSimple(0, 1); // what was under way is answered before the end
    client.expectEnd();
    assertThat(Arrays.copyOf(memory.disk.cached(), 100)).isEqualTo(some(100));
  }

  @Test
  void aServerThatIsClosedEndsWhatIsUnderWay() throws Exception {
    client.go("/disk", false);
    CountDownLatch held = memory.disk.holdWrites();
    client.write(0, 1, 0, some(100));
    await().until(() -> memory.served.order().size() == 1);
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> {
              try {
                memory.server.close();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    long cookie = 2;
    int error = 0;
    while (error != ESHUTDOWN) { // until the server has begun to stop
      client.request(0, READ, cookie, 500, 1);
      client.expect(SIMPLE);
      error = client.readInt();
      assertThat(error).isIn(0, ESHUTDOWN);
      assertThat(client.readLong()).isEqualTo(cookie++);
      if (error == 0) {
        client.read(1);
      }
    }
    assertThat(closed).isNotDone();
    held.countDown();
    client.expectSimple(0, 1);
    closed.get(30, TimeUnit.SECONDS);
    client.expectEnd();
    assertThat(Arrays.copyOf(memory.disk.cached(), 100)).isEqualTo(some(100));
  }

  /** Half a reply was sent: the next one would be taken for its data. */
  @ParameterizedTest
  @MethodSource
  void aReplyThatBreaksOffEndsItsConnection(Throwable why) throws IOException {
    Faults faults = new Faults();
    try (ServedMemory faulty = new ServedMemory(faults);
        RawClient other = faulty.client()) {
      other.go("/disk", false);
      faults.failPayload(why);
      other.request(0, READ, 1, 0, 100_000);
      other.expectSimple(0, 1);
      other.expectEnd();
      await().until(() -> faulty.server.connections() == 0);
    }
  }

  static List<Throwable> aReplyThatBreaksOffEndsItsConnection() {
    return List.of(new OutOfMemoryError("direct buffer memory"), new IOException("interrupted"));
  }

  @Test
  void anErrorIsAnswered() throws IOException {
    client.go("/disk", false);
    memory.disk.fail(new OutOfMemoryError("Java heap space"));
    client.request(0, READ, 1, 0, 5);
    client.expectSimple(EIO, 1);
    client.write(0, 2, 0, some(5));
    client.expectSimple(EIO, 2);
    memory.disk.heal();
    client.request(0, FLUSH, 3, 0, 0);
    client.expectSimple(0, 3);
  }

  /** A write for which there was no thread has left the order of writes. */
  @Test
  void aWriteThatCannotBeginHoldsUpNoOther() throws IOException {
    Faults faults = new Faults();
    try (ServedMemory faulty = new ServedMemory(faults);
        RawClient first = faulty.client()) {
      first.go("/disk", false);
      faults.failThread("nbd-request");
      first.write(0, 1, 0, some(100));
      first.expectEnd();
      try (RawClient second = faulty.client()) {
        second.go("/disk", false);
        second.write(0, 2, 50, some(100));
        second.expectSimple(0, 2);
      }
      await().until(() -> faulty.server.connections() == 0);
    }
  }

  @Test
  void aClientForWhomThereIsNoThreadIsClosedAndTheNextOneServed() throws IOException {
    Faults faults = new Faults();
    try (ServedMemory faulty = new ServedMemory(faults)) {
      faults.failThread("nbd-connection");
      try (RawClient first = faulty.client()) {
        first.expectEnd();
      }
      assertThat(faults.areOver()).isTrue();
      await().until(() -> faulty.server.connections() == 0);
      try (RawClient second = faulty.client()) {
        second.go("/disk", false);
        second.request(0, FLUSH, 1, 0, 0);
        second.expectSimple(0, 1);
      }
    }
  }

  /** Hostile bytes of all kinds; the server serves the next one. */
  @Test
  void noBytesHurtTheServer() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      // A server that is slow to see that clients have gone would refuse this one as one too many.
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .atMost(Duration.ofSeconds(60))
          .until(() -> memory.server.connections() <= 4);
      try (RawClient hostile = memory.client()) {
        if (random.nextBoolean()) {
          hostile.go("/image", random.nextBoolean());
        } else {
          hostile.greet();
        }
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        hostile.send(bytes);
      } catch (java.net.SocketException e) {
        assertThat(e).isNotNull(); // the server has closed it before all was sent
      }
    }
    await().until(() -> memory.server.connections() <= 1);
    client.go("/disk", false);
    client.request(0, FLUSH, 1, 0, 0);
    client.expectSimple(0, 1);
    assertThat(memory.image.cached()).containsOnly(0);
  }
}
