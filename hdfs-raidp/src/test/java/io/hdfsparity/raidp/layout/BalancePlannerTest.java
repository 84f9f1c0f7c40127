/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceDisk;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BalancePlannerTest {
  private static final long GIB = 1L << 30;

  /** Superchunks with their bytes, played through by a twin that trusts nothing. */
  private static final class Twin {
    private final BalanceSpec spec;
    private final Map<DiskId, BalanceDisk> disks = new HashMap<>();
    private final Map<DiskId, Long> used = new HashMap<>();
    private final Map<Long, BalanceSuperchunk> superchunks = new HashMap<>();
    private final Map<Long, Long> usedOf = new HashMap<>();
    private final Map<Long, Long> roomOf = new HashMap<>();

    private Twin(BalanceSpec spec) {
      this.spec = spec;
      spec.disks().forEach(disk -> disks.put(disk.id(), disk));
      spec.disks().forEach(disk -> used.put(disk.id(), disk.usedBytes()));
      spec.superchunks().forEach(each -> superchunks.put(each.id(), each));
      spec.superchunks().forEach(each -> usedOf.put(each.id(), each.usedBytes()));
      spec.superchunks().forEach(each -> roomOf.put(each.id(), each.roomBytes()));
    }

    private double utilization(DiskId disk) {
      return 100.0 * used.get(disk) / disks.get(disk).capacityBytes();
    }

    private double mean() {
      return 100.0
          * used.values().stream().mapToLong(Long::longValue).sum()
          / disks.values().stream().mapToLong(BalanceDisk::capacityBytes).sum();
    }

    private double sum(long superchunk) {
      BalanceSuperchunk each = superchunks.get(superchunk);
      return utilization(each.a()) + utilization(each.b());
    }

    private List<DiskId> disksOf(long superchunk) {
      return List.of(superchunks.get(superchunk).a(), superchunks.get(superchunk).b());
    }

    private boolean isLegal(long from, long to) {
      Set<NodeId> nodes = new HashSet<>();
      disksOf(from).forEach(disk -> nodes.add(disks.get(disk).node()));
      disksOf(to).forEach(disk -> nodes.add(disks.get(disk).node()));
      return nodes.size() == 4;
    }

    private double distance() {
      double mean = mean();
      return used.keySet().stream()
          .mapToDouble(
              disk ->
                  Math.pow(utilization(disk) - mean, 2) * (disks.get(disk).capacityBytes() >> 20))
          .sum();
    }

    private void play(BalancePlan.Move move) {
      assertThat(isLegal(move.from(), move.to())).as("four nodes: %s", move).isTrue();
      assertThat(move.bytes()).isGreaterThanOrEqualTo(spec.minMoveBytes());
      assertThat(move.bytes()).isLessThanOrEqualTo(usedOf.get(move.from()));
      assertThat(move.bytes()).isLessThanOrEqualTo(roomOf.get(move.to()));
      double before = distance();
      usedOf.merge(move.from(), -move.bytes(), Long::sum);
      roomOf.merge(move.from(), move.bytes(), Long::sum);
      usedOf.merge(move.to(), move.bytes(), Long::sum);
      roomOf.merge(move.to(), -move.bytes(), Long::sum);
      disksOf(move.from()).forEach(disk -> used.merge(disk, -move.bytes(), Long::sum));
      disksOf(move.to()).forEach(disk -> used.merge(disk, move.bytes(), Long::sum));
      assertThat(sum(move.to()))
          .as("no move to a fuller pair: %s", move)
          .isLessThanOrEqualTo(sum(move.from()) + 1e-6);
      assertThat(distance()).as("nearer to the mean: %s", move).isLessThan(before);
    }

    /** Whether a pair of superchunks, of which one has this disk, could still bring it nearer. */
    private boolean canBeHelped(DiskId disk) {
      boolean isFull = utilization(disk) > mean();
      for (long from : superchunks.keySet()) {
        for (long to : superchunks.keySet()) {
          boolean isIts = disksOf(isFull ? from : to).contains(disk);
          if (isIts
              && isLegal(from, to)
              && usedOf.get(from) >= spec.minMoveBytes()
              && roomOf.get(to) >= spec.minMoveBytes()
              && sum(from) - sum(to) > 100.0 * 4 * spec.minMoveBytes() / smallestCapacity()) {
            return true;
          }
        }
      }
      return false;
    }

    private long smallestCapacity() {
      return disks.values().stream().mapToLong(BalanceDisk::capacityBytes).min().orElseThrow();
    }
  }

  private static BalanceSpec random(Random random) {
    int nodes = 4 + random.nextInt(8);
    int disks = 1 + random.nextInt(3);
    long frame = GIB;
    List<BalanceDisk> all = new ArrayList<>();
    List<BalanceSuperchunk> superchunks = new ArrayList<>();
    Map<DiskId, Long> used = new HashMap<>();
    Map<DiskId, NodeId> nodeOf = new HashMap<>();
    Map<DiskId, Double> fill = new HashMap<>();
    List<DiskId> ids = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      double fillOfNode = random.nextInt(3) == 0 ? 0 : random.nextDouble();
      for (int d = 0; d < disks; d++) {
        DiskId id = RandomShapes.diskId(n, d);
        ids.add(id);
        nodeOf.put(id, new NodeId("n" + n));
        fill.put(id, fillOfNode);
        used.put(id, 0L);
      }
    }
    for (int i = 0; i < ids.size(); i++) {
      for (int j = i + 1; j < ids.size(); j++) {
        DiskId a = ids.get(i);
        DiskId b = ids.get(j);
        if (!nodeOf.get(a).equals(nodeOf.get(b)) && random.nextInt(3) > 0) {
          long bytes = (long) (frame * Math.min(fill.get(a), fill.get(b)));
          used.merge(a, bytes, Long::sum);
          used.merge(b, bytes, Long::sum);
          superchunks.add(new BalanceSuperchunk(superchunks.size(), a, b, bytes, frame - bytes));
        }
      }
    }
    for (DiskId id : ids) {
      long capacity = Math.max(1, ids.size()) * frame * (1 + random.nextInt(2));
      all.add(new BalanceDisk(id, nodeOf.get(id), "DISK", capacity, used.get(id)));
    }
    return new BalanceSpec(all, superchunks, 1 + random.nextInt(10), 1 << 20);
  }

  @Test
  void randomClustersEndLevelOrWithoutALegalMove() {
    SeededRuns.of(150)
        .check(
            random -> {
              BalanceSpec spec = random(random);
              Twin twin = new Twin(spec);
              double mean = twin.mean();
              BalancePlan plan = BalancePlanner.plan(spec);
              assertThat(plan.meanPercent()).isCloseTo(mean, within(1e-6));
              plan.moves().forEach(twin::play);
              for (BalanceDisk disk : spec.disks()) {
                double now = twin.utilization(disk.id());
                boolean isOutside = Math.abs(now - mean) > spec.thresholdPercent() + 1e-9;
                assertThat(plan.outside().contains(disk.id()))
                    .as(disk + " " + now)
                    .isEqualTo(isOutside);
                assertThat(plan.utilization().get(disk.id()).afterPercent())
                    .isCloseTo(now, within(1e-6));
                if (isOutside) {
                  assertThat(twin.canBeHelped(disk.id())).as(disk + " at " + now).isFalse();
                }
              }
              assertThat(BalancePlanner.plan(spec)).as("same spec, same plan").isEqualTo(plan);
            });
  }

  /** All pairs of disks on different nodes; old disks are alike, the new ones are empty. */
  private static BalanceSpec grown(int oldNodes, int newNodes, double fill, double threshold) {
    int nodes = oldNodes + newNodes;
    List<BalanceSuperchunk> superchunks = new ArrayList<>();
    long[] used = new long[nodes];
    for (int a = 0; a < nodes; a++) {
      for (int b = a + 1; b < nodes; b++) {
        long bytes = b < oldNodes ? (long) (fill * GIB) : 0;
        used[a] += bytes;
        used[b] += bytes;
        superchunks.add(
            new BalanceSuperchunk(
                superchunks.size(),
                RandomShapes.diskId(a, 0),
                RandomShapes.diskId(b, 0),
                bytes,
                GIB - bytes));
      }
    }
    List<BalanceDisk> disks = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      disks.add(
          new BalanceDisk(
              RandomShapes.diskId(n, 0), new NodeId("n" + n), "DISK", (nodes - 1) * GIB, used[n]));
    }
    return new BalanceSpec(disks, superchunks, threshold, 1 << 20);
  }

  /** What is above the mean has to go, whatever the way: half of it, as a move takes it off two. */
  @Test
  void newNodesGetTheirShareWithLittleMoreThanTheBytesThatHaveToMove() {
    for (int newNodes = 2; newNodes <= 6; newNodes++) {
      BalanceSpec spec = grown(8, newNodes, 0.8, 2);
      BalancePlan plan = BalancePlanner.plan(spec);
      assertThat(plan.outside()).as("new nodes " + newNodes).isEmpty();
      double mean = plan.meanPercent() / 100;
      double above =
          spec.disks().stream()
              .mapToDouble(disk -> disk.usedBytes() - (mean + 0.02) * disk.capacityBytes())
              .filter(bytes -> bytes > 0)
              .sum();
      double below =
          spec.disks().stream()
              .mapToDouble(disk -> (mean - 0.02) * disk.capacityBytes() - disk.usedBytes())
              .filter(bytes -> bytes > 0)
              .sum();
      double least = Math.max(above, below) / 2;
      // Two new disks share one superchunk; what they get beside goes to pairs with an old disk.
      double factor = newNodes < 4 ? 4 : 2;
      assertThat((double) plan.bytes())
          .as("new nodes " + newNodes)
          .isBetween(least, factor * least);
    }
  }

  /** It is in pairs with the old disks only: these take turns. */
  @Test
  void oneNewNodeGetsItsShare() {
    BalancePlan plan = BalancePlanner.plan(grown(6, 1, 0.5, 5));
    assertThat(plan.outside()).isEmpty();
    assertThat(plan.moves()).isNotEmpty();
  }

  /** A file's storage policy asks for a type; and each type has a mean of its own. */
  @Test
  void blocksStayOnDisksOfOneStorageType() {
    BalanceSpec disk = grown(6, 2, 0.6, 5);
    List<BalanceDisk> disks = new ArrayList<>();
    Map<DiskId, String> types = new HashMap<>();
    for (BalanceDisk each : disk.disks()) {
      int number = disks.size();
      String type = number < 4 || number == 6 ? "DISK" : "SSD";
      types.put(each.id(), type);
      disks.add(
          new BalanceDisk(each.id(), each.node(), type, each.capacityBytes(), each.usedBytes()));
    }
    BalanceSpec mixed = new BalanceSpec(disks, disk.superchunks(), 5, 1 << 20);
    Map<Long, BalanceSuperchunk> chunks = new HashMap<>();
    disk.superchunks().forEach(each -> chunks.put(each.id(), each));
    BalancePlan plan = BalancePlanner.plan(mixed);
    assertThat(plan.moves()).isNotEmpty();
    for (BalancePlan.Move move : plan.moves()) {
      BalanceSuperchunk from = chunks.get(move.from());
      BalanceSuperchunk to = chunks.get(move.to());
      assertThat(List.of(types.get(from.b()), types.get(to.a()), types.get(to.b())))
          .as(from + " to " + to)
          .containsOnly(types.get(from.a()));
    }
    assertThat(plan.meanPercent()).isCloseTo(disk.meanPercent(), within(1e-9));
    assertThat(plan.utilization()).hasSize(8);
  }

  @Test
  void eachStorageTypeIsLevelByItself() {
    List<BalanceDisk> disks = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      disks.add(
          new BalanceDisk(
              RandomShapes.diskId(n, 0),
              new NodeId("n" + n),
              n < 4 ? "DISK" : "SSD",
              100,
              n < 4 ? 80 : 10));
    }
    BalanceSpec spec = new BalanceSpec(disks, List.of(), 5, 1);
    assertThat(BalancePlanner.plan(spec).outside()).isEmpty();
    assertThat(spec.distancePercent()).isZero();
    assertThat(spec.meanPercent()).isEqualTo(45);
  }

  @Test
  void aLevelClusterStaysAsItIs() {
    assertThat(BalancePlanner.plan(grown(5, 0, 0.6, 1)).moves()).isEmpty();
    assertThat(BalancePlanner.plan(new BalanceSpec(List.of(), List.of(), 10, 1)).moves()).isEmpty();
  }

  /** With three nodes a block would have two replicas on one of them. */
  @Test
  void threeNodesCannotBeLevelled() {
    BalancePlan plan = BalancePlanner.plan(grown(2, 1, 0.9, 5));
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.outside()).isNotEmpty();
  }

  @Test
  void badSpecsAreRefused() {
    assertThatThrownBy(() -> new BalanceSpec(List.of(), List.of(), 0, 1))
        .hasMessageContaining("thresholdPercent=0.0");
    assertThatThrownBy(
            () -> new BalanceDisk(RandomShapes.diskId(0, 0), new NodeId("n"), "DISK", 0, 0))
        .hasMessageContaining("capacityBytes=0");
  }
}
