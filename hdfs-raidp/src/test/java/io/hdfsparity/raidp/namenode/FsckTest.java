/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.namenode.FsckReport.Finding;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FsckTest {
  private static final ScrubRequest ALL = new ScrubRequest(Optional.empty(), false, true);
  private SimCluster sim;
  private final Set<String> unreachable = new HashSet<>();
  private final List<ScrubFinding> scrubFindings = new ArrayList<>();
  private Runnable betweenLooks = () -> {};
  private long block;
  private SimCluster.SimFrame leader;
  private SimCluster.SimFrame follower;

  @BeforeEach
  void start() throws Exception {
    sim = new SimCluster(new Random(1), 4, 2, 1, 4);
    sim.steps(2);
    sim.manager
        .layout()
        .apply(sim.manager.layout().plan(ShapeOfCluster.byUuid(sim.nodes()), sim.nowMs));
    sim.steps(20);
    for (int i = 0; i < 20; i++) {
      assertThat(sim.write()).isPresent();
    }
    sim.steps(2);
    block = 7;
    List<String> where = sim.blocks.get(block).stream().sorted().toList();
    leader = sim.framesOn(where.get(0)).get(0);
    follower = sim.framesOn(where.get(1)).get(0);
    // Rows of one block lie at the same place on both sides.
    sim.frames().forEach(f -> f.rows.replaceAll((id, row) -> at(row, (int) (3 * id))));
  }

  private static SlotEntry at(SlotEntry row, int start) {
    return new SlotEntry(
        row.frameIndex(),
        row.blockId(),
        row.generationStamp(),
        List.of(new Run(start, 3)),
        row.coverage(),
        row.status());
  }

  private final FsckPeers peers =
      new FsckPeers() {
        @Override
        public List<SlotEntry> entries(
            PeerAddress peer, String storageId, OptionalLong superchunkId) throws IOException {
          if (unreachable.contains(peer.nodeUuid())) {
            throw new IOException("refused");
          }
          return List.copyOf(sim.framesOn(storageId).get(0).rows.values());
        }

        @Override
        public ScrubReport scrub(PeerAddress peer, ScrubRequest request) {
          return new ScrubReport(
              1000, 1, 1, peer.nodeUuid().equals("n00") ? scrubFindings : List.of());
        }
      };

  private Fsck fsck() {
    return new Fsck(
        sim.manager.map()::view,
        sim,
        peers,
        () -> betweenLooks.run(),
        new NodeScrubs(peers, 3, () -> 0),
        () -> sim.manager.unheard().lacking(sim.nodes()));
  }

  /** What happens in the pauses, one after the other; the last one does nothing for ever. */
  private void between(Runnable... pauses) {
    Iterator<Runnable> next = List.of(pauses).iterator();
    betweenLooks =
        () -> {
          if (next.hasNext()) {
            next.next().run();
          }
        };
  }

  private List<Finding> findings() throws Exception {
    return fsck().run(ALL).findings();
  }

  @Test
  void aHealthyClusterHasNoFindings() throws Exception {
    FsckReport report = fsck().run(ALL);
    assertThat(report.findings()).isEmpty();
    assertThat(report.healthy()).isTrue();
    assertThat(report.blocks()).isEqualTo(20);
    assertThat(report.rows()).isEqualTo(40);
    assertThat(report.bytesRead()).isEqualTo(4000);
  }

  @Test
  void aReplicaInAnotherSuperchunkMakesUpForNoSide() throws Exception {
    SimCluster.SimFrame stray =
        sim.frames().stream()
            .filter(f -> f.pairing.isPresent())
            .filter(f -> !f.equals(leader) && !f.equals(follower))
            .findFirst()
            .orElseThrow();
    sim.blocks.get(block).remove(follower.storageId);
    follower.rows.remove(block);
    sim.blocks.get(block).add(stray.storageId);
    stray.rows.put(block, at(stray.row(block, SlotState.LIVE), 99));
    assertThat(findings()).extracting(Finding::kind).containsOnly("SINGLE");
    assertThat(sim.givenUp).isEmpty();
  }

  @Test
  void differentExtentsAreFound() throws Exception {
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    assertThat(findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo("SLOTS_DIFFER");
              assertThat(f.blockId()).hasValue(block);
              assertThat(f.detail()).contains("start=70");
            });
  }

  /** As after a truncate whose recovery has cut one replica, and does not end. */
  @Test
  void aDifferenceOfAnOpenBlockIsOfItsOwnKind() throws Exception {
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    sim.open.add(block);
    assertThat(findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo("OPEN_DIFFERS");
              assertThat(f.blockId()).hasValue(block);
            });
  }

  @Test
  void aDifferenceSaysWhereItIsAndWhatHdfsKnows() throws Exception {
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    sim.blocks.get(block).remove(follower.storageId);
    assertThat(findings())
        .filteredOn(f -> f.kind().equals("SLOTS_DIFFER"))
        .singleElement()
        .satisfies(
            f ->
                assertThat(f.detail())
                    .contains("leader: node=" + hostOf(leader) + " storage=" + leader.storageId)
                    .contains("follower: node=" + hostOf(follower))
                    .contains("generationStamp=1 lengthBytes=" + SimCluster.BLOCK_BYTES)
                    .contains("storages=[" + leader.storageId + "]"));
  }

  /** Its replicas are being deleted. */
  @Test
  void aDifferenceOfADeletedBlockSaysSo() throws Exception {
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    sim.blocks.remove(block);
    assertThat(findings())
        .singleElement()
        .satisfies(f -> assertThat(f.detail()).contains("HDFS: no such block"));
  }

  private String hostOf(SimCluster.SimFrame frame) {
    var view = sim.manager.map().view();
    String uuid = view.framesOn(frame.storageId).get(0).nodeUuid();
    return view.nodes().get(uuid).report().node().hostName();
  }

  @Test
  void aBlockWithoutARowIsFound() throws Exception {
    leader.rows.remove(block);
    assertThat(findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo("NOT_COVERED");
              assertThat(f.detail()).contains(leader.storageId);
            });
  }

  @Test
  void aFrameWhoseWholeTableIsGoneIsFound() throws Exception {
    leader.rows.clear();
    assertThat(findings()).extracting(Finding::kind).isNotEmpty().containsOnly("NOT_COVERED");
  }

  @Test
  void workInProgressIsNoFinding() throws Exception {
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    betweenLooks =
        () -> follower.rows.computeIfPresent(block, (id, row) -> at(row, (int) (3 * block)));
    assertThat(findings()).isEmpty();
  }

  @Test
  void aSingleReplicaIsFound() throws Exception {
    sim.blocks.get(block).remove(follower.storageId);
    assertThat(findings()).extracting(Finding::kind).containsExactly("SINGLE");
  }

  @Test
  void anUnreachableNodeIsAFinding() throws Exception {
    unreachable.add("n01");
    assertThat(findings()).extracting(Finding::kind).isNotEmpty().containsOnly("UNREACHABLE");
  }

  /** What it lacks was not looked at before it answered. */
  @Test
  void aNodeThatAnswersALaterLookIsChecked() throws Exception {
    leader.rows.remove(block);
    unreachable.add(leader.disk.node.uuid);
    between(unreachable::clear);
    assertThat(findings()).extracting(Finding::kind).containsExactly("NOT_COVERED");
  }

  @Test
  void aNodeThatDoesNotAnswerALaterLookIsNotTakenForHealthy() throws Exception {
    leader.rows.remove(block);
    between(() -> unreachable.add(leader.disk.node.uuid), unreachable::clear);
    assertThat(findings()).extracting(Finding::kind).containsExactly("NOT_COVERED");
  }

  @Test
  void aNodeThatDidNotAnswerOnceAndIsWellIsNoFinding() throws Exception {
    unreachable.add(leader.disk.node.uuid);
    between(unreachable::clear);
    assertThat(findings()).isEmpty();
  }

  @Test
  void nodesThatAnswerEachOtherLookOnlyAreAFinding() throws Exception {
    String node = leader.disk.node.uuid;
    leader.rows.remove(block);
    unreachable.add(node);
    betweenLooks =
        () -> {
          if (!unreachable.remove(node)) {
            unreachable.add(node);
          }
        };
    assertThat(findings()).extracting(Finding::kind).contains("UNREACHABLE", "NOT_COVERED");
  }

  /** As after a restart of the NameNode. */
  @Test
  void nobodyHasReportedYet() throws Exception {
    sim.restartManager();
    assertThat(findings()).extracting(Finding::kind).hasSize(4).containsOnly("UNREACHABLE");
    assertThat(fsck().scrubOnly(ALL).findings())
        .extracting(Finding::kind)
        .hasSize(4)
        .containsOnly("UNREACHABLE");
    follower.rows.computeIfPresent(block, (id, row) -> at(row, 70));
    between(this::report);
    assertThat(findings()).extracting(Finding::kind).containsExactly("SLOTS_DIFFER");
    assertThat(fsck().scrubOnly(ALL).healthy()).isTrue();
  }

  private void report() {
    try {
      sim.step();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aClusterWithoutDisksOfRaidpIsHealthyInTheEnd() throws Exception {
    sim = new SimCluster(new Random(1), 4, 2, 1, 4);
    assertThat(findings()).as("they have time to report").isNotEmpty();
    sim.nowMs += 61_000;
    sim.manager.map().advance(sim.nowMs);
    assertThat(findings()).isEmpty();
  }

  private List<Finding> scrubOf(String diskId) throws Exception {
    return fsck().scrubOnly(new ScrubRequest(Optional.of(diskId), false, true)).findings();
  }

  @Test
  void aNamedDiskThatHasFailedWasNotRead() throws Exception {
    assertThat(scrubOf(leader.disk.id)).isEmpty();
    leader.disk.failed = true;
    sim.step();
    assertThat(scrubOf(leader.disk.id))
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo("NOT_READ");
              assertThat(f.detail()).contains("disk=" + leader.disk.id).contains("health=DEAD");
            });
    assertThat(fsck().scrubOnly(ALL).healthy()).as("of all disks").isTrue();
  }

  @Test
  void aNamedDiskOfADeadNodeWasNotRead() throws Exception {
    leader.disk.node.up = false;
    sim.steps(65);
    assertThat(scrubOf(leader.disk.id)).extracting(Finding::kind).containsExactly("NOT_READ");
  }

  @Test
  void aDegradedSuperchunkIsAFinding() throws Exception {
    leader.disk.failed = true;
    sim.step();
    assertThat(findings()).extracting(Finding::kind).isNotEmpty().containsOnly("NOT_ACTIVE");
  }

  @Test
  void aDiskThatIsKnownToBeDeadIsNotCheckedAgain() throws Exception {
    leader.disk.failed = true;
    sim.step();
    scrubFindings.add(
        new ScrubFinding(
            leader.disk.id, "disk-failed", "gone", false, Optional.empty(), OptionalLong.empty()));
    assertThat(findings()).extracting(Finding::kind).isNotEmpty().containsOnly("NOT_ACTIVE");
  }

  @Test
  void whatScrubsFindIsPassedOn() throws Exception {
    scrubFindings.add(
        new ScrubFinding(
            "n00-d0", "parity-mismatch", "unit=5", false, Optional.empty(), OptionalLong.of(3)));
    assertThat(findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo("parity-mismatch");
              assertThat(f.detail()).contains("disk=n00-d0").contains("unit=5");
            });
    assertThat(fsck().scrubOnly(ALL).healthy()).isFalse();
    scrubFindings.clear();
    assertThat(fsck().scrubOnly(ALL).healthy()).isTrue();
  }
}
