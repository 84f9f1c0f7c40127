/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A storage node's engine over a log, and its dumb twin: the list of all that was ever appended.
 * After a crash the twin is cut to what the log has, never below what was acknowledged, and played
 * from the beginning; files, homes and log together must say the same.
 */
final class LogModel {
  static final int CELL_BYTES = 512;
  static final int STRIPES = 6;
  static final int REPLICAS = 3;
  static final UpdateLogOptions OPTIONS = new UpdateLogOptions(2048, 6144, 64);
  static final int STORE_BYTES = LogHead.RING_OFFSET + 40960;
  static final String OWNER = "DS-1";

  /** A record that was appended; without a slot it is the drop of the replica. */
  private record Event(ReplicaKey replica, @Nullable SlotKey slot, @Nullable LogRecord record) {}

  private record Home(DurableSlot state, long upTo) {}

  private final Random random;
  private final int fileCrashPercent;
  private final TreeMap<Long, Event> history = new TreeMap<>();
  private final Map<ReplicaKey, byte[]> files = new HashMap<>();
  private final Map<ReplicaKey, Long> fileMadeAfter = new HashMap<>();
  private final Map<ReplicaKey, Long> foldedUpTo = new HashMap<>();
  private final Map<SlotKey, Home> homes = new HashMap<>();
  private long acknowledged;
  private long appended;
  private long tids;

  /**
   * A model.
   *
   * @param fileCrashPercent how many applies of a fold crash in the middle of the file
   */
  LogModel(Random random, int fileCrashPercent) {
    this.random = random;
    this.fileCrashPercent = fileCrashPercent;
  }

  static byte[] formatted() {
    try {
      CrashableByteStore store = CrashableByteStore.ofSize(STORE_BYTES, 1);
      UpdateLog.format(store, OWNER, 77);
      return store.content();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static ReplicaKey replica(int number) {
    return new ReplicaKey("BP-1", 1000L + number);
  }

  long acknowledged() {
    return acknowledged;
  }

  /** One random step. */
  void step(UpdateLog log, CrashableByteStore store) throws IOException, InterruptedException {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> commit(log);
      case 3 -> apply(log, store, anyReplica());
      case 4 -> keep(log, anySlot());
      case 5 -> log.truncate();
      case 6 -> dropSometimes(log);
      case 7 -> log.seal();
      default -> change(log, store);
    }
    acknowledged = Math.max(acknowledged, log.durableSequence());
  }

  private void commit(UpdateLog log) throws IOException {
    log.commitGroup();
    acknowledged = Math.max(acknowledged, log.durableSequence());
  }

  private ReplicaKey anyReplica() {
    return replica(random.nextInt(REPLICAS));
  }

  private SlotKey anySlot() {
    return new SlotKey(anyReplica(), random.nextInt(STRIPES));
  }

  void change(UpdateLog log, CrashableByteStore store) throws IOException, InterruptedException {
    ChangeBounds bounds = new ChangeBounds(512 + 2 * CELL_BYTES, CELL_BYTES);
    for (int tries = 0; !log.hasRoom(bounds); tries++) {
      assertThat(tries).as("a full log gets room").isLessThan(6);
      makeRoom(log, store);
    }
    SlotKey slot = anySlot();
    LogRecord record = anyRecord();
    try (LogRoom room = log.reserve(bounds)) {
      long sequence = log.append(room, slot, record);
      history.put(sequence, new Event(slot.replica(), slot, record));
      appended = sequence;
    }
  }

  /** What an engine does when the log is full: everything. */
  void makeRoom(UpdateLog log, CrashableByteStore store) throws IOException {
    UnfoldedReplicas holdouts = log.holdouts(STORE_BYTES);
    for (ReplicaKey replica : holdouts.toApply()) {
      apply(log, store, replica);
    }
    for (SlotKey slot : holdouts.toKeep()) {
      if (random.nextInt(4) > 0) {
        home(log, slot);
      } else {
        keep(log, slot);
      }
    }
    log.truncate();
  }

  private LogRecord anyRecord() {
    Tid tid = new Tid(random.nextInt(3), ++tids, 1);
    int length = 1 + random.nextInt(CELL_BYTES);
    Patch patch = new Patch(random.nextInt(CELL_BYTES - length + 1), bytes(length));
    List<Tid> some = List.of(new Tid(random.nextInt(3), Math.max(1, tids - random.nextInt(9)), 1));
    return switch (random.nextInt(12)) {
      case 0 -> new LogRecord.Locked();
      case 1 -> new LogRecord.Unlocked();
      case 2 -> new LogRecord.Retired(some);
      case 3 -> new LogRecord.Discarded(some);
      case 4 -> new LogRecord.Finalized(tids, random.nextBoolean());
      case 5 -> new LogRecord.Reconstructed(Set.of(0, 2, 3), bytes(CELL_BYTES), tids);
      case 6, 7, 8 -> new LogRecord.Added(patch, List.of(tid));
      default -> new LogRecord.Swapped(patch, new SwapReceipt(tid, bytes(length), tids, null));
    };
  }

  private Bytes bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  /** Folds all durable changes of a replica, writes them to its file, perhaps not to the end. */
  private void apply(UpdateLog log, CrashableByteStore store, ReplicaKey replica)
      throws IOException {
    commit(log);
    if (!log.holdouts(STORE_BYTES).toApply().contains(replica)) {
      return;
    }
    List<Long> changes = unfolded(replica);
    long upTo = changes.get(changes.size() - 1);
    List<Patch> patches = patches(replica, upTo);
    long last = log.fold(replica, upTo, patches); // whose room is always there
    byte[] file = file(replica);
    if (random.nextInt(8) == 0) {
      log.seal();
    }
    commit(log);
    assertThat(log.durableSequence()).isGreaterThanOrEqualTo(last);
    int written =
        random.nextInt(100) < fileCrashPercent
            ? random.nextInt(patches.size() + 1)
            : patches.size();
    patches.subList(0, written).forEach(patch -> write(file, patch));
    if (written < patches.size()) {
      store.crash();
      throw new StoreCrashedException("in the middle of a file");
    }
    log.applied(replica, upTo);
    foldedUpTo.put(replica, upTo);
  }

  /** Changes of a replica since its last fold that was applied, oldest first. */
  private List<Long> unfolded(ReplicaKey replica) {
    return history.tailMap(foldedUpTo.getOrDefault(replica, 0L), false).entrySet().stream()
        .filter(each -> each.getValue().replica().equals(replica))
        .filter(each -> each.getValue().slot() != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Chunks that changes since the last fold have touched. */
  private List<Patch> patches(ReplicaKey replica, long upTo) {
    byte[] content = content(replica, upTo);
    List<Long> changes = unfolded(replica);
    List<Patch> patches = new ArrayList<>();
    for (int at = 0; at < content.length; at += 64) {
      int from = at;
      if (changes.stream()
          .anyMatch(change -> change <= upTo && touches(history.get(change), from))) {
        patches.add(new Patch(at, Bytes.wrap(Arrays.copyOfRange(content, at, at + 64))));
      }
    }
    return patches;
  }

  private static boolean touches(Event event, int chunkAt) {
    if (event.record() == null
        || event.slot() == null
        || LogIndex.changedBytes(event.record()) == 0) {
      return false;
    }
    BlockChange bytes =
        Recovered.overlayRecord(
            new Recovered.Change(1, event.slot(), event.record()), CELL_BYTES, 1);
    return bytes.offset() < chunkAt + 64 && bytes.end() > chunkAt;
  }

  private void keep(UpdateLog log, SlotKey slot) throws IOException {
    if (random.nextBoolean()) {
      home(log, slot);
      return;
    }
    try {
      log.snapshot(slot, state(slot, appended));
    } catch (LogReserveException e) {
      home(log, slot); // what the message says
    }
  }

  private void home(UpdateLog log, SlotKey slot) throws IOException {
    commit(log);
    homes.put(slot, new Home(state(slot, appended), log.durableSequence()));
    log.homed(slot, log.durableSequence());
  }

  private void dropSometimes(UpdateLog log) throws IOException {
    if (random.nextInt(4) > 0) {
      return;
    }
    ReplicaKey replica = anyReplica();
    long sequence = log.dropped(replica); // whose room is always there
    if (sequence > 0) {
      history.put(sequence, new Event(replica, null, null));
      appended = sequence;
      commit(log);
    } else {
      commit(log);
      history.values().removeIf(event -> event.replica().equals(replica));
    }
    removeFile(replica, appended);
  }

  private void removeFile(ReplicaKey replica, long sequence) {
    files.remove(replica);
    fileMadeAfter.put(replica, sequence);
    foldedUpTo.put(replica, sequence);
    homes.keySet().removeIf(slot -> slot.replica().equals(replica));
  }

  private byte[] file(ReplicaKey replica) {
    return files.computeIfAbsent(replica, key -> new byte[STRIPES * CELL_BYTES]);
  }

  private static void write(byte[] file, Patch patch) {
    System.arraycopy(patch.bytes().toArray(), 0, file, patch.offset(), patch.bytes().length());
  }

  // The twin.

  private List<LogRecord> records(SlotKey slot, long upTo) {
    List<LogRecord> records = new ArrayList<>();
    for (Event event : history.headMap(upTo, true).values()) {
      if (event.replica().equals(slot.replica()) && event.slot() == null) {
        records.clear();
      } else if (slot.equals(event.slot()) && event.record() != null) {
        records.add(event.record());
      }
    }
    return records;
  }

  private DurableSlot state(SlotKey slot, long upTo) {
    return DurableSlot.untouched().after(records(slot, upTo));
  }

  private byte[] content(ReplicaKey replica, long upTo) {
    byte[] content = new byte[STRIPES * CELL_BYTES];
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      SlotKey slot = new SlotKey(replica, stripe);
      for (LogRecord record : records(slot, upTo)) {
        if (LogIndex.changedBytes(record) > 0) {
          put(
              content,
              Recovered.overlayRecord(new Recovered.Change(1, slot, record), CELL_BYTES, 1));
        }
      }
    }
    return content;
  }

  private static void put(byte[] content, BlockChange record) {
    for (int i = 0; i < record.bytes().length; i++) {
      byte old = record instanceof BlockChange.Delta ? content[record.offset() + i] : 0;
      content[record.offset() + i] = (byte) (old ^ record.bytes()[i]);
    }
  }

  /** Opens what a crash has left, and compares. */
  UpdateLog recover(ByteStore store) throws IOException {
    UpdateLog.Opened opened = UpdateLog.open(store, OWNER, OPTIONS);
    long last = opened.log().durableSequence();
    assertThat(last).as("what was acknowledged is there").isGreaterThanOrEqualTo(acknowledged);
    history.tailMap(last, false).clear();
    appended = last;
    history.forEach(
        (sequence, event) -> {
          if (event.slot() == null && fileMadeAfter.getOrDefault(event.replica(), 0L) < sequence) {
            removeFile(event.replica(), sequence);
          }
        });
    opened.recovered().replicas().values().stream()
        .flatMap(replica -> replica.changes().stream())
        .forEach(
            change ->
                assertThat(new Event(change.slot().replica(), change.slot(), change.record()))
                    .as("nothing is invented")
                    .isEqualTo(history.get(change.sequence())));
    for (int number = 0; number < REPLICAS; number++) {
      check(opened, replica(number), last);
    }
    acknowledged = last;
    return opened.log();
  }

  private void check(UpdateLog.Opened opened, ReplicaKey key, long last) {
    Recovered.Replica found = opened.recovered().replicas().get(key);
    Map<SlotKey, Recovered.Slot> slots = found == null ? Map.of() : found.slots();
    byte[] content = file(key).clone();
    if (found != null) {
      Recovered.Fold fold = found.fold();
      if (fold != null) {
        fold.patches().forEach(patch -> write(file(key), patch));
        content = file(key).clone();
        opened.log().applied(key, fold.upTo());
        foldedUpTo.put(key, fold.upTo());
      }
      for (Recovered.Pending pending : found.overlay(CELL_BYTES)) {
        put(content, pending.record());
      }
    }
    assertThat(content).as("bytes of " + key).isEqualTo(content(key, last));
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      SlotKey slot = new SlotKey(key, stripe);
      Home home = homes.getOrDefault(slot, new Home(DurableSlot.untouched(), 0));
      Recovered.Slot logged = slots.get(slot);
      DurableSlot state = logged == null ? home.state() : logged.durable(home.state(), home.upTo());
      assertThat(state).as("state of " + slot).isEqualTo(state(slot, last));
    }
  }
}
