/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One engine with its threads, more changes than its log and overlay can hold, and readers that pin
 * versions meanwhile.
 */
@Timeout(600)
class EngineThreadsTest {
  private static final int WRITES = 300;
  private static final long LOG_BYTES = 56 << 10;

  /** Longer than a test: nothing is moved, nor the log sealed. */
  private static final int QUIET_MS = 600_000;

  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @AfterEach
  void stop() {
    isOver.set(true);
    pool.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  void manySlotsAtOnceThroughASmallLog(String scheme) throws Exception {
    TestDisk disk = TwoReplicas.disk(scheme, new Random(1));
    BlockEngine engine = disk.openEngine();
    List<byte[]> cells = new ArrayList<>();
    AtomicReference<IOException> failure = new AtomicReference<>();
    try (EngineThreads threads = EngineThreads.start(engine, "engine", failure::set)) {
      assertThat(threads).isNotNull();
      CountDownLatch reading = new CountDownLatch(2);
      List<Future<Integer>> readers = new ArrayList<>();
      readers.add(pool.submit(reader(engine, DATA, 1, reading)));
      readers.add(pool.submit(reader(engine, PARITY, 2, reading)));
      reading.await();
      List<Future<byte[]>> writers = new ArrayList<>();
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        writers.add(pool.submit(swaps(engine, stripe)));
        writers.add(pool.submit(adds(engine, stripe)));
      }
      for (Future<byte[]> writer : writers) {
        cells.add(get(writer, engine));
      }
      isOver.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get(120, TimeUnit.SECONDS)).as("versions read").isPositive();
      }
      check(engine, cells);
      assertThat(failure).hasValue(null);
    }
    disk.store().crash();
    TestDisk after = disk.reopen();
    try (BlockEngine again = after.openEngine()) {
      check(again, cells);
      again.merge(DATA);
      again.merge(PARITY);
      after.files(DATA).verifyChecksums();
      after.files(PARITY).verifyChecksums();
      check(again, cells);
    }
  }

  /** Threads of HDFS are, and an interrupt in the middle of I/O closes the file of the log. */
  @ParameterizedTest
  @CsvSource({"arrived,before", "arrived,during", "dropped,before", "dropped,during"})
  void whoGivesUpAReplicaMayBeInterrupted(String how, String when, @TempDir Path directory)
      throws Exception {
    TestDisk disk = TwoReplicas.disk("FL", new Random(1));
    Path file = directory.resolve("log");
    try (InterruptingLog log =
        new InterruptingLog(FileByteStore.create(file, LOG_BYTES, Allocation.SPARSE))) {
      UpdateLog.format(log, TestDisk.OWNER, 1);
      BlockEngine engine = BlockEngine.open(log, TestDisk.OWNER, quiet(), disk);
      AtomicReference<IOException> failure = new AtomicReference<>();
      try (EngineThreads threads = EngineThreads.start(engine, "engine", failure::set)) {
        assertThat(threads).isNotNull();
        Request swap = new Request.Swap(TwoReplicas.patch(0, 1), new Tid(1, 1, 0));
        engine.handle(new SlotKey(DATA, 0), swap).get(120, TimeUnit.SECONDS);
        if (when.equals("before")) {
          Thread.currentThread().interrupt();
        } else {
          log.interruptAtNextChange(Thread.currentThread());
        }
        if (how.equals("arrived")) {
          engine.arrived(DATA);
        } else {
          engine.dropped(DATA);
        }
        assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
        Request add =
            new Request.Add(
                TwoReplicas.patch(0, 1), Request.Scaling.BY_CLIENT, new Tid(1, 1, 0), null, 0);
        engine.handle(new SlotKey(PARITY, 0), add).get(120, TimeUnit.SECONDS);
        assertThat(failure).hasValue(null);
      }
    }
  }

  /** With threads that do nothing of their own accord. */
  private static EngineOptions quiet() {
    EngineOptions usual = TestDisk.OPTIONS;
    return new EngineOptions(
        usual.log(),
        usual.overlayBytes(),
        usual.logHighBytes(),
        usual.reserved(),
        QUIET_MS,
        QUIET_MS,
        QUIET_MS,
        usual.maxReceiptBytes());
  }

  /** A log during whose I/O a thread is interrupted. */
  private static final class InterruptingLog implements ByteStore {
    private final ByteStore delegate;
    private final AtomicReference<Thread> interrupted = new AtomicReference<>();

    InterruptingLog(ByteStore delegate) {
      this.delegate = delegate;
    }

    void interruptAtNextChange(Thread thread) {
      interrupted.set(thread);
    }

    private void interrupt() {
      Thread thread = interrupted.getAndSet(null);
      if (thread != null) {
        thread.interrupt();
      }
    }

    @Override
    public long sizeBytes() {
      return delegate.sizeBytes();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      delegate.read(offset, into);
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
      interrupt();
      delegate.write(offset, from);
    }

    @Override
    public void sync(long offset, long lengthBytes) throws IOException {
      interrupt();
      delegate.sync(offset, lengthBytes);
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  /** With what everybody is doing, if it takes too long. */
  private static byte[] get(Future<byte[]> writer, BlockEngine engine) throws Exception {
    try {
      return writer.get(120, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      StringBuilder threads = new StringBuilder();
      Thread.getAllStackTraces()
          .forEach(
              (thread, stack) ->
                  threads.append(thread).append(Arrays.toString(stack)).append('\n'));
      throw new AssertionError(
          "Engine stands still: failed="
              + engine.hasFailed()
              + ", waiting="
              + engine.log().waitingForRoom()
              + ", used="
              + engine.log().usedBytes()
              + "\n"
              + threads,
          e);
    }
  }

  /** Cells in the order of {@code writers}. */
  private static void check(BlockEngine engine, List<byte[]> cells) throws Exception {
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      for (int parity = 0; parity < 2; parity++) {
        try (PinnedReader reader = engine.openReader(parity == 0 ? DATA : PARITY)) {
          assertThat(reader.read(stripe * TestDisk.CELL_BYTES, TestDisk.CELL_BYTES))
              .isEqualTo(cells.get(2 * stripe + parity));
        }
      }
    }
  }

  private static Patch patch(Random random) {
    int offset = random.nextInt(TestDisk.CELL_BYTES);
    byte[] bytes = new byte[1 + random.nextInt(TestDisk.CELL_BYTES - offset)];
    random.nextBytes(bytes);
    return new Patch(offset, Bytes.wrap(bytes));
  }

  private static Callable<byte[]> swaps(BlockEngine engine, int stripe) {
    return () -> {
      Random random = new Random(stripe);
      byte[] cell = new byte[TestDisk.CELL_BYTES];
      SlotKey slot = new SlotKey(DATA, stripe);
      for (int i = 0; i < WRITES; i++) {
        Patch patch = patch(random);
        Request swap = new Request.Swap(patch, new Tid(stripe, i, 0));
        Reply.SwapReply reply = (Reply.SwapReply) engine.handle(slot, swap).get();
        assertThat(reply.previous()).isNotNull();
        assertThat(reply.previous().toArray())
            .isEqualTo(Arrays.copyOfRange(cell, patch.offset(), patch.end()));
        System.arraycopy(patch.bytes().toArray(), 0, cell, patch.offset(), patch.bytes().length());
        collect(engine, slot, new Tid(stripe, i, 0));
      }
      return cell;
    };
  }

  private static Callable<byte[]> adds(BlockEngine engine, int stripe) {
    return () -> {
      Random random = new Random(100 + stripe);
      byte[] cell = new byte[TestDisk.CELL_BYTES];
      SlotKey slot = new SlotKey(PARITY, stripe);
      for (int i = 0; i < WRITES; i++) {
        Patch patch = patch(random);
        Tid tid = new Tid(stripe, i, 0);
        Request add = new Request.Add(patch, Request.Scaling.BY_CLIENT, tid, null, 0);
        Reply.AddReply reply = (Reply.AddReply) engine.handle(slot, add).get();
        assertThat(reply.status()).isEqualTo(Reply.AddStatus.OK);
        for (int at = 0; at < patch.bytes().length(); at++) {
          cell[patch.offset() + at] ^= (byte) patch.bytes().at(at);
        }
        collect(engine, slot, tid);
      }
      return cell;
    };
  }

  private static void collect(BlockEngine engine, SlotKey slot, Tid tid) throws Exception {
    assertThat(engine.handle(slot, new Request.GcRecent(List.of(tid))).get())
        .isEqualTo(new Reply.Done());
    assertThat(engine.handle(slot, new Request.GcOld(List.of(tid))).get())
        .isEqualTo(new Reply.Done());
  }

  /** Opens, reads for a while and closes, over and over; returns how often. */
  /** Reads one version after the other, and has begun with the first when it says so. */
  private Callable<Integer> reader(
      BlockEngine engine, ReplicaKey key, long seed, CountDownLatch reading) {
    return () -> {
      Random random = new Random(seed);
      int versions = 0;
      while (!isOver.get()) {
        try (PinnedReader reader = engine.openReader(key)) {
          byte[] whole = reader.read(0, TestDisk.FILE_BYTES);
          reading.countDown();
          for (int i = 0; i < 200; i++) {
            int offset = random.nextInt(TestDisk.FILE_BYTES);
            int length = random.nextInt(TestDisk.FILE_BYTES - offset + 1);
            assertThat(reader.read(offset, length))
                .as("version %d of %s", versions, key)
                .isEqualTo(Arrays.copyOfRange(whole, offset, offset + length));
          }
        }
        versions++;
      }
      return versions;
    };
  }
}
