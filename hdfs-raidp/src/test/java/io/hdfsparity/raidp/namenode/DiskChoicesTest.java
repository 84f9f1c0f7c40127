/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Placement where a volume is in several superchunks. */
class DiskChoicesTest {
  private static final int UNIT = 1 << 20;
  private final DiskWorld world = new DiskWorld();
  private final Grants grants = new Grants(60_000);
  private final Random random = new Random(5);
  private final PlacementChooser chooser =
      new PlacementChooser(
          world::view,
          grants,
          new NodeRoster(Map.of("nA", "", "nB", "", "nC", "", "nD", ""), addresses -> {}),
          () -> true,
          UNIT,
          64L * UNIT,
          () -> 0,
          () -> random);

  @BeforeEach
  void report() {
    world.view().all().stream()
        .flatMap(superchunk -> superchunk.holders().stream())
        .forEach(frame -> grants.report(frame.ref(), 1, 100, 0, 0));
  }

  private List<String> choose(Optional<String> writer) throws PlacementRefusedException {
    return chooser
        .chooseNew(
            "/f", 2, writer, List.of(), Set.of(), 10L * UNIT, (storageId, node, bytes) -> true)
        .stream()
        .map(Target::storageId)
        .toList();
  }

  @Test
  void bothTargetsAreSidesOfOneSuperchunkAndRoomIsThatOfFrames() throws Exception {
    Map<Set<String>, Integer> chosen = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      chosen.merge(choose(Optional.empty()).stream().collect(Collectors.toSet()), 1, Integer::sum);
    }
    assertThat(chosen)
        .as("10 blocks fit in each superchunk")
        .isEqualTo(Map.of(Set.of("A", "B"), 10, Set.of("A", "C"), 10, Set.of("B", "C"), 10));
    assertThatThrownBy(() -> choose(Optional.empty()))
        .isInstanceOf(PlacementRefusedException.class)
        .hasMessageContaining("withRoom=0");
  }

  @Test
  void theWritersNodeGetsTheFirstReplicaInAnyOfItsSuperchunks() throws Exception {
    Map<String, Integer> second = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      List<String> chosen = choose(Optional.of("nC"));
      assertThat(chosen.get(0)).isEqualTo("C");
      second.merge(chosen.get(1), 1, Integer::sum);
    }
    assertThat(second).containsOnlyKeys("A", "B");
    assertThat(choose(Optional.of("nD"))).as("it has spare frames only").hasSize(2);
  }
}
