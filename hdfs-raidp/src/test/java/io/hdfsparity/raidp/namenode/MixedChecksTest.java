/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Fsck and the sweeper where plain replicas lie beside those in superchunks. */
class MixedChecksTest {
  private final DiskWorld world = new DiskWorld();

  private void writePlain(long blockId, String... volumes) {
    world.blocks.put(blockId, new TreeSet<>(List.of(volumes)));
  }

  private FsckReport fsck() throws Exception {
    return new Fsck(world::view, world, world, () -> {}, new NodeScrubs(world, 3, () -> 0), Set::of)
        .run(new ScrubRequest(Optional.empty(), false, true));
  }

  private List<String> findings() throws Exception {
    return fsck().findings().stream()
        .map(f -> f.kind() + " " + f.blockId().orElse(-1) + " " + f.superchunkId().orElse(-1L))
        .toList();
  }

  @Test
  void plainBlocksAreCountedAndNothingIsWrongWithThem() throws Exception {
    world.write(1, AB, "A", "B");
    writePlain(2, "A", "B", "C");
    writePlain(3, "D", "A");
    world.write(4, AC, "A", "C");
    world.blocks.get(4L).add("B");
    writePlain(5, "B");
    world.putRow(5, AB, "B", SlotState.LIMBO);
    FsckReport report = fsck();
    assertThat(report.findings()).isEmpty();
    assertThat(report.blocks()).isEqualTo(5);
    assertThat(report.plainBlocks()).hasValue(3);
    assertThat(world.givenUp).isEmpty();
  }

  @Test
  void aBlockWithARowOnOneSideOnlyIsFound() throws Exception {
    world.write(1, AB, "A");
    world.blocks.get(1L).add("B");
    world.write(2, AB, "B");
    world.blocks.get(2L).add("A");
    assertThat(findings()).containsExactlyInAnyOrder("NOT_COVERED 1 1", "NOT_COVERED 2 1");
  }

  @Test
  void aSideThatIsMissingIsFoundBesideAPlainReplica() throws Exception {
    world.write(1, AB, "A");
    world.blocks.get(1L).add("C");
    assertThat(findings()).containsExactly("SINGLE 1 1");
    assertThat(world.givenUp).isEmpty();
  }

  /** AB goes on with B and D; A comes back too late, with replicas of it and with plain ones. */
  @Test
  void onlyReplicasOfTheSupersededFrameAreGivenUp() {
    List<Long> lacking = new ArrayList<>();
    world.write(1, AB, "A", "B");
    writePlain(2, "A", "B");
    world.write(3, AC, "A", "C");
    world.frames.get("B").put(0, new Pairing(AB, 6, "D", node("D"), 1));
    world.frames.get("D").put(0, new Pairing(AB, 6, "B", node("B"), 2));
    world.report();
    StraySweeper sweeper = new StraySweeper(world, world, lacking::add);
    sweeper.sweep(world.view(), 0);
    assertThat(world.givenUp).as("D has no replica yet").isEmpty();
    assertThat(lacking).containsExactly(1L);
    world.blocks.get(1L).add("D");
    sweeper.sweep(world.view(), 3_000);
    assertThat(Set.copyOf(world.givenUp)).containsExactly("1@A");
  }
}
