/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process whose files cannot be opened at any moment, and can at the next: a call is refused or
 * does its work, the engine never stops, and what was acknowledged is there, after a kill as well.
 */
@Timeout(300)
class ShortOfDescriptorsTest {
  private static final int RUNS = 120;
  private static final int CALLS = 60;
  private static final List<String> OPENING =
      List.of("read", "prepareWrite", "prepareArea", "open", "writeState", "reserve");

  private int refusals;

  @Test
  void nothingIsLostAndTheEngineNeverStops() throws Exception {
    SeededRuns.of(RUNS).check(this::run);
    assertThat(refusals).as("calls that were refused").isGreaterThan(RUNS);
  }

  private void run(Random random) throws Exception {
    String scheme = List.of("FO", "FL", "PL", "PLR").get(random.nextInt(4));
    TestDisk disk = TwoReplicas.disk(scheme, random);
    for (int life = 0; life < 2; life++) {
      BlockEngine engine = disk.openEngine();
      int[] twin = {engineRead(engine, DATA), engineRead(engine, PARITY)};
      disk.hook(
          call -> {
            if (OPENING.contains(call) && random.nextInt(3) == 0) {
              throw new IOException(TestDisk.NO_DESCRIPTOR);
            }
          });
      for (int i = 0; i < CALLS; i++) {
        step(engine, random, twin, life * CALLS + i + 1);
        assertThat(disk.prepared()).as("what is left open").isEmpty();
      }
      assertThat(engine.hasFailed()).isFalse();
      disk.hook(call -> {});
      assertThat(engineRead(engine, DATA)).isEqualTo(twin[0]);
      assertThat(engineRead(engine, PARITY)).isEqualTo(twin[1]);
      if (random.nextBoolean()) {
        engine.drainAll();
        engine.merge(DATA);
        engine.merge(PARITY);
        assertThat(engine.log().holdouts(Long.MAX_VALUE / 2).toApply()).isEmpty();
      }
      disk.kill();
      disk = disk.reopen();
      BlockEngine again = disk.openEngine();
      assertThat(engineRead(again, DATA)).isEqualTo(twin[0]);
      assertThat(engineRead(again, PARITY)).isEqualTo(twin[1]);
      disk.kill();
      disk = disk.reopen();
    }
  }

  private static int engineRead(BlockEngine engine, ReplicaKey key) throws Exception {
    return TwoReplicas.read(engine, key, 0);
  }

  private void step(BlockEngine engine, Random random, int[] twin, int number) throws Exception {
    int value = 1 + random.nextInt(100);
    Tid tid = new Tid(1, number, 0);
    try {
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          ask(engine, DATA, new Request.Swap(TwoReplicas.patch(0, value), tid), tid);
          twin[0] = value;
        }
        case 2, 3 -> {
          Request add =
              new Request.Add(TwoReplicas.patch(0, value), Request.Scaling.BY_CLIENT, tid, null, 0);
          ask(engine, PARITY, add, tid);
          twin[1] ^= value;
        }
        case 4 -> engine.drainAll();
        case 5 -> engine.merge(random.nextBoolean() ? DATA : PARITY);
        case 6 -> {
          engine.makeRoom();
          engine.rest();
        }
        default ->
            engine.endPeriod(
                PARITY,
                random.nextBoolean() ? ShrinkMode.SHRINK_AND_MERGE : ShrinkMode.SHRINK_ONLY);
      }
    } catch (EngineFailedException e) {
      throw new AssertionError("the engine has stopped", e);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining(TestDisk.NO_DESCRIPTOR);
      refusals++;
    }
  }

  /** Tids are collected, so that the log can forget them. */
  private static void ask(BlockEngine engine, ReplicaKey key, Request change, Tid tid)
      throws Exception {
    SlotKey slot = new SlotKey(key, 0);
    for (Request request :
        List.of(change, new Request.GcRecent(List.of(tid)), new Request.GcOld(List.of(tid)))) {
      while (engine.wouldWait(slot, request)) {
        engine.drainAll(); // nobody else makes room
        engine.makeRoom();
      }
      TwoReplicas.ask(engine, slot, request);
    }
  }
}
