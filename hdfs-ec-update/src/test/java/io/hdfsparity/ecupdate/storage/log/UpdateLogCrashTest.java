/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import java.io.IOException;
import java.io.SyncFailedException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The store is cut at every write and force of a run, with any part of what was not forced left, or
 * all of it, until the machine crashes, if only the process was killed, or ended because a force
 * had failed; then again in the next lives, and in the middle of opening. See {@link LogModel} for
 * what holds.
 */
class UpdateLogCrashTest {
  private static final byte[] FORMATTED = LogModel.formatted();
  private static final int LIVES = 4;
  private static final long NEVER = Long.MAX_VALUE / 2;

  @Test
  void scriptedRunSurvivesACutAtEveryChange() throws Exception {
    cutEverywhere(11, 60);
  }

  @Test
  void randomRunsSurviveCutsAnywhere() {
    SeededRuns.of(50)
        .check(
            random -> run(random.nextLong(), 1 + random.nextInt(150), 100, random.nextLong(), 10));
  }

  @Test
  @Tag("full")
  void manyRandomRunsSurviveACutAtEveryChange() {
    SeededRuns.of(20).check(random -> cutEverywhere(random.nextLong(), 150));
  }

  private static void cutEverywhere(long seed, int steps) throws Exception {
    long cut = 1;
    while (run(seed, cut, steps, seed ^ cut, 0)) {
      cut++;
    }
    assertThat(cut).as("changes of the run").isGreaterThan(steps / 4);
  }

  /** Some lives of a log, the first one cut at a given place; false if it was over before. */
  private static boolean run(long seed, long cut, int steps, long crashSeed, int fileCrashPercent)
      throws Exception {
    LogModel model = new LogModel(new Random(seed), fileCrashPercent);
    Random crashes = new Random(crashSeed);
    int atomBytes = crashes.nextBoolean() ? 8 : 512;
    CrashableByteStore store = CrashableByteStore.of(FORMATTED, atomBytes, crashes);
    boolean isCut = false;
    KillableStore process = new KillableStore(store);
    stopAtChange(process, store, cut, crashes);
    for (int life = 0; life < LIVES; life++) {
      String where = "seed=" + seed + " cut=" + cut + " crashSeed=" + crashSeed + " life=" + life;
      try {
        UpdateLog log = model.recover(process);
        for (int i = 0; i < steps; i++) {
          model.step(log, store);
        }
        log.close();
      } catch (StoreCrashedException | LogFailedException e) {
        assertThat(isDown(process, store)).as(where).isTrue();
      } catch (SyncFailedException e) {
        assertThat(store.hasSyncFailed()).as(where).isTrue(); // in the middle of opening
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(where, e);
      }
      isCut |= life == 0 && isDown(process, store);
      boolean isMachineUp = !store.isCrashed() && isDown(process, store);
      store = isMachineUp ? store : store.crash().reopen();
      process = new KillableStore(store);
      if (life < LIVES - 2) {
        stopAtChange(process, store, 1 + crashes.nextInt(40), crashes);
      } else {
        store.failSyncFrom(NEVER);
      }
    }
    return isCut;
  }

  private static boolean isDown(KillableStore process, CrashableByteStore machine) {
    return machine.isCrashed() || process.isKilled() || machine.hasSyncFailed();
  }

  private static void stopAtChange(
      KillableStore process, CrashableByteStore machine, long n, Random crashes) {
    machine.failSyncFrom(NEVER);
    switch (crashes.nextInt(4)) {
      case 0 -> process.killAtChange(n);
      case 1 -> machine.failSyncFrom(n);
      default -> machine.cutAtChange(n);
    }
  }
}
