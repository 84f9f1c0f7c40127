/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One updater against engines behind sockets, and an array that has what it wrote. */
@Timeout(600)
class StripedFileUpdaterTest extends UpdaterFixture {
  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR", "cached"})
  void readsWhatItWrote(String scheme) throws Exception {
    boolean isCached = scheme.equals("cached");
    TestSession session = start(isCached ? "PLR" : scheme);
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, calls, options(isCached ? 400 : 0, 60_000))) {
      assertThat(updater.lengthBytes()).isEqualTo(twin.length);
      for (int i = 0; i < OPERATIONS; i++) {
        int from = random.nextInt(twin.length);
        byte[] bytes = some(Math.min(250, twin.length - from));
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        writes.add(updater.writeAsync(from, ByteBuffer.wrap(bytes)));
        System.arraycopy(bytes, 0, twin, from, bytes.length);
        if (random.nextBoolean()) {
          // The later of two that overlap wins, without anybody waiting for the first.
          byte[] more = some(Math.min(40, twin.length - from));
          writes.add(updater.writeAsync(from, ByteBuffer.wrap(more)));
          System.arraycopy(more, 0, twin, from, more.length);
        }
        for (CompletableFuture<Void> write : writes) {
          write.get(120, TimeUnit.SECONDS);
        }
        int at = random.nextInt(twin.length);
        int length = 1 + random.nextInt(Math.min(300, twin.length - at));
        assertThat(read(updater, at, length)).isEqualTo(Arrays.copyOfRange(twin, at, at + length));
        if (random.nextInt(10) == 0) {
          updater.flush();
          assertThat(updater.cachedBytes()).isZero();
        }
      }
      assertThat(updater.cachedBytes()).isLessThanOrEqualTo(400);
      // What could not be dropped when it was left goes when the next operation has ended.
      await()
          .until(
              () -> {
                read(updater, 0, 1);
                return updater.stripes() <= 4;
              });
    }
    assertThat(session.end).isPresent();
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Notes what it hears. */
  private static final class Heard implements AccessLog {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void begun(Access access, long position, int lengthBytes) {
      lines.add(access + " " + position + " " + lengthBytes);
    }

    @Override
    public void close() {
      lines.add("closed");
    }
  }

  /** What a log hears is what was asked for, in the file's own order; not what is refused. */
  @ParameterizedTest
  @ValueSource(longs = {0, 400})
  void aLogHearsWhatIsReadAndWritten(long cacheBytes) throws Exception {
    TestSession session = start("PLR");
    int lengthBytes = cluster.initial().length;
    int half = lengthBytes / 2 / 64 * 64;
    // The two halves, as far as there are whole cells, have changed places.
    ByteOrder exchanged =
        new ByteOrder() {
          @Override
          public long stored(long position) {
            return position < half
                ? position + half
                : position < 2 * half ? position - half : position;
          }

          @Override
          public long run(long position) {
            return (position < half ? half : position < 2 * half ? 2L * half : lengthBytes)
                - position;
          }
        };
    Heard heard = new Heard();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, exchanged, heard, calls, options(cacheBytes, 60_000))) {
      updater.write(10, ByteBuffer.allocate(20));
      updater.write(half - 5, ByteBuffer.allocate(10));
      read(updater, 3, 7);
      assertThat(updater.read(lengthBytes, ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThatThrownBy(() -> updater.write(lengthBytes, ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class);
      updater.flush();
    }
    assertThat(heard.lines)
        .containsExactly("WRITE 10 20", "WRITE " + (half - 5) + " 10", "READ 3 7", "closed");
  }

  @Test
  void aModeBelowWhatIsDemandedIsRefused() throws Exception {
    start("FO");
    TestSession session = new TestSession(cluster, new Bounds.Failures(2, 2), 1_000, 10_000);
    assertThatThrownBy(() -> StripedFileUpdater.open(session, calls, options(0, 1_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("demanded=2c2s");
    assertThatThrownBy(
            () -> StripedFileUpdater.open(new TestSession(cluster), calls, options(191, 1_000)))
        .hasMessageContaining("cacheBytes=191");
  }

  @Test
  void theFileDoesNotGrow() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      long end = updater.lengthBytes();
      assertThatThrownBy(() -> updater.write(end - 1, ByteBuffer.allocate(2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("length=" + end);
      assertThatThrownBy(() -> updater.write(-1, ByteBuffer.allocate(2)))
          .hasMessageContaining("position=-1");
      assertThat(updater.read(end, ByteBuffer.allocate(2))).isEqualTo(-1);
      assertThat(updater.read(end - 1, ByteBuffer.allocate(2))).isEqualTo(1);
      updater.write(end, ByteBuffer.allocate(0));
    }
    assertThat(session.end).isEmpty();
    assertThat(cluster.content()).isEqualTo(cluster.initial());
  }

  @Test
  void aFlushThatFailsIsReportedAndKeepsTheBytes() throws Exception {
    TestSession session = start("PLR");
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, calls, options(1_000, 5_000))) {
      cluster.kill(1);
      byte[] bytes = new byte[200];
      random.nextBytes(bytes);
      updater.write(50, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, 50, bytes.length);
      assertThatThrownBy(updater::flush)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("stripes=1")
          .hasMessageContaining("kept")
          .rootCause()
          .hasMessageContaining("last trouble=");
      // The second stripe does not need the node that is down; the first one keeps its bytes.
      assertThat(updater.cachedBytes()).isEqualTo(192 - 50);
      cluster.restart(1);
      await()
          .ignoreExceptions()
          .until(
              () -> {
                updater.flush();
                return true;
              });
      assertThat(updater.cachedBytes()).isZero();
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  @Test
  void aWriteThatFailedIsReportedByTheNextFlush() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 300))) {
      cluster.kill(0);
      CompletableFuture<Void> write = updater.writeAsync(0, ByteBuffer.allocate(10));
      assertThatThrownBy(updater::flush).hasMessageContaining("writes that failed=1");
      assertThat(write).isCompletedExceptionally();
      updater.flush();
      cluster.restart(0);
    }
  }

  @Test
  void aSessionThatIsLostIsNotUsed() throws Exception {
    cluster = new FileCluster("FO", random);
    TestSession session = new TestSession(cluster, new Bounds.Failures(1, 1), 20, 8_000);
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(0, ByteBuffer.allocate(1));
      await().until(() -> session.renewals.get() > 15);
      updater.write(0, ByteBuffer.allocate(1));
      session.isLost = true;
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> updater.write(0, ByteBuffer.allocate(1)))
                      .hasMessageContaining("open a new session"));
      session.isLost = false;
      await().ignoreExceptions().until(() -> updater.read(0, ByteBuffer.allocate(1)) == 1);
    }
  }

  /** A session for which there is no memory, at first. */
  private static final class OutOfMemory extends TestSession {
    final AtomicInteger failures = new AtomicInteger();

    OutOfMemory(FileCluster cluster) {
      super(cluster);
    }

    @Override
    public Located locate(int group) {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("as planned");
      }
      return super.locate(group);
    }
  }

  /** As many as may be under way at a time. */
  @Test
  void operationsThatFindNoMemoryTakeNoRoomFromOthers() throws Exception {
    cluster = new FileCluster("PLR", random);
    OutOfMemory session = new OutOfMemory(cluster);
    UpdaterOptions options = options(0, 10_000);
    session.failures.set(options.maxOutstanding());
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options)) {
      for (int i = 0; i < options.maxOutstanding(); i++) {
        assertThatThrownBy(() -> read(updater, 0, 1)).isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(read(updater, 0, 1)).containsExactly(cluster.initial()[0]);
    }
  }

  /** A block group that lacks a unit, and is asked for it again and again. */
  @Test
  void operationsThatNobodyWaitsForLeaveRoomToOthers() throws Exception {
    TestSession session = start("PLR");
    byte[] initial = cluster.initial();
    UpdaterOptions options = options(0, 300);
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options)) {
      cluster.kill(FileCluster.nodeOf(0, 0));
      for (int i = 0; i < options.maxOutstanding(); i++) {
        assertThatThrownBy(() -> read(updater, 0, 1)).hasMessageContaining("ms=300");
      }
      int ofOtherUnit = cluster.layout().cellBytes();
      await()
          .ignoreExceptions()
          .until(() -> read(updater, ofOtherUnit, 1)[0] == initial[ofOtherUnit]);
      cluster.restart(FileCluster.nodeOf(0, 0));
      await().ignoreExceptions().until(() -> read(updater, 0, 1)[0] == initial[0]);
    }
  }

  /** Whoever multiplies and places: the client, or in a broadcast the nodes. */
  @ParameterizedTest
  @EnumSource(AddMode.class)
  void whereRowsMoveAllWaysToAddAreRight(AddMode mode) throws Exception {
    cluster = FileCluster.ofMovedRows("PLR", random);
    TestSession session = new TestSession(cluster, new Bounds.Failures(0, 1), 1_000, 10_000);
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            session,
            calls,
            new UpdaterOptions(new UpdaterOptions.Adds(mode, 2, 0), 0, 8, 4, 5, 60_000, 20, 2))) {
      for (int i = 0; i < OPERATIONS / 3; i++) {
        int from = random.nextInt(twin.length);
        byte[] bytes = some(Math.min(250, twin.length - from));
        updater.write(from, ByteBuffer.wrap(bytes));
        System.arraycopy(bytes, 0, twin, from, bytes.length);
      }
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
      assertThat(verify(updater, 5_000)).isEmpty();
      cluster.damage(0, 2, 70);
      assertThat(verify(updater, 5_000))
          .extracting(StripeFinding::detail)
          .singleElement()
          .asString()
          .contains("without unit 2");
      cluster.damage(0, 2, 70);
      cluster.kill(1);
      cluster.restartEmpty(1, random);
      updater.recover(0, twin.length, 1);
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }
}
