/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A force has failed, and the process was started again: it reads what no later force would write,
 * and relies on it. Then the machine crashes.
 */
class FailedForceTest {
  private static final SlotKey SLOT = new SlotKey(LogModel.replica(0), 0);

  private static UpdateLog open(CrashableByteStore store) throws IOException {
    return UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS).log();
  }

  private static void append(UpdateLog log, int number) throws Exception {
    LogRecord record =
        new LogRecord.Added(new Patch(0, Bytes.zeros(64)), List.of(new Tid(1, number, 0)));
    try (LogRoom room = log.reserve(new ChangeBounds(600, 64))) {
      log.append(room, SLOT, record);
    }
  }

  @Test
  void recordsThatCountAreWrittenAgain() throws Exception {
    CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 8, new Random(1));
    UpdateLog log = open(store);
    append(log, 1);
    log.commitGroup();
    append(log, 2);
    append(log, 3);
    store.failSyncFrom(1);
    assertThatThrownBy(log::commitGroup).isInstanceOf(LogFailedException.class);
    UpdateLog next = open(store);
    assertThat(next.durableSequence()).isEqualTo(3);
    append(next, 4);
    next.commitGroup();
    assertThat(open(store.crash().reopen()).durableSequence()).isEqualTo(4);
  }

  /**
   * Else the disk has an older copy there, whose records are overwritten, until the other copy is
   * replaced as well: wherever the machine crashes while that is done.
   */
  @Test
  void aHeadThatCountsIsWrittenAgain() {
    SeededRuns.of(20)
        .check(
            random -> {
              long cut = 1;
              while (isOpeningCut(cut, new Random(random.nextLong()))) {
                cut++;
              }
              assertThat(cut).as("changes of an opening").isGreaterThan(4);
            });
  }

  private static boolean isOpeningCut(long cut, Random random) throws Exception {
    CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 8, random);
    UpdateLog log = open(store);
    for (int round = 0; round < 3; round++) {
      log.homed(SLOT, log.durableSequence());
      log.truncate();
      fill(log);
    }
    long durable = log.durableSequence();
    store.failSyncFrom(1);
    assertThatThrownBy(log::seal).isInstanceOf(LogFailedException.class);
    store.cutAtChange(cut);
    boolean isCut = false;
    try {
      open(store);
    } catch (StoreCrashedException e) {
      isCut = true;
    }
    assertThat(open(store.crash().reopen()).durableSequence()).as("cut %d", cut).isEqualTo(durable);
    return isCut;
  }

  /** With one group, more than half of the ring. */
  private static void fill(UpdateLog log) throws Exception {
    ChangeBounds bounds = new ChangeBounds(600, 0);
    while (log.hasRoom(bounds)) {
      try (LogRoom room = log.reserve(bounds)) {
        log.append(room, SLOT, new LogRecord.Locked());
      }
    }
    log.commitGroup();
    assertThat(log.usedBytes()).isGreaterThan(log.sizeBytes() / 2);
  }
}
