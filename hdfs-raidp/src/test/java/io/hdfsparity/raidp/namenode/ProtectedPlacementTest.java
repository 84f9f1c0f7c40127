/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.WhenFull;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProtectedPlacementTest {
  private static final int UNIT = 10;
  private static final long LEASE_MS = 1_000;

  private final DiskWorld world = new DiskWorld();
  private final Grants grants = new Grants(LEASE_MS);
  private final NodeRoster roster = new NodeRoster(Map.of("nA", "1", "nB", "2"), nodes -> {});
  private long nowMs;
  private final PlacementChooser chooser =
      new PlacementChooser(
          world::view, grants, roster, () -> true, UNIT, 100, () -> nowMs, () -> new Random(1));
  private final ProtectedPlacement placement =
      new ProtectedPlacement(
          chooser,
          world::view,
          grants,
          new ManagerOptions.Placement(UNIT, 100, LEASE_MS, WhenFull.PLAIN),
          path -> path.startsWith("/marked/"),
          () -> nowMs);

  private void free(int units) {
    world.view().frames().all().forEach(frame -> grants.report(frame.ref(), 1, units, 0, nowMs));
  }

  private long chosen() throws Exception {
    List<Target> targets =
        placement.chooseNew(
            "/marked/f", 2, Optional.empty(), List.of(), Set.of(), 100, (s, n, bytes) -> true);
    return world
        .view()
        .superchunkOfPair(targets.get(0).storageId(), targets.get(1).storageId())
        .orElseThrow()
        .id();
  }

  @Test
  void pathsSayWhatIsProtected() throws Exception {
    assertThat(placement.isProtected("/marked/f")).isTrue();
    assertThat(placement.isProtected("/f")).isFalse();
    assertThat(placement.isPlainWhenFull()).isTrue();
    assertThat(placement.leavesToHdfs("nA")).isFalse();
    assertThat(placement.leavesToHdfs("nD")).isTrue();
  }

  @Test
  void roomThatWasGrantedWhenTheBlockWasPlacedIsNotGrantedAgain() throws Exception {
    free(10);
    SuperchunkView superchunk = world.superchunk(chosen());
    assertThat(grants.openGrants()).isEqualTo(2);
    assertThat(placement.takeRoom(superchunk, 100)).isTrue();
    assertThat(grants.openGrants()).isEqualTo(2);
    assertThat(placement.takeRoom(superchunk, 100)).as("HDFS has placed it").isFalse();
  }

  @Test
  void roomForABlockThatHdfsHasPlacedIsGranted() {
    free(15);
    assertThat(placement.takeRoom(world.superchunk(AB), 100)).isTrue();
    assertThat(grants.openGrants()).isEqualTo(2);
    assertThat(placement.takeRoom(world.superchunk(AB), 100)).isFalse();
    assertThat(placement.takeRoom(world.superchunk(AB), 50)).isTrue();
    assertThat(placement.takeRoom(world.superchunk(AC), 101)).as("too large").isFalse();
  }

  @Test
  void aPromiseEndsWithItsGrant() throws Exception {
    free(10);
    SuperchunkView superchunk = world.superchunk(chosen());
    free(0);
    nowMs = LEASE_MS + 1;
    assertThat(placement.takeRoom(superchunk, 100)).isFalse();
  }

  @Test
  void filesAndSurplusBlocksWaitInBounds() {
    for (long id = 0; id < 150_000; id++) {
      placement.fileAsksForMore(id);
      placement.fileAsksForMore(id);
      placement.excessUndecided(id, List.of("A"));
    }
    assertThat(placement.filesToLower().size()).isEqualTo(FilesToLower.MAX_FILES);
    assertThat(placement.filesToLower().take(3)).containsExactly(0L, 1L, 2L);
    assertThat(placement.filesToLower().take(1)).containsExactly(3L);
    assertThat(placement.excess().size()).isEqualTo(150_000);
    assertThat(placement.excess().next(2))
        .extracting(each -> each.blockId())
        .as("of the oldest ones only the ids are kept")
        .containsExactly(50_000L, 50_001L);
    assertThat(placement.excess().next(2))
        .extracting(each -> each.blockId())
        .containsExactly(50_002L, 50_003L);
  }
}
