/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.ReleaseCluster.Raising;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which frames are asked to release rows, and when. */
class ReleaseCallsTest {
  private final DiskWorld world = new DiskWorld();
  private final List<String> orders = new ArrayList<>();
  private boolean isActive = true;
  private final ReleaseCalls calls =
      new ReleaseCalls(
          world.map,
          world,
          (peer, storageId, superchunk, stamps, isDue) -> {
            orders.add(storageId + " " + superchunk + " " + stamps + " " + isDue.getAsBoolean());
            isActive = false;
            orders.add("standby " + isDue.getAsBoolean());
            return List.of();
          },
          (inodeId, replication) -> Raising.ENOUGH,
          blockIds -> {},
          () -> isActive,
          () -> 0);

  private BlockRow row(String storageId) throws IOException {
    return calls.findRows(storageId, List.of(1L)).get(0);
  }

  /** B comes back after D has taken its place. */
  @Test
  void aFrameThatWasLeftBehindReleasesUnderItsOwnEpoch() throws Exception {
    world.write(1, AB, "A", "B");
    assertThat(calls.home(row("B"))).contains(new SharedSuperchunk(AB, 5, "A", "B"));
    world.pair(AB, 6, "A", 0, "D", 0);
    world.frames.get("B").put(0, new Pairing(AB, 5, "A", "nA", 2));
    world.report();
    assertThat(world.view().frames().superseded()).hasSize(1);
    SharedSuperchunk left = new SharedSuperchunk(AB, 5, "B", "A");
    assertThat(calls.home(row("B"))).contains(left);
    assertThat(calls.home(row("A"))).contains(new SharedSuperchunk(AB, 6, "A", "D"));
  }

  /** B has come back into the superchunk with another frame, and still has the one of before. */
  @Test
  void aRowIsReleasedUnderTheEpochOfItsFrame() throws Exception {
    world.write(1, AB, "A", "B");
    world.pair(AB, 7, "A", 0, "B", 2);
    world.report();
    assertThat(world.view().frames().superseded()).hasSize(1);
    assertThat(calls.home(row("B"))).contains(new SharedSuperchunk(AB, 5, "B", "A"));
    assertThat(calls.home(row("A"))).contains(new SharedSuperchunk(AB, 7, "A", "B"));
  }

  /** The superchunk went on after the rows were listed: they are listed again. */
  @Test
  void aRowOfAnEarlierEpochHasNoHome() throws Exception {
    world.write(1, AB, "A", "B");
    BlockRow before = row("A");
    world.pair(AB, 6, "A", 0, "D", 0);
    world.report();
    assertThat(calls.home(before)).isEmpty();
  }

  /** The DataNode was asked for a ticket in between. */
  @Test
  void anOrderIsDueWhileTheNameNodeIsActiveAndWhatItSawIsFresh() throws Exception {
    SharedSuperchunk superchunk = new SharedSuperchunk(AB, 5, "A", "B");
    calls.release("A", superchunk, Map.of(1L, 1001L), () -> true);
    assertThat(orders.get(0)).endsWith("{1=1001} true");
    assertThat(orders.get(1)).isEqualTo("standby false");
    isActive = true;
    calls.release("A", superchunk, Map.of(1L, 1001L), () -> false);
    assertThat(orders.get(2)).endsWith("{1=1001} false");
  }
}
