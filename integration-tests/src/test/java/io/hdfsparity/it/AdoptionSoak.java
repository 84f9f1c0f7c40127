/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.check.SeededRuns;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adoption is hit at its steps and at random instants, again and again: a DataNode, the NameNode or
 * all processes are killed with -9, or an Lstor fails. {@code -Dsoak.adoption.minutes=N} chooses
 * how long; every so many rounds two disks die, and another cluster is begun.
 */
@Tag("soak")
@Timeout(24 * 3600)
class AdoptionSoak {
  private static final int MINUTES = Integer.getInteger("soak.adoption.minutes", 20);
  private static final int ROUNDS = 25;

  @Test
  void killedAdoptionLosesNothing(@TempDir Path dir) throws Exception {
    long seed = Long.getLong("seed", SeededRuns.isFresh() ? System.nanoTime() : 0);
    Random random = new Random(seed);
    long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    int rounds = 0;
    for (int number = 0; System.nanoTime() < endNanos; number++) {
      System.out.println("adoption: -Dseed=" + seed + " cluster=" + number);
      Path folder = dir.resolve("cluster-" + number);
      try (AdoptionCrashes adoption = new AdoptionCrashes(folder, seed + number)) {
        for (int i = 0; i < ROUNDS && System.nanoTime() < endNanos; i++, rounds++) {
          AdoptionCrashes.Blow blow = choose(random, AdoptionCrashes.Blow.values());
          AdoptionCrashes.Moment moment = choose(random, AdoptionCrashes.Moment.values());
          boolean isLoaded = random.nextBoolean();
          System.out.printf(
              "adoption: round=%d blow=%s moment=%s loaded=%s%n", rounds, blow, moment, isLoaded);
          adoption.round(blow, moment, isLoaded);
        }
        adoption.loseTwoDisks();
        System.out.println("adoption: rounds=" + rounds + " " + adoption.describe());
      }
    }
  }

  private static <T> T choose(Random random, T[] all) {
    return all[random.nextInt(all.length)];
  }
}
