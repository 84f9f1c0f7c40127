/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.ReadCaller;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private final List<Snapshot> closed = new ArrayList<>();

  /** Data are there, checksums fail. */
  private static final class Broken implements SnapshotSource {
    private final IOException failure;
    boolean isClosed;

    Broken(IOException failure) {
      this.failure = failure;
    }

    @Override
    public int readData(long position, byte[] into, int offset, int lengthBytes) {
      return lengthBytes;
    }

    @Override
    public int readMeta(long position, byte[] into, int offset, int lengthBytes)
        throws IOException {
      throw failure;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** Its disk does not answer a read before it is released. */
  private static final class Hung implements SnapshotSource {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    volatile boolean isClosed;

    @Override
    public int readData(long position, byte[] into, int offset, int lengthBytes)
        throws IOException {
      begun.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return lengthBytes;
    }

    @Override
    public int readMeta(long position, byte[] into, int offset, int lengthBytes) {
      return lengthBytes;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private Snapshot snapshot(SnapshotSource source) {
    return new Snapshot(-1, ReadCaller.CLIENT, 100, 11, 0, source, closed::add);
  }

  /** BlockSender would send them with zeros for checksums. */
  @Test
  void whoGotNoChecksumGetsNoData() throws Exception {
    Snapshot snapshot = snapshot(new Broken(new IOException("INIT")));
    assertThat(snapshot.readData(0, new byte[8], 0, 8)).isEqualTo(8);
    assertThatThrownBy(() -> snapshot.readMeta(7, new byte[4], 0, 4))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("INIT");
    assertThatThrownBy(() -> snapshot.readData(0, new byte[8], 0, 8))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("INIT");
  }

  /** VolumeScanner takes only a missing file for no damage. */
  @Test
  void damageStaysDamage() {
    Snapshot snapshot = snapshot(new Broken(new ChecksumException("rotten", 512)));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> snapshot.readMeta(7, new byte[4], 0, 4))
          .isInstanceOf(ChecksumException.class);
    }
    assertThatThrownBy(() -> snapshot.readData(0, new byte[8], 0, 8))
        .isInstanceOf(ChecksumException.class);
  }

  @Test
  void oneThatIsCutOffReadsNoMoreAndIsClosedOnce() throws Exception {
    Broken source = new Broken(new IOException("unused"));
    Snapshot snapshot = snapshot(source);
    snapshot.cutOff("Cannot read: too long");
    assertThat(source.isClosed).isTrue();
    assertThatThrownBy(() -> snapshot.readData(0, new byte[8], 0, 8))
        .isInstanceOf(IOException.class)
        .hasMessage("Cannot read: too long");
    Broken late = new Broken(new IOException("unused"));
    snapshot.goOnFrom(late);
    assertThat(late.isClosed).isTrue();
    snapshot.close();
    assertThat(closed).containsExactly(snapshot);
  }

  /** Readers of all disks are cut off by one thread. */
  @Test
  void oneWhoseDiskHangsIsCutOffWithoutWaitingForIt() throws Exception {
    Hung source = new Hung();
    Snapshot snapshot = snapshot(source);
    CompletableFuture<Integer> reading = inThread(() -> snapshot.readData(0, new byte[8], 0, 8));
    source.begun.await();
    try {
      CompletableFuture<Integer> cutting =
          inThread(
              () -> {
                assertThat(snapshot.isPinned()).isFalse();
                snapshot.cutOff("Cannot read: too long");
                return 0;
              });
      assertThat(cutting).succeedsWithin(Duration.ofSeconds(30));
      assertThat(source.isClosed).as("closed under a read").isFalse();
    } finally {
      source.released.countDown();
    }
    assertThat(reading)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("Cannot read: too long");
    await().until(() -> source.isClosed);
  }

  private static CompletableFuture<Integer> inThread(Callable<Integer> call) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            },
            "snapshot-test");
    thread.setDaemon(true);
    thread.start();
    return result;
  }
}
