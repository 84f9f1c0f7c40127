/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A disk without room: nothing that was acknowledged is lost, who has to wait learns why, and all
 * goes on when there is room. Log and block files have their room from the beginning; what needs
 * more is reserved space and the state of slots.
 */
@Timeout(60)
class FullDiskTest {
  private static final String FULL = TestDisk.NO_ROOM;

  private TestDisk disk;
  private BlockEngine engine;
  private EngineThreads threads;
  private long tids;

  private void open(String scheme) throws Exception {
    disk = TwoReplicas.disk(scheme, new Random(1));
    start();
  }

  private void start() throws Exception {
    engine = disk.openEngine();
    threads = EngineThreads.start(engine, "full", e -> {});
  }

  @AfterEach
  void stop() throws Exception {
    threads.close();
  }

  private void fill(String call) {
    disk.hook(
        each -> {
          if (each.equals(call)) {
            throw new IOException(FULL);
          }
        });
  }

  private void update(ReplicaKey replica, int value) throws Exception {
    SlotKey slot = new SlotKey(replica, 0);
    Tid tid = new Tid(1, ++tids, 0);
    Request request =
        replica.equals(DATA)
            ? new Request.Swap(patch(0, value), tid)
            : new Request.Add(patch(0, value), Request.Scaling.BY_CLIENT, tid, null, 0);
    engine.handle(slot, request).get(30, TimeUnit.SECONDS);
    engine.handle(slot, new Request.GcRecent(List.of(tid))).get(30, TimeUnit.SECONDS);
    engine.handle(slot, new Request.GcOld(List.of(tid))).get(30, TimeUnit.SECONDS);
  }

  private int read(ReplicaKey key) throws Exception {
    return TwoReplicas.read(engine, key, 0);
  }

  @Test
  void withoutRoomForReservedSpaceDeltasGoToTheFile() throws Exception {
    open("PLR");
    fill("reserve");
    int sum = 0;
    for (int i = 1; i <= 600; i++) {
      update(PARITY, i % 100);
      sum ^= i % 100;
    }
    assertThat(read(PARITY)).isEqualTo(sum);
    assertThat(engine.status(PARITY).reservedBytes()).isZero();
    disk.hook(call -> {});
    for (int i = 0; i < 600 && engine.status(PARITY).reservedBytes() == 0; i++) {
      update(PARITY, 1);
      sum ^= 1;
      engine.drainAll();
    }
    assertThat(engine.status(PARITY).reservedBytes()).as("there is room again").isPositive();
    assertThat(read(PARITY)).isEqualTo(sum);
    threads.close();
    start();
    assertThat(read(PARITY)).isEqualTo(sum);
  }

  @Test
  void whenSlotsCannotBeKeptTheLogFillsAndWhoWaitsIsTold() throws Exception {
    open("FL");
    fill("writeState");
    int[] acked = {0};
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 5000; i++) {
                int value = 1 + i % 100;
                update(DATA, value);
                acked[0] = value;
              }
            })
        .hasMessageContaining("room in the update log")
        .hasMessageContaining(FULL)
        .hasMessageContaining("make room on the disk");
    assertThat(acked[0]).isPositive();
    assertThatThrownBy(() -> engine.convert(DATA, "FO"))
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining(FULL);
    assertThat(engine.status(DATA).scheme()).isEqualTo("FL");
    assertThat(engine.hasFailed()).isFalse();
    // The swap of an update may have been made that was refused behind it.
    assertThat(read(DATA)).isIn(acked[0], acked[0] % 100 + 1);
    disk.hook(call -> {});
    for (int i = 0; i < 1000; i++) {
      update(DATA, 5);
    }
    assertThat(read(DATA)).isEqualTo(5);
    threads.close();
    start();
    assertThat(read(DATA)).isEqualTo(5);
  }

  @Test
  void aPeriodEndsThoughTheStateCannotBeNoted() throws Exception {
    open("PLR");
    for (int i = 1; i <= 9; i++) {
      update(PARITY, i);
    }
    engine.drainAll();
    assertThat(engine.status(PARITY).reservedBytes()).isPositive();
    fill("writeState");
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_ONLY);
    assertThat(engine.hasFailed()).isFalse();
    update(PARITY, 16);
    engine.drainAll();
    assertThat(read(PARITY)).isEqualTo(1 ^ 16);
    disk.kill();
    closeKilled();
    disk = disk.reopen();
    start();
    assertThat(read(PARITY)).isEqualTo(1 ^ 16);
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    assertThat(read(PARITY)).isEqualTo(1 ^ 16);
  }

  /** Deltas in an area that the state does not name would be lost at the next start. */
  @Test
  void spaceThatTheStateCannotNameIsNotUsed() throws Exception {
    open("PLR");
    fill("writeState");
    int sum = 0;
    for (int i = 1; i <= 50; i++) {
      update(PARITY, i);
      engine.drainAll();
      sum ^= i;
    }
    assertThat(engine.hasFailed()).isFalse();
    assertThat(engine.status(PARITY).reservedBytes()).isZero();
    assertThat(read(PARITY)).isEqualTo(sum);
    disk.kill();
    closeKilled();
    disk = disk.reopen();
    start();
    assertThat(read(PARITY)).isEqualTo(sum);
    update(PARITY, 64);
    engine.drainAll();
    assertThat(engine.status(PARITY).reservedBytes()).as("there is room again").isPositive();
    assertThat(read(PARITY)).isEqualTo(sum ^ 64);
  }

  private void closeKilled() throws Exception {
    try {
      threads.close();
    } catch (IOException e) {
      assertThat(disk.isDown()).as(String.valueOf(e)).isTrue();
    }
  }

  /** It is refused alone: nothing of it is seen, and the next copy may be taken. */
  @Test
  void aCopyThatCannotBeNotedIsRefusedAndTheOthersAreServed() throws Exception {
    open("FL");
    update(DATA, 3);
    fill("writeState");
    assertThatThrownBy(() -> engine.arrived(PARITY))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining(FULL)
        .hasMessageContaining("make room on the disk");
    assertThat(engine.hasFailed()).isFalse();
    update(DATA, 5);
    assertThat(read(DATA)).isEqualTo(5);
    assertThatThrownBy(() -> read(PARITY)).hasMessageContaining("make room on the disk");
    disk.hook(call -> {});
    engine.arrived(PARITY);
    assertThatThrownBy(() -> read(PARITY)).hasMessageContaining("opMode=INIT");
    threads.close();
    start();
    assertThatThrownBy(() -> read(PARITY)).hasMessageContaining("opMode=INIT");
    assertThat(read(DATA)).isEqualTo(5);
  }

  /** A machine that goes down while its disk is full has lost nothing. */
  @Test
  void whatWasAcknowledgedOutlivesACrashOfAFullDisk() throws Exception {
    open("PLR");
    disk.hook(
        call -> {
          if (call.equals("reserve") || call.equals("writeState")) {
            throw new IOException(FULL);
          }
        });
    int sum = 0;
    for (int i = 1; i <= 8; i++) {
      update(PARITY, i);
      update(DATA, i);
      sum ^= i;
    }
    disk.kill();
    closeKilled();
    disk = disk.reopen();
    start();
    assertThat(read(PARITY)).isEqualTo(sum);
    assertThat(read(DATA)).isEqualTo(8);
  }
}
