/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.CODE;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Outcome;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import java.io.IOException;
import java.io.SyncFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Random requests and housekeeping for an engine, and its dumb twin: a machine with an array for
 * every slot, and the list of all records by their sequence. After a crash the twin is cut to what
 * the log has, never below what was answered, and made anew from the beginning.
 */
final class EngineModel {
  /** The last stripe of the data replica is not full. */
  private static final int DATA_BYTES = TestDisk.FILE_BYTES - 23;

  private static final String[] SCHEMES = {"FO", "FL", "PL", "PLR"};

  private record Event(SlotKey slot, LogRecord record) {}

  /** A reply to come, and the sequence that must be durable then. */
  private record Answer(long sequence, CompletableFuture<Reply> reply, Reply expected) {}

  /** A reader, and what it must see for as long as it is open, but for stripes of garbage. */
  private record Reader(ReplicaKey key, PinnedReader reader, byte[] bytes, BitSet garbage) {
    void check(int offset, int length) throws IOException {
      int stripe = garbage.nextSetBit(offset / TestDisk.CELL_BYTES);
      int last = (offset + Math.max(length, 1) - 1) / TestDisk.CELL_BYTES;
      if (stripe >= 0 && stripe <= last) {
        assertThatThrownBy(() -> reader.read(offset, length)).hasMessageContaining("opMode=INIT");
      } else {
        assertThat(reader.read(offset, length))
            .as("bytes of %s", key)
            .isEqualTo(Arrays.copyOfRange(bytes, offset, offset + length));
      }
    }
  }

  private final Random random;
  private final Map<ReplicaKey, ReplicaLayout> layouts = TwoReplicas.layouts(DATA_BYTES);
  private final Map<ReplicaKey, byte[]> initial = new LinkedHashMap<>();
  private final TreeMap<Long, Event> history = new TreeMap<>();
  private final Map<SlotKey, ArrayContent> cells = new HashMap<>();
  private final Map<SlotKey, SlotMachine> machines = new HashMap<>();
  private final List<Answer> unanswered = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();

  /** Copies that have arrived and not been recovered, or given up: as of these sequences. */
  private final Map<ReplicaKey, Long> gone = new HashMap<>();

  private final ModelRequests requests;
  private @Nullable ReplicaKey arriving;
  private @Nullable ReplicaKey dropping;
  private boolean hasErrors;
  private long answered;
  private int fullWaits;

  EngineModel(Random random) {
    this.random = random;
    layouts.forEach((key, layout) -> initial.put(key, bytes(layout.lengthBytes())));
    requests = new ModelRequests(random);
    layouts.keySet().forEach(this::rebuild);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  TestDisk disk(Random crashes) throws IOException {
    return TestDisk.of(layouts, initial, SCHEMES[random.nextInt(4)], crashes);
  }

  /** Whether errors happen in the middle of steps. */
  void hasErrors(boolean errors) {
    hasErrors = errors;
  }

  /** How often the log or an overlay was full. */
  int fullWaits() {
    return fullWaits;
  }

  private void rebuild(ReplicaKey key) {
    DurableSlot fresh = gone.containsKey(key) ? DurableSlot.remapped() : DurableSlot.untouched();
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      SlotKey slot = new SlotKey(key, stripe);
      int from = Math.min(initial.get(key).length, stripe * TestDisk.CELL_BYTES);
      int to = Math.min(initial.get(key).length, (stripe + 1) * TestDisk.CELL_BYTES);
      ArrayContent cell =
          new ArrayContent(
              Arrays.copyOf(Arrays.copyOfRange(initial.get(key), from, to), TestDisk.CELL_BYTES));
      List<LogRecord> records =
          history.tailMap(gone.getOrDefault(key, 0L), false).values().stream()
              .filter(event -> event.slot().equals(slot))
              .map(Event::record)
              .toList();
      SlotMachine player = new SlotMachine(CODE, 0, DurableSlot.untouched(), cell);
      records.forEach(player::replay);
      cells.put(slot, cell);
      // A restart: a lock in the records counts as expired.
      machines.put(
          slot, new SlotMachine(CODE, layouts.get(key).block(), fresh.after(records), cell));
    }
  }

  private BitSet garbage(ReplicaKey key) {
    BitSet garbage = new BitSet();
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      garbage.set(stripe, machines.get(new SlotKey(key, stripe)).opMode() == OpMode.INIT);
    }
    return garbage;
  }

  private byte[] content(ReplicaKey key) {
    byte[] content = new byte[layouts.get(key).lengthBytes()];
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      int at = stripe * TestDisk.CELL_BYTES;
      int length = Math.min(TestDisk.CELL_BYTES, content.length - at);
      System.arraycopy(cells.get(new SlotKey(key, stripe)).bytes(), 0, content, at, length);
    }
    return content;
  }

  /** One random step; sometimes with an error in the middle of it, which may end the engine. */
  void step(BlockEngine engine, TestDisk disk) throws IOException, InterruptedException {
    if (hasErrors && random.nextInt(60) == 0) {
      disk.failAtCall(1 + random.nextInt(8));
    } else {
      // As another thread may that makes room, while this one writes to a file.
      boolean isTruncated = random.nextInt(4) == 0;
      disk.hook(
          call -> {
            if (isTruncated && call.equals("write")) {
              engine.log().truncate();
            }
          });
    }
    try {
      anyStep(engine, disk);
    } catch (TestDisk.InjectedError e) {
      assertThat(engine.hasFailed())
          .as("nothing was changed, or the engine would say that it has failed: %s", e)
          .isFalse();
    } finally {
      disk.hook(call -> {});
    }
    for (Reader reader : readers) {
      int offset = random.nextInt(reader.bytes().length);
      reader.check(offset, random.nextInt(reader.bytes().length - offset + 1));
    }
    note();
    assertThat(disk.isDown()).isFalse();
  }

  private void anyStep(BlockEngine engine, TestDisk disk) throws IOException, InterruptedException {
    ReplicaKey any = random.nextBoolean() ? DATA : PARITY;
    switch (random.nextInt(29)) {
      case 0, 1, 2 -> engine.log().commitGroup();
      case 3, 4 -> engine.drainAll();
      case 5 -> engine.makeRoom();
      case 6 -> engine.merge(any);
      case 7 -> convertSometimes(engine, any);
      case 8 -> endPeriodSometimes(engine);
      case 9 -> openReader(engine, any);
      case 10, 11 -> closeReader();
      case 12 -> engine.log().seal();
      case 13 -> giveUpSometimes(engine, disk, any);
      case 14, 15 -> rest(engine);
      default -> request(engine);
    }
  }

  /** A copy arrives, with garbage in it; or one is given up, and not deleted before the crash. */
  private void giveUpSometimes(BlockEngine engine, TestDisk disk, ReplicaKey key)
      throws IOException {
    int what = random.nextInt(6);
    if (what > 1) {
      return;
    }
    for (Reader reader : List.copyOf(readers)) {
      if (reader.key().equals(key)) {
        reader.reader().close();
        readers.remove(reader);
      }
    }
    if (what == 0) {
      arriving = key;
      disk.scramble(key, random);
      engine.arrived(key);
      arriving = null;
    } else {
      dropping = key;
      engine.dropped(key);
      dropping = null;
    }
    gone.put(key, engine.log().durableSequence());
    rebuild(key);
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

  /** The first call finds that replicas were changed. */
  private static void rest(BlockEngine engine) throws IOException {
    engine.rest();
    engine.rest();
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
      readers.add(new Reader(key, engine.openReader(key), content(key), garbage(key)));
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
    int length = layouts.get(slot.replica()).cellLength(slot.stripe());
    Request request = requests.any(twin, slot.replica().equals(DATA), length);
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
    CompletableFuture<Reply> reply;
    try {
      reply = engine.handle(slot, request);
    } catch (IOException | TestDisk.InjectedError e) {
      noteLost(engine, slot, request, before);
      throw e;
    }
    Outcome expected = twin.handle(request);
    long sequence = engine.log().lastSequence(slot);
    assertThat(sequence > before).as("logged").isEqualTo(expected.record() != null);
    if (expected.record() != null) {
      history.put(sequence, new Event(slot, expected.record()));
      assertThat(reply).as("before it is durable").isNotDone();
    }
    unanswered.add(new Answer(sequence, reply, expected.reply()));
  }

  /** A request that ended with an error may have got as far as the log, and may be there then. */
  private void noteLost(BlockEngine engine, SlotKey slot, Request request, long before) {
    long sequence = engine.log().lastSequence(slot);
    if (sequence > before) {
      LogRecord record = machines.get(slot).handle(request).record();
      assertThat(record).isNotNull();
      history.put(sequence, new Event(slot, record));
      assertThat(engine.hasFailed()).as("machine and log agree no more").isTrue();
    }
  }

  /** Opens what a crash or a close has left, and compares. */
  BlockEngine recover(TestDisk disk) throws IOException, InterruptedException {
    note();
    unanswered.clear();
    readers.clear();
    BlockEngine engine = disk.openEngine();
    if (disk.store().hasSyncFailed()) {
      // A replica whose fold could not be written again is refused until the next opening.
      throw new SyncFailedException("in the middle of opening");
    }
    long last = engine.log().durableSequence();
    assertThat(last).as("what was answered is there").isGreaterThanOrEqualTo(answered);
    history.tailMap(last, false).clear();
    answered = last; // it counts on all that it found
    if (arriving != null) {
      // As the glue does with a copy that it does not know to have been taken in.
      disk.scramble(arriving, random);
      engine.arrived(arriving);
      gone.put(arriving, engine.log().durableSequence());
      arriving = null;
    }
    if (dropping != null) {
      if (isGarbage(engine, dropping)) {
        gone.put(dropping, last);
      }
      dropping = null;
    }
    for (ReplicaKey key : layouts.keySet()) {
      rebuild(key);
      disk.files(key).verifyChecksums();
      try (PinnedReader reader = engine.openReader(key)) {
        Reader whole = new Reader(key, reader, content(key), garbage(key));
        for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
          int length = layouts.get(key).cellLength(stripe);
          whole.check(stripe * TestDisk.CELL_BYTES, length);
        }
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

  /** Whether a drop has got so far that nothing of the replica counts. */
  private static boolean isGarbage(BlockEngine engine, ReplicaKey key)
      throws IOException, InterruptedException {
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      if (!engine.durable(new SlotKey(key, stripe)).equals(DurableSlot.remapped())) {
        return false;
      }
    }
    return true;
  }
}
