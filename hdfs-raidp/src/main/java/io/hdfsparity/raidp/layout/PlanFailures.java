/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a planned cluster loses at most by failures, beside three replicas: solved on the worst case
 * that the table has.
 */
public final class PlanFailures {
  /**
   * A failure.
   *
   * @param what fails
   * @param lost superchunks that cannot be decoded, with coefficients of three disks
   * @param lostWithXor the same with {@code dfs.parity.raidp.coefficients=two}
   * @param threeReplicas what three replicas on three nodes and two racks lose by it
   */
  public record Case(String what, int lost, int lostWithXor, String threeReplicas) {}

  private static final String NOTHING = "nothing";

  private final PairTable table;
  private final DiskMap disks;
  private final List<Case> cases = new ArrayList<>();

  private PlanFailures(PairTable table) {
    this.table = table;
    this.disks = table.disks();
  }

  static List<Case> of(PairTable table, NodeSharing sharing, Triangles triangles) {
    PlanFailures failures = new PlanFailures(table);
    if (table.superchunks() > 0) {
      failures.disks(triangles);
      failures.nodes(sharing);
      failures.racks();
      failures.placements();
    }
    return failures.cases;
  }

  private void disks(Triangles triangles) {
    String some = "blocks that were on these three";
    int[] two = {table.lowerDisk(0), table.higherDisk(0)};
    add("2 disks", NOTHING, two);
    add("2 disks and the Lstor of one", NOTHING, two, two[0]);
    add("2 disks and both Lstors", NOTHING, two, two);
    int[] three = triangles.example();
    if (three.length == 0) {
      return;
    }
    add("3 disks that share pairwise", some, three);
    add("3 such disks and the Lstor of one", some, three, three[0]);
    add("3 such disks and all three Lstors", some, three, three);
  }

  private void nodes(NodeSharing sharing) {
    int[] nodes = join(disksOf(sharing.nodeA()), disksOf(sharing.nodeB()));
    int[] one = disksOf(sharing.nodeOfDisk());
    add("1 node", NOTHING, one, one);
    add("1 node with its Lstors, and 1 disk", NOTHING, join(one, sharing.disk()), one);
    add("2 nodes, their Lstors on other hosts", NOTHING, nodes);
    add("2 nodes with their Lstors", NOTHING, nodes, nodes);
  }

  /** Lstors of racks are in the racks, so nothing is to be solved: what is shared is lost. */
  private void racks() {
    int racks = disks.racks();
    if (racks < 2) {
      cases.add(new Case("1 rack", table.superchunks(), table.superchunks(), "everything"));
      return;
    }
    cases.add(new Case("1 rack", 0, 0, NOTHING));
    int[][] shared = new int[racks][racks];
    int most = 0;
    for (int d = 0; d < disks.disks(); d++) {
      for (int i = 0; i < table.load(d); i++) {
        int peer = table.peer(d, i);
        if (d < peer) {
          int a = Math.min(disks.rack(d), disks.rack(peer));
          int b = Math.max(disks.rack(d), disks.rack(peer));
          most = Math.max(most, ++shared[a][b]);
        }
      }
    }
    cases.add(new Case("2 racks with their Lstors", most, most, "blocks that were in these two"));
  }

  /** Worst where a disk shares with both of two disks of a node. */
  private void placements() {
    int best = -1;
    int peer = -1;
    for (int d = 0; d + 1 < disks.disks() && peer < 0; d++) {
      if (disks.node(d) == disks.node(d + 1)) {
        peer = commonPeer(d, d + 1);
        best = best < 0 || peer >= 0 ? d : best;
      }
    }
    if (best < 0) {
      return;
    }
    int node = disks.node(best);
    int[] three = {best, best + 1, peer >= 0 ? peer : table.peer(best, 0)};
    String some = "blocks that were on these three";
    add("3 disks, two of a node hold each other's Lstor", some, three, best, best + 1);
    if (disks.firstDisk(node + 1) - disks.firstDisk(node) >= 3) {
      add("3 disks, Lstors on the node's next disk", some, three, best);
    }
    add("3 disks, two of a node, and the SSD of its Lstors", some, three, disksOf(node));
  }

  private int commonPeer(int a, int b) {
    for (int i = 0; i < table.load(a); i++) {
      if (table.shares(table.peer(a, i), b)) {
        return table.peer(a, i);
      }
    }
    return -1;
  }

  private int[] disksOf(int node) {
    return IntStream.range(disks.firstDisk(node), disks.firstDisk(node + 1)).toArray();
  }

  private static int[] join(int[] some, int... more) {
    return IntStream.concat(IntStream.of(some), IntStream.of(more)).toArray();
  }

  private void add(String what, String threeReplicas, int[] failed, int... lostLstors) {
    Set<Integer> lost = new HashSet<>();
    IntStream.of(lostLstors).forEach(lost::add);
    cases.add(
        new Case(
            what,
            LostSuperchunkCount.of(table, failed, lost, 2),
            LostSuperchunkCount.of(table, failed, lost, 1),
            threeReplicas));
  }
}
