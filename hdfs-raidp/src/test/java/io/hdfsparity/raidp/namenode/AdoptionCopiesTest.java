/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Storage;
import org.junit.jupiter.api.Test;

/** Where blocks may be copied to; storage "A2" is on the node of A, without frames. */
class AdoptionCopiesTest {
  private static final long BYTES = 5000;

  private final DiskWorld disks = new DiskWorld();
  private final Map<String, String> adminStates = new HashMap<>();
  private final Map<Long, Integer> room = new HashMap<>();
  private final Map<String, Long> freeBytes = new HashMap<>();
  private long nowMs;
  private final AdoptionCopies copies =
      new AdoptionCopies(disks.map, this::nodes, Optional::empty, () -> nowMs);

  private List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (String id : List.of("A", "B", "C", "D", "out")) {
      List<Storage> storages = new ArrayList<>();
      storages.add(
          new Storage(id, "DISK", false, true, BYTES, 0, freeBytes.getOrDefault(id, BYTES), 0));
      if (id.equals("A")) {
        storages.add(new Storage("A2", "DISK", false, true, 1, 0, 1, 0));
      }
      nodes.add(
          new Node(
              DiskWorld.node(id),
              new Address(id, "10.0.0.1", 1, 2),
              "/r",
              true,
              adminStates.getOrDefault(id, "NORMAL"),
              storages));
    }
    return nodes;
  }

  private Optional<String> target(String... storageIds) {
    return copies
        .target(List.of(storageIds), BYTES, 5, superchunk -> room.getOrDefault(superchunk.id(), 10))
        .map(AdoptionCopiesTest::name);
  }

  private static String name(CopyPlan plan) {
    return plan.nearStorageId() + ">" + plan.farStorageId() + " in " + plan.superchunk().id();
  }

  @Test
  void theSuperchunkWithMostRoomIsTaken() {
    room.put(DiskWorld.AB, 20);
    assertThat(target("A", "D", "out")).contains("A>B in 1");
    assertThat(target("D", "B")).contains("B>A in 1");
    room.put(DiskWorld.AC, 21);
    assertThat(target("A", "D", "out")).contains("A>C in 2");
    room.put(DiskWorld.AC, 4);
    room.put(DiskWorld.AB, 4);
    assertThat(target("A", "D", "out")).isEmpty();
    assertThat(target("D", "out")).as("no superchunk").isEmpty();
  }

  @Test
  void aDiskThatOtherFilesHaveFilledIsNoTarget() {
    room.put(DiskWorld.AB, 20);
    freeBytes.put("B", BYTES - 1);
    assertThat(target("A", "D", "out")).contains("A>C in 2");
    freeBytes.put("B", BYTES);
    nowMs += 10_000;
    assertThat(target("A", "D", "out")).contains("A>B in 1");
  }

  @Test
  void aNodeThatHasTheBlockOnAnyDiskIsNoTarget() {
    room.put(DiskWorld.AB, 20);
    assertThat(target("B", "D")).contains("B>A in 1");
    assertThat(target("B", "A2")).contains("B>C in 3");
    assertThat(target("A", "C", "B")).isEmpty();
    assertThat(target("B", "nobody knows")).as("it may be on any node").isEmpty();
  }

  @Test
  void aNodeThatIsNotInServiceIsNoTarget() {
    room.put(DiskWorld.AB, 20);
    adminStates.put("A", "DECOMMISSION_INPROGRESS");
    assertThat(target("B", "D")).contains("B>C in 3");
    disks.fail("C");
    assertThat(target("B", "D")).isEmpty();
    nowMs += 10_000;
    adminStates.clear();
    assertThat(target("B", "D")).contains("B>A in 1");
  }

  @Test
  void aBlockWithARowGoesToTheOtherSideOfItsSuperchunk() {
    room.put(DiskWorld.AB, 20);
    SharedSuperchunk shared = AdoptionCalls.shared(disks.superchunk(DiskWorld.BC));
    assertThat(copies.into(shared, List.of("C", "D")).map(AdoptionCopiesTest::name))
        .contains("C>B in 3");
    assertThat(copies.into(shared, List.of("B", "C"))).isEmpty();
    assertThat(copies.into(shared, List.of("A", "D"))).as("no side").isEmpty();
    adminStates.put("B", "DECOMMISSIONED");
    nowMs += 10_000;
    assertThat(copies.into(shared, List.of("C", "D"))).isEmpty();
  }

  @Test
  void aSuperchunkThatHasOtherSidesNowGetsNoCopy() {
    SharedSuperchunk shared = AdoptionCalls.shared(disks.superchunk(DiskWorld.BC));
    CopyPlan old =
        new CopyPlan(
            new SharedSuperchunk(
                shared.id(), 4, shared.leaderStorageId(), shared.followerStorageId()),
            "B");
    assertThat(copies.copy(7, 1, old)).isEqualTo(CopyStart.REFUSED);
    assertThat(copies.isCopying(7)).isFalse();
  }
}
