/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.namenode.SimCluster.SimFrame;
import io.hdfsparity.raidp.namenode.SimCluster.SimNode;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random clusters with plain blocks beside those in superchunks: what the manager says of a block
 * is never wrong, whatever fails, and in the end it knows all. The twin looks at the rows.
 */
class MixedClusterTest {
  @Test
  void theManagerIsNeverWrongAboutABlockAndEndsUpKnowingAll() {
    SeededRuns.of(60).check(random -> new Run(random).run());
  }

  private static final class Run {
    private final Random random;
    private final SimCluster sim;

    private Run(Random random) {
      this.random = random;
      this.sim =
          new SimCluster(
              random,
              4 + random.nextInt(3),
              2,
              1 + random.nextInt(2),
              new SimCluster.Volumes(1, 3 + random.nextInt(3)));
      sim.copies = false;
    }

    private void run() throws IOException {
      sim.steps(3);
      sim.manager.layout().apply(plan());
      sim.steps(8);
      for (int i = 0; i < 80; i++) {
        act();
        check();
        sim.questions.ask(some(), sim.nowMs);
        check();
      }
      for (SimNode node : sim.nodes) {
        if (!node.up) {
          sim.restartNode(node);
        }
      }
      sim.steps(5);
      for (int i = 0; i < 20; i++) {
        sim.step();
        sim.questions.ask(all(), sim.nowMs);
        check();
      }
      for (Unfiled block : all()) {
        assertThat(isPlain(block) || home(block).isPresent()).as("known: " + block).isTrue();
      }
    }

    private io.hdfsparity.raidp.layout.LayoutPlan plan() {
      try {
        return sim.manager
            .layout()
            .plan(ShapeOfCluster.byUuid(sim.nodes()), 1 + random.nextInt(1 << 30));
      } catch (io.hdfsparity.raidp.layout.LayoutRefusedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void act() throws IOException {
      switch (random.nextInt(12)) {
        case 0, 1 -> sim.write();
        case 2, 3 -> writePlain();
        case 4 -> adopt();
        case 5 -> copyPlain();
        case 6 -> copyCovered();
        case 7 -> deleteReplica();
        case 8 -> {
          SimNode node = sim.nodes.get(random.nextInt(sim.nodes.size()));
          if (node.up && sim.nodes.stream().allMatch(each -> each.up)) {
            node.up = false;
          } else if (!node.up) {
            sim.restartNode(node);
          }
        }
        case 9 -> {
          if (random.nextInt(4) == 0) {
            sim.restartManager();
          }
        }
        default -> sim.steps(1 + random.nextInt(4));
      }
    }

    private List<String> volumes() {
      List<String> volumes = new ArrayList<>();
      for (SimDisk disk : sim.disks()) {
        if (disk.alive()) {
          volumes.add(disk.frames.get(0).storageId);
        }
      }
      Collections.shuffle(volumes, random);
      return volumes;
    }

    private void writePlain() {
      long id = sim.nextBlock++;
      sim.blocks.put(id, new TreeSet<>(volumes().subList(0, 3)));
      sim.plain.add(id);
    }

    private Optional<Map.Entry<Long, Set<String>>> any() {
      List<Map.Entry<Long, Set<String>>> entries = new ArrayList<>(sim.blocks.entrySet());
      return entries.isEmpty()
          ? Optional.empty()
          : Optional.of(entries.get(random.nextInt(entries.size())));
    }

    /** Two replicas of a plain block get rows, one after the other; questions come between. */
    private void adopt() throws IOException {
      Map.Entry<Long, Set<String>> block = any().orElse(null);
      if (block == null || !sim.plain.contains(block.getKey())) {
        return;
      }
      ClusterView view = sim.manager.map().view();
      for (String one : block.getValue()) {
        for (String other : block.getValue()) {
          SuperchunkView pair = view.superchunkOfPair(one, other).orElse(null);
          if (pair != null && sim.alive(one) && sim.alive(other)) {
            ProtectionState protection = sim.manager.protection();
            CoverCalls covers = protection.covers(sim);
            sim.questions.ask(List.of(unfiled(block)), sim.nowMs);
            cover(covers, pair, one, block.getKey());
            sim.plain.remove(block.getKey());
            check();
            sim.questions.ask(List.of(unfiled(block)), sim.nowMs);
            check();
            cover(covers, pair, other, block.getKey());
            return;
          }
        }
      }
    }

    private static void cover(
        CoverCalls covers, SuperchunkView pair, String storageId, long blockId) throws IOException {
      covers.cover(
          new PeerAddress("x", "x", 1),
          storageId,
          new SuperchunkRef(pair.id(), pair.epoch()),
          List.of(blockId));
    }

    /** HDFS copies what it is shown: a block that is known to be plain. */
    private void copyPlain() {
      any()
          .filter(block -> isPlain(unfiled(block)))
          .ifPresent(
              block ->
                  volumes().stream()
                      .filter(id -> !block.getValue().contains(id))
                      .findFirst()
                      .ifPresent(block.getValue()::add));
    }

    /** The repair copies to the side that is missing. */
    private void copyCovered() {
      Map.Entry<Long, Set<String>> block = any().orElse(null);
      if (block == null) {
        return;
      }
      home(unfiled(block))
          .flatMap(home -> home.lacking(unfiled(block).storageIds()))
          .filter(target -> sim.alive(target.storageId()))
          .ifPresent(
              target -> {
                long superchunk = home(unfiled(block)).orElseThrow().superchunkId();
                sim.framesOn(target.storageId()).stream()
                    .filter(frame -> frame.isIn(superchunk))
                    .findFirst()
                    .ifPresent(
                        frame -> {
                          frame.put(block.getKey());
                          block.getValue().add(target.storageId());
                        });
              });
    }

    /** A replica goes; its row stays in limbo for a while. */
    private void deleteReplica() {
      Map.Entry<Long, Set<String>> block = any().orElse(null);
      if (block == null || block.getValue().size() < 2) {
        return;
      }
      String gone = new ArrayList<>(block.getValue()).get(random.nextInt(block.getValue().size()));
      block.getValue().remove(gone);
      sim.frameWith(gone, block.getKey())
          .ifPresent(
              frame -> {
                if (random.nextBoolean()) {
                  frame.rows.remove(block.getKey());
                } else {
                  frame.rows.put(block.getKey(), frame.row(block.getKey(), SlotState.LIMBO));
                }
              });
    }

    private Unfiled unfiled(Map.Entry<Long, Set<String>> block) {
      return new Unfiled(
          block.getKey(), block.getValue().stream().filter(sim::alive).sorted().toList());
    }

    private List<Unfiled> all() {
      return sim.blocks.entrySet().stream()
          .map(this::unfiled)
          .filter(block -> !block.storageIds().isEmpty())
          .toList();
    }

    private List<Unfiled> some() {
      return all().stream().filter(block -> random.nextBoolean()).toList();
    }

    private boolean isPlain(Unfiled block) {
      return sim.manager.superchunks().isPlain(block.blockId(), block.storageIds());
    }

    private Optional<Home> home(Unfiled block) {
      return sim.manager.superchunks().of(block.blockId(), block.storageIds());
    }

    private boolean hasRow(String storageId, long blockId) {
      return sim.frameWith(storageId, blockId)
          .map(frame -> row(frame, blockId))
          .filter(row -> row.state() != SlotState.LIMBO)
          .isPresent();
    }

    private static SlotEntry row(SimFrame frame, long blockId) {
      return frame.rows.get(blockId);
    }

    /** A plain block has no row that it could have, and one in a superchunk has one. */
    private void check() {
      for (Unfiled block : all()) {
        boolean hasRow = block.storageIds().stream().anyMatch(id -> hasRow(id, block.blockId()));
        boolean plain = isPlain(block);
        Optional<Home> home = home(block);
        assertThat(plain && home.isPresent()).as("both: " + block).isFalse();
        if (plain) {
          assertThat(hasRow).as("called plain: " + block).isFalse();
        }
        if (home.isPresent()) {
          assertThat(hasRow).as("called covered: " + block).isTrue();
        }
      }
    }
  }
}
