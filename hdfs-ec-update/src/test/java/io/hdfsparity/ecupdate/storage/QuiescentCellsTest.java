/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.CODE;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.ask;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import io.hdfsparity.ecupdate.storage.log.UpdateLogOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many cells cost that were updated, collected, and are left alone: in memory and on disk. */
class QuiescentCellsTest {
  private static final int CELLS = 20_000;
  private static final int CELL_BYTES = 64;
  private static final int LOG_BYTES = 64 << 20;

  /** What the paper's 10 bytes a block may become here. */
  private static final int MAX_BYTES_A_CELL = 32;

  /** The file's header and what it says of the whole replica. */
  private static final int MAX_HEAD_BYTES = 128;

  private static final EngineOptions OPTIONS =
      new EngineOptions(
          new UpdateLogOptions(2048, 6144, TestDisk.CHUNK_BYTES),
          LOG_BYTES,
          LOG_BYTES / 2,
          new ReservedSpaceOptions(0.3, 128, 512, 0.5),
          2,
          20,
          5,
          LOG_BYTES);

  private final MemoryFiles files = new MemoryFiles();
  private final ByteStore logStore = new MemoryLog();
  private BlockEngine engine;
  private long tids;

  private void open() throws Exception {
    engine = BlockEngine.open(logStore, "DS-1", OPTIONS, key -> Optional.of(files));
  }

  /** As clients do that end properly, or recover a stripe. */
  private void updateAll(IntToLongFunction epochs) throws Exception {
    UpdateLog.format(logStore, "DS-1", 1);
    open();
    for (int stripe = 0; stripe < CELLS; stripe++) {
      SlotKey slot = new SlotKey(DATA, stripe);
      long epoch = epochs.applyAsLong(stripe);
      if (epoch > 0) {
        LockId lock = new LockId(1, stripe);
        engine.handle(slot, new Request.TryLock(LockMode.L1, lock));
        engine.handle(slot, new Request.FinalizeRecovery(epoch, Request.LockAfter.RELEASED, lock));
      }
      List<Tid> tid = List.of(new Tid(1, ++tids, 0));
      engine.handle(slot, new Request.Swap(patch(0, 1), tid.get(0)));
      engine.handle(slot, new Request.GcRecent(tid));
      engine.handle(slot, new Request.GcOld(tid));
    }
    engine.log().commitGroup();
    engine.merge(DATA);
  }

  private void rest() throws IOException {
    engine.rest();
    engine.rest(); // the first call finds that there were changes
  }

  private void requireEpochs(IntToLongFunction epochs) throws Exception {
    for (int stripe = 0; stripe < CELLS; stripe++) {
      assertThat(engine.durable(new SlotKey(DATA, stripe)))
          .as("stripe %d", stripe)
          .isEqualTo(DurableSlot.quiescent(epochs.applyAsLong(stripe)));
    }
  }

  @Test
  void cellsOfAnEpochEachCostLittle() throws Exception {
    check(stripe -> 1 + stripe % 7, MAX_BYTES_A_CELL * CELLS);
  }

  @Test
  void cellsThatWereRecoveredTogetherCostNothing() throws Exception {
    check(stripe -> 3, MAX_HEAD_BYTES);
  }

  @Test
  void cellsThatWereNeverRecoveredCostNothing() throws Exception {
    check(stripe -> 0, MAX_HEAD_BYTES);
  }

  private void check(IntToLongFunction epochs, int maxStateBytes) throws Exception {
    updateAll(epochs);
    assertThat(engine.machines()).as("active").isEqualTo(CELLS);
    rest();
    assertThat(engine.machines()).as("quiescent").isZero();
    assertThat(files.state.length).as("bytes on disk").isLessThanOrEqualTo(maxStateBytes);
    // No machine is left, so this is what there is in memory.
    QuiescentSlots left = ReplicaState.decode(files.state, DATA).quiescent();
    assertThat(left.heapBytes()).as("bytes in memory").isLessThanOrEqualTo(maxStateBytes);
    assertThat(engine.log().lastSequence(new SlotKey(DATA, 1))).as("in the log").isZero();
    requireEpochs(epochs);
    engine.close();
    open();
    requireEpochs(epochs);
    rest();
    assertThat(engine.machines()).as("after a restart").isZero();
  }

  @Test
  void aCellThatIsReadIsQuiescentAgain() throws Exception {
    updateAll(stripe -> 2);
    rest();
    int states = files.states;
    for (int stripe = 0; stripe < 100; stripe++) {
      Reply reply = ask(engine, new SlotKey(DATA, stripe), new Request.Read(0, 8));
      assertThat(((Reply.ReadReply) reply).bytes().at(0)).isEqualTo((byte) 1);
    }
    assertThat(engine.machines()).isEqualTo(100);
    engine.rest();
    assertThat(engine.machines()).isZero();
    assertThat(files.states).as("states written for that").isEqualTo(states);
  }

  @Test
  void whatIsNotCollectedStays() throws Exception {
    updateAll(stripe -> 2);
    rest();
    SlotKey slot = new SlotKey(DATA, 5);
    Tid tid = new Tid(2, 1, 0);
    ask(engine, slot, new Request.Swap(patch(0, 2), tid));
    DurableSlot before = engine.durable(slot);
    rest();
    assertThat(engine.durable(slot)).isEqualTo(before);
    engine.close();
    open();
    assertThat(engine.durable(slot)).isEqualTo(before);
    ask(engine, slot, new Request.GcRecent(List.of(tid)));
    ask(engine, slot, new Request.GcOld(List.of(tid)));
    rest();
    assertThat(engine.machines()).isZero();
    assertThat(files.state.length).isLessThan(MAX_HEAD_BYTES);
  }

  /** A request that waits for a slot's lock while its machine is retired goes to the next one. */
  @Test
  @Timeout(60)
  void noWriteIsForgottenWhileMachinesAreRetired() throws Exception {
    UpdateLog.format(logStore, "DS-1", 1);
    open();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int client = 1; client <= 3; client++) {
      int number = client;
      threads.add(
          new Thread(
              () -> {
                try {
                  writeAndCollect(number);
                } catch (Exception | AssertionError e) {
                  failures.add(e);
                }
              }));
    }
    Thread resting =
        new Thread(
            () -> {
              try {
                while (!isOver.get()) {
                  rest();
                }
              } catch (IOException | RuntimeException e) {
                failures.add(e);
              }
            });
    resting.start();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    isOver.set(true);
    resting.join();
    assertThat(failures).isEmpty();
    rest();
    assertThat(engine.machines()).isZero();
  }

  private void writeAndCollect(int client) throws Exception {
    SlotKey slot = new SlotKey(DATA, 7);
    for (int i = 1; i <= 5000; i++) {
      Tid tid = new Tid(client, i, 0);
      engine.handle(slot, new Request.Swap(patch(0, client), tid));
      Reply asked = reply(engine.handle(slot, new Request.CheckTid(tid, new Tid(9, 9, 0))));
      assertThat(asked).as("write %d of client %d", i, client).isEqualTo(Reply.CheckTidReply.GC);
      engine.handle(slot, new Request.GcRecent(List.of(tid)));
      engine.handle(slot, new Request.GcOld(List.of(tid)));
    }
  }

  private Reply reply(CompletableFuture<Reply> answer) throws Exception {
    while (!answer.isDone()) {
      engine.log().commitGroup();
    }
    return answer.get();
  }

  /** The log, of a process that does not crash. */
  private static final class MemoryLog implements ByteStore {
    private final byte[] bytes = new byte[LOG_BYTES];

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
      dst.put(bytes, (int) offset, dst.remaining());
    }

    @Override
    public void write(long offset, ByteBuffer src) {
      src.get(bytes, (int) offset, src.remaining());
    }

    @Override
    public void sync(long offset, long lengthBytes) {}

    @Override
    public void close() {}
  }

  /** The files of the one replica. */
  private static final class MemoryFiles implements ReplicaStore {
    private final byte[] bytes = new byte[CELLS * CELL_BYTES];
    private byte[] state = new byte[0];
    private int states;

    @Override
    public ReplicaLayout layout() {
      return new ReplicaLayout(CODE, 0, CELL_BYTES, TestDisk.CHUNK_BYTES, bytes.length, CELLS);
    }

    @Override
    public String scheme() {
      return "FO";
    }

    @Override
    public void read(int offset, byte[] into) {
      System.arraycopy(bytes, offset, into, 0, into.length);
    }

    @Override
    public void write(int offset, byte[] written) {
      System.arraycopy(written, 0, bytes, offset, written.length);
    }

    @Override
    public void force() {}

    @Override
    public byte[] readState() {
      return state;
    }

    @Override
    public void writeState(byte[] written) {
      state = written;
      states++;
    }

    @Override
    public Optional<ReservedArea> reserved() {
      return Optional.empty();
    }

    @Override
    public ReservedArea reserve(long sizeBytes) {
      throw new UnsupportedOperationException("a data replica has no deltas");
    }
  }
}
