/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@link AdoptionSoak}. */
@Tag("full")
class RaidpAdoptionCrashTest {
  @Test
  void killedAdoptionLosesNothing(@TempDir Path dir) throws Exception {
    long seed = Long.getLong("seed", SeededRuns.isFresh() ? System.nanoTime() : 0);
    System.out.println("adoption: -Dseed=" + seed);
    try (AdoptionCrashes adoption = new AdoptionCrashes(dir, seed)) {
      adoption.round(AdoptionCrashes.Blow.ALL, AdoptionCrashes.Moment.DELETED, false);
      adoption.round(AdoptionCrashes.Blow.DATA_NODE, AdoptionCrashes.Moment.ANY, true);
      adoption.loseTwoDisks();
      System.out.println("adoption: " + adoption.describe());
      assertThat(adoption.steps()).as("adoption had begun").isNotEmpty();
    }
  }
}
