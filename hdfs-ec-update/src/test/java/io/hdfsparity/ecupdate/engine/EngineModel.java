/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.ajx.node.Content;
import io.hdfsparity.ecupdate.ajx.node.DurableSlot;
import io.hdfsparity.ecupdate.ajx.node.LogRecord;
import io.hdfsparity.ecupdate.ajx.node.Outcome;
import io.hdfsparity.ecupdate.ajx.node.SlotMachine;
import io.hdfsparity.ecupdate.wal.ReplicaKey;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Random requests and housekeeping for an engine, and its dumb twin: a machine with an array for
 * every slot, and the list of all records by their sequence. After a crash the twin is cut to what
 * the log has, never below what was answered, and made anew from the beginning.
 */
final class EngineModel {
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2));

  /** The last stripe of the data replica is not full. */
  private static final int DATA_BYTES = TestDisk.FILE_BYTES - 23;

  static final ReplicaKey DATA = new ReplicaKey("BP-1", 1);
  static final ReplicaKey PARITY = new ReplicaKey("BP-1", 2);
  private static final String[] SCHEMES = {"FO", "FL", "PL", "PLR"};

  private record Event(SlotKey slot, LogRecord record) {}

  /** A reply to come, and the sequence that must be durable then. */
  private record Answer(long sequence, CompletableFuture<Reply> reply, Reply expected) {}

  /** A reader, and what it must see for as long as it is open. */
  private record Reader(ReplicaKey key, PinnedReader reader, byte[] bytes) {}

  /** A twin's cell. */
  private static final class Cell implements Content {
    final byte[] bytes;

    Cell(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public Bytes read(int offset, int lengthBytes) {
      return Bytes.copyOf(bytes).slice(offset, lengthBytes);
    }

    @Override
    public void overwrite(Patch patch) {
      System.arraycopy(patch.bytes().toArray(), 0, bytes, patch.offset(), patch.bytes().length());
    }

    @Override
    public void add(Patch delta) {
      for (int i = 0; i < delta.bytes().length(); i++) {
        bytes[delta.offset() + i] ^= (byte) delta.bytes().at(i);
      }
    }
  }

  private final Random random;
  private final Map<ReplicaKey, ReplicaLayout> layouts = new LinkedHashMap<>();
  private final Map<ReplicaKey, byte[]> initial = new LinkedHashMap<>();
  private final TreeMap<Long, Event> history = new TreeMap<>();
  private final Map<SlotKey, Cell> cells = new HashMap<>();
  private final Map<SlotKey, SlotMachine> machines = new HashMap<>();
  private final List<Answer> unanswered = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private long answered;
  private long tids;
  private int fullWaits;

  EngineModel(Random random) {
    this.random = random;
    layouts.put(DATA, layout(0, DATA_BYTES));
    layouts.put(PARITY, layout(2, TestDisk.FILE_BYTES));
    layouts.forEach((key, layout) -> initial.put(key, bytes(layout.lengthBytes())));
    rebuild();
  }

  private static ReplicaLayout layout(int block, int lengthBytes) {
    return new ReplicaLayout(
        CODE, block, TestDisk.CELL_BYTES, TestDisk.CHUNK_BYTES, lengthBytes, TestDisk.STRIPES);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  TestDisk disk(Random crashes) throws IOException {
    return TestDisk.of(layouts, initial, SCHEMES[random.nextInt(4)], crashes);
  }

  /** How often the log or an overlay was full. */
  int fullWaits() {
    return fullWaits;
  }

  private void rebuild() {
    machines.clear();
    cells.clear();
    for (ReplicaKey key : layouts.keySet()) {
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        SlotKey slot = new SlotKey(key, stripe);
        int from = Math.min(initial.get(key).length, stripe * TestDisk.CELL_BYTES);
        int to = Math.min(initial.get(key).length, (stripe + 1) * TestDisk.CELL_BYTES);
        Cell cell =
            new Cell(
                Arrays.copyOf(Arrays.copyOfRange(initial.get(key), from, to), TestDisk.CELL_BYTES));
        List<LogRecord> records =
            history.values().stream()
                .filter(event -> event.slot().equals(slot))
                .map(Event::record)
                .toList();
        SlotMachine player = new SlotMachine(CODE, 0, DurableSlot.untouched(), cell);
        records.forEach(player::replay);
        cells.put(slot, cell);
        // A restart: a lock in the records counts as expired.
        machines.put(
            slot,
            new SlotMachine(
                CODE, layouts.get(key).block(), DurableSlot.untouched().after(records), cell));
      }
    }
  }

  private byte[] content(ReplicaKey key) {
    byte[] content = new byte[layouts.get(key).lengthBytes()];
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      int at = stripe * TestDisk.CELL_BYTES;
      int length = Math.min(TestDisk.CELL_BYTES, content.length - at);
      System.arraycopy(cells.get(new SlotKey(key, stripe)).bytes, 0, content, at, length);
    }
    return content;
  }

  /** One random step. */
  void step(BlockEngine engine, TestDisk disk) throws IOException, InterruptedException {
    ReplicaKey any = random.nextBoolean() ? DATA : PARITY;
    switch (random.nextInt(24)) {
      case 0, 1, 2 -> engine.log().commitGroup();
      case 3, 4 -> engine.drainAll();
      case 5 -> engine.makeRoom();
      case 6 -> engine.merge(any);
      case 7 -> convertSometimes(engine, any);
      case 8 -> endPeriodSometimes(engine);
      case 9 -> openReader(engine, any);
      case 10, 11 -> closeReader();
      case 12 -> engine.log().seal();
      default -> request(engine);
    }
    for (Reader reader : readers) {
      int offset = random.nextInt(reader.bytes().length);
      int length = random.nextInt(reader.bytes().length - offset + 1);
      assertThat(reader.reader().read(offset, length))
          .as("a reader's bytes")
          .isEqualTo(Arrays.copyOfRange(reader.bytes(), offset, offset + length));
    }
    note();
    assertThat(disk.store().isCrashed()).isFalse();
  }

  private void note() {
    for (Answer answer : List.copyOf(unanswered)) {
      if (answer.reply().isDone()) {
        unanswered.remove(answer);
        if (!answer.reply().isCompletedExceptionally()) {
          assertThat(answer.reply()).isCompletedWithValue(answer.expected());
          answered = Math.max(answered, answer.sequence());
        }
      }
    }
  }

  private void convertSometimes(BlockEngine engine, ReplicaKey key)
      throws IOException, InterruptedException {
    if (random.nextInt(3) == 0) {
      engine.convert(key, SCHEMES[random.nextInt(4)]);
    }
  }

  private void endPeriodSometimes(BlockEngine engine) throws IOException, InterruptedException {
    if (random.nextInt(3) == 0) {
      engine.endPeriod(
          PARITY, random.nextBoolean() ? ShrinkMode.SHRINK_ONLY : ShrinkMode.SHRINK_AND_MERGE);
    }
  }

  private void openReader(BlockEngine engine, ReplicaKey key)
      throws IOException, InterruptedException {
    if (readers.size() < 2) {
      engine.log().commitGroup();
      readers.add(new Reader(key, engine.openReader(key), content(key)));
    }
  }

  private void closeReader() {
    if (!readers.isEmpty()) {
      readers.remove(random.nextInt(readers.size())).reader().close();
    }
  }

  /** Requests only, so that everything gets full. */
  void fill(BlockEngine engine, int requests) throws IOException, InterruptedException {
    for (int i = 0; i < requests; i++) {
      request(engine);
      note();
    }
  }

  private void request(BlockEngine engine) throws IOException, InterruptedException {
    SlotKey slot =
        new SlotKey(random.nextBoolean() ? DATA : PARITY, random.nextInt(TestDisk.STRIPES));
    SlotMachine twin = machines.get(slot);
    Request request = anyRequest(slot, twin);
    if (engine.wouldWait(slot, request)) {
      fullWaits++;
      readers.forEach(reader -> reader.reader().close());
      readers.clear();
      engine.drainAll();
      engine.merge(slot.replica());
      engine.makeRoom();
      for (int tries = 0; engine.wouldWait(slot, request); tries++) {
        assertThat(tries).as("a full engine gets room").isLessThan(4);
        engine.merge(DATA);
        engine.merge(PARITY);
        engine.makeRoom();
      }
    }
    long before = engine.log().lastSequence(slot);
    CompletableFuture<Reply> reply = engine.handle(slot, request);
    Outcome expected = twin.handle(request);
    long sequence = engine.log().lastSequence(slot);
    assertThat(sequence > before).as("logged").isEqualTo(expected.record() != null);
    if (expected.record() != null) {
      history.put(sequence, new Event(slot, expected.record()));
      assertThat(reply).as("before it is durable").isNotDone();
    }
    unanswered.add(new Answer(sequence, reply, expected.reply()));
  }

  private Request anyRequest(SlotKey slot, SlotMachine twin) {
    LockId lock = twin.holder() == null ? new LockId(9, ++tids) : twin.holder();
    int length = layouts.get(slot.replica()).cellLength(slot.stripe());
    int offset = random.nextInt(length);
    Patch patch = new Patch(offset, Bytes.wrap(bytes(1 + random.nextInt(length - offset))));
    Tid tid = new Tid(random.nextInt(3), ++tids, 0);
    List<Tid> recent = twin.durable().recentList();
    List<Tid> some = recent.subList(0, random.nextInt(recent.size() + 1));
    boolean isData = slot.replica().equals(DATA);
    int kinds = twin.holder() == null && random.nextInt(8) > 0 ? 20 : 6;
    return switch (kinds == 6 ? random.nextInt(6) : 1 + random.nextInt(19)) {
      case 0 -> new Request.TryLock(LockMode.L1, lock);
      case 1 -> new Request.SetLock(LockMode.UNL, lock);
      case 2 -> new Request.GetState(lock);
      case 3 ->
          new Request.Reconstruct(
              Set.of(0, 1),
              Bytes.wrap(Arrays.copyOf(bytes(length), TestDisk.CELL_BYTES)),
              twin.epoch() + 1,
              lock);
      case 4, 5 ->
          new Request.FinalizeRecovery(
              Math.max(twin.epoch(), twin.durable().targetEpoch()),
              Request.LockAfter.RELEASED,
              lock);
      case 6 -> new Request.GcRecent(some);
      case 7 -> new Request.GcOld(twin.durable().oldList());
      case 8 -> new Request.Read(0, TestDisk.CELL_BYTES);
      case 9 -> new Request.Probe();
      default ->
          isData
              ? new Request.Swap(patch, tid)
              : new Request.Add(patch, Request.Scaling.BY_NODE, tid, null, twin.epoch());
    };
  }

  /** Opens what a crash or a close has left, and compares. */
  BlockEngine recover(TestDisk disk) throws IOException, InterruptedException {
    note();
    unanswered.clear();
    readers.clear();
    BlockEngine engine = disk.openEngine();
    long last = engine.log().durableSequence();
    assertThat(last).as("what was answered is there").isGreaterThanOrEqualTo(answered);
    history.tailMap(last, false).clear();
    rebuild();
    for (ReplicaKey key : layouts.keySet()) {
      disk.files(key).verifyChecksums();
      try (PinnedReader reader = engine.openReader(key)) {
        assertThat(reader.read(0, layouts.get(key).lengthBytes()))
            .as("bytes of " + key + " up to " + last)
            .isEqualTo(content(key));
      }
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        SlotKey slot = new SlotKey(key, stripe);
        assertThat(engine.durable(slot))
            .as("state of " + slot)
            .isEqualTo(machines.get(slot).durable());
      }
    }
    return engine;
  }
}
