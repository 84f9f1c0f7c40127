/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a full log has promised fits: folds and drops always find their room. */
@Timeout(600)
class LogRoomTest {
  private static final UpdateLogOptions OPTIONS = new UpdateLogOptions(16384, 0, 64);
  private static final int RING_BYTES = 65536;

  private static UpdateLog open() throws IOException {
    CrashableByteStore store = CrashableByteStore.ofSize(LogHead.RING_OFFSET + RING_BYTES, 1);
    UpdateLog.format(store, "DS-1", 5);
    return UpdateLog.open(store, "DS-1", OPTIONS).log();
  }

  private static ChangeBounds bounds(int lengthBytes) {
    return new ChangeBounds(100 + lengthBytes, lengthBytes);
  }

  private static long append(UpdateLog log, SlotKey slot, int lengthBytes)
      throws IOException, InterruptedException {
    Patch delta = new Patch(0, Bytes.zeros(lengthBytes));
    try (LogRoom room = log.reserve(bounds(lengthBytes))) {
      return log.append(room, slot, new LogRecord.Added(delta, List.of(new Tid(1, 1, 0))));
    }
  }

  /** Cells as large as records may be: the padding at the end of the ring is as long as they. */
  @Test
  void aLogFullOfLargeChangesGetsEmptyAgain() {
    SeededRuns.of(100).check(LogRoomTest::fillAndEmpty);
  }

  private static void fillAndEmpty(Random random) throws Exception {
    UpdateLog log = open();
    SlotKey slot = new SlotKey(LogModel.replica(0), 0);
    for (int round = 0; round < 20; round++) {
      List<Integer> lengths = new ArrayList<>();
      long upTo = 0;
      int next = 64 * (1 + random.nextInt(240));
      while (log.hasRoom(bounds(next))) {
        upTo = append(log, slot, next);
        lengths.add(next);
        next = 64 * (1 + random.nextInt(240));
      }
      log.commitGroup();
      List<Patch> patches = new ArrayList<>();
      for (int i = 0; i < lengths.size(); i++) {
        // As much as was kept for it: a chunk more than was changed.
        patches.add(new Patch(i * 16384, Bytes.zeros(lengths.get(i) + 64)));
      }
      log.fold(slot.replica(), upTo, patches);
      log.commitGroup();
      log.applied(slot.replica(), upTo);
      log.homed(slot, upTo);
      log.truncate();
    }
  }

  @Test
  void everyReplicaInAFullLogCanBeDropped() throws Exception {
    UpdateLog log = open();
    int replicas = 0;
    while (log.hasRoom(bounds(64))) {
      append(log, new SlotKey(LogModel.replica(replicas), 0), 64);
      replicas++;
    }
    log.commitGroup();
    assertThat(replicas).isGreaterThan(5);
    for (int number = 0; number < replicas; number++) {
      assertThat(log.dropped(LogModel.replica(number))).isPositive();
    }
    log.commitGroup();
    log.truncate();
    assertThat(log.usedBytes()).isZero();
  }

  @Test
  void whatAFullLogDoesNotKnowIsDroppedWithoutARecord() throws Exception {
    UpdateLog log = open();
    SlotKey slot = new SlotKey(LogModel.replica(0), 0);
    long upTo = append(log, slot, 64); // keeps the head where it is
    long last = 1;
    for (int number = 1; number < 1000; number++) {
      last = log.dropped(LogModel.replica(number));
    }
    assertThat(last).isZero();
    log.commitGroup();
    log.fold(slot.replica(), upTo, List.of(new Patch(0, Bytes.zeros(64))));
    log.commitGroup();
    log.applied(slot.replica(), upTo);
    log.homed(slot, upTo);
    log.truncate();
    assertThat(log.usedBytes()).isZero();
  }

  @Test
  void whoAdoptsWaitsInTheQueue() throws Exception {
    UpdateLog log = open();
    SlotKey slot = new SlotKey(LogModel.replica(0), 0);
    long upTo = 0;
    while (log.hasRoom(bounds(1024))) {
      upTo = append(log, slot, 1024);
    }
    log.commitGroup();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      TreeMap<Long, Integer> found = new TreeMap<>();
      found.put(1L, 8192);
      found.put(2L, 8192);
      Future<?> adopting =
          pool.submit(
              () -> {
                log.adoptMoved(LogModel.replica(1), found);
                return null;
              });
      await().until(() -> log.waitingForRoom() == 1);
      log.fold(slot.replica(), upTo, List.of(new Patch(0, Bytes.zeros(1024))));
      log.commitGroup();
      log.applied(slot.replica(), upTo);
      log.homed(slot, upTo);
      log.truncate();
      adopting.get(120, TimeUnit.SECONDS);
      assertThat(log.waitingForRoom()).isZero();
    } finally {
      pool.shutdownNow();
    }
  }
}
