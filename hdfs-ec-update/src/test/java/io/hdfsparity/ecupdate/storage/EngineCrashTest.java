/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.StoreCrashedException;
import java.io.IOException;
import java.io.SyncFailedException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The disk, with log, replicas, states and reserved space, is cut at every write and force of a
 * run, as by a crash of the machine or by a kill of the process; then again in the next lives, and
 * in the middle of opening. Some lives end by an error in the middle of a request. See {@link
 * EngineModel} for what holds.
 */
class EngineCrashTest {
  private static final int LIVES = 4;
  private static final long NEVER = Long.MAX_VALUE / 2;

  @Test
  void scriptedRunsSurviveACutAtEveryChange() throws Exception {
    cutEverywhere(3, 60);
  }

  @Test
  void randomRunsSurviveCutsAnywhere() {
    SeededRuns.of(60)
        .check(random -> run(random.nextLong(), 1 + random.nextInt(250), 120, random.nextLong()));
  }

  @Test
  @Tag("full")
  void manyRandomRunsSurviveACutAtEveryChange() {
    SeededRuns.of(10).check(random -> cutEverywhere(random.nextLong(), 120));
  }

  @Test
  void aRunFillsTheLogAndTheOverlay() throws Exception {
    EngineModel model = new EngineModel(new Random(1));
    TestDisk disk = model.disk(new Random(1));
    BlockEngine engine = model.recover(disk);
    for (int life = 0; life < 5; life++) {
      for (int i = 0; i < 100; i++) {
        model.step(engine, disk);
      }
      model.fill(engine, 1000);
    }
    assertThat(model.fullWaits()).isGreaterThan(10);
    engine.close();
    model.recover(disk).close();
  }

  private static void cutEverywhere(long seed, int steps) throws Exception {
    long cut = 1;
    while (run(seed, cut, steps, seed ^ cut)) {
      cut++;
    }
    assertThat(cut).as("changes of the run").isGreaterThan(steps / 4);
  }

  /** Some lives of an engine, the first one cut at a given place; false if it was over before. */
  private static boolean run(long seed, long cut, int steps, long crashSeed) throws Exception {
    EngineModel model = new EngineModel(new Random(seed));
    Random crashes = new Random(crashSeed);
    TestDisk disk = model.disk(crashes);
    stopAtChange(disk, cut, crashes);
    boolean isCut = false;
    for (int life = 0; life < LIVES; life++) {
      String where = "seed=" + seed + " cut=" + cut + " crashSeed=" + crashSeed + " life=" + life;
      model.hasErrors(life > 0); // or the first one might be over before it is cut
      try {
        BlockEngine engine = model.recover(disk);
        for (int i = 0; i < steps; i++) {
          model.step(engine, disk);
        }
        engine.close();
      } catch (IOException | RuntimeException | AssertionError e) {
        if (!isOfCrash(e)) {
          throw new AssertionError(where, e);
        }
      }
      isCut |= life == 0 && (disk.isDown() || disk.store().hasSyncFailed());
      if (!disk.isDown() && crashes.nextInt(3) > 0) {
        disk.store().crash();
      }
      disk.kill();
      disk = disk.reopen();
      disk.store().failSyncFrom(NEVER);
      if (life < LIVES - 2) {
        stopAtChange(disk, 1 + crashes.nextInt(60), crashes);
      }
    }
    return isCut;
  }

  private static void stopAtChange(TestDisk disk, long n, Random crashes) {
    switch (crashes.nextInt(4)) {
      case 0 -> disk.stopAtChange(n, true);
      case 1 -> disk.store().failSyncFrom(n);
      default -> disk.stopAtChange(n, false);
    }
  }

  private static boolean isOfCrash(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StoreCrashedException
          || cause instanceof SyncFailedException
          || cause instanceof TestDisk.InjectedError) {
        return true;
      }
    }
    return false;
  }
}
