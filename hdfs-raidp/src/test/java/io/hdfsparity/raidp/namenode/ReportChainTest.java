/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.wire.IncrementalReports;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReportChainTest {
  private static final NodeReport FULL =
      Reports.node("n1", Reports.spare("a", 0), Reports.spare("b", 1));

  private final ReportChain chain = new ReportChain(100);

  private static NodeReport delta(long basis, DiskReport... disks) {
    return new NodeReport(FULL.node(), List.of(disks), List.of(), OptionalLong.of(basis));
  }

  private static DiskReport disk(FrameReport... frames) {
    return FULL.disks().get(0).withFrames(List.of(frames));
  }

  private static FrameReport paired(String storageId, int index) {
    return Reports.frame(storageId, index, Pairing.alone(7, 1));
  }

  private Optional<NodeReport> expand(NodeReport report) {
    return chain.expand(Optional.of(FULL), report);
  }

  @Test
  void whatHasChangedReplacesWhatWasTold() {
    long receipt = chain.taken("n1");
    NodeReport whole = expand(delta(receipt, disk(paired("b", 1)))).orElseThrow();
    assertThat(whole.basis()).isEmpty();
    assertThat(whole.disks()).containsExactly(disk(Reports.spare("a", 0), paired("b", 1)));
    assertThat(expand(delta(receipt)).orElseThrow().disks()).isEqualTo(FULL.disks());
  }

  @Test
  void aReportThatContinuesAnotherOneIsNotBelieved() {
    assertThat(expand(delta(100))).as("no report of the node was taken in").isEmpty();
    long first = chain.taken("n1");
    long second = chain.taken("n1");
    assertThat(expand(delta(first, disk(paired("b", 1))))).as("repeated, or late").isEmpty();
    assertThat(expand(delta(second + 1))).as("of a manager that is gone").isEmpty();
    assertThat(new ReportChain(7).expand(Optional.of(FULL), delta(second)))
        .as("another manager")
        .isEmpty();
    assertThat(expand(delta(chain.taken("n2")))).as("receipt of another node").isEmpty();
    assertThat(expand(delta(second))).isPresent();
    NodeIdentity n = FULL.node();
    NodeReport restarted =
        new NodeReport(
            new NodeIdentity("n1", n.hostName(), 1, n.peerHost(), 2, "CID", n.incarnation() + 1),
            List.of(),
            List.of(),
            OptionalLong.of(second));
    assertThat(expand(restarted)).isEmpty();
  }

  @Test
  void whatTheLastReportDoesNotHaveIsNotBelieved() {
    long receipt = chain.taken("n1");
    assertThat(expand(delta(receipt, disk(paired("a", 1))))).as("another volume").isEmpty();
    assertThat(expand(delta(receipt, disk(paired("b", 2))))).as("no such index").isEmpty();
    assertThat(expand(delta(receipt, disk(paired("b", -1))))).isEmpty();
    DiskReport other =
        new DiskReport("other", "/n1", DiskState.OK, Optional.empty(), List.of(), Optional.empty());
    assertThat(expand(delta(receipt, other))).as("no such disk").isEmpty();
    assertThat(expand(delta(receipt, disk(), disk()))).as("a disk twice").isEmpty();
  }

  @Test
  void manySmallReportsHaveNoMoreFramesThanOne() {
    List<DiskReport> disks = new ArrayList<>();
    for (int d = 0; d < 4; d++) {
      disks.add(disk("d" + d, DiskState.OK, List.of()));
    }
    Optional<NodeReport> known =
        Optional.of(new NodeReport(FULL.node(), disks, List.of(), OptionalLong.empty()));
    List<FrameReport> many = new ArrayList<>();
    for (int f = 0; f < ReportRules.MAX_FRAMES / 2; f++) {
      many.add(Reports.spare("a", f));
    }
    for (int d = 0; d < 3; d++) {
      DiskReport grown =
          new DiskReport("d" + d, "/other", DiskState.OK, Optional.empty(), many, Optional.empty());
      Optional<NodeReport> whole = chain.expand(known, delta(chain.taken("n1"), grown));
      assertThat(whole.isPresent()).as("disk %s", d).isEqualTo(d < 2);
      known = whole.isPresent() ? whole : known;
    }
  }

  @Test
  void aDiskThatIsInAnotherStateIsToldWhole() {
    long receipt = chain.taken("n1");
    DiskReport failed =
        new DiskReport(
            "n1-d", "/n1", DiskState.DISK_FAILED, Optional.empty(), List.of(), Optional.of("why"));
    assertThat(expand(delta(receipt, failed)).orElseThrow().disks()).containsExactly(failed);
  }

  /** Reports get lost, are repeated and come late; the manager knows what was reported last. */
  @Test
  void theManagerKnowsWhatTheNodeHasTold() {
    SeededRuns.of(40)
        .check(
            random -> {
              ReportChain manager = new ReportChain(random.nextLong());
              Optional<NodeReport> known = Optional.empty();
              IncrementalReports node = new IncrementalReports();
              List<NodeReport> late = new ArrayList<>();
              NodeReport now = FULL;
              int incremental = 0;
              for (int round = 0; round < 60; round++) {
                now = changed(now, random);
                NodeReport sent = node.next(now);
                late.add(sent);
                if (sent.basis().isPresent() && random.nextInt(10) == 0) {
                  continue;
                }
                Optional<NodeReport> whole = manager.expand(known, sent);
                if (whole.isEmpty()) {
                  node.answered(now, OptionalLong.empty());
                  whole = manager.expand(known, node.next(now));
                } else if (sent.basis().isPresent()) {
                  incremental++;
                }
                assertThat(whole).contains(now);
                known = whole;
                long receipt = manager.taken("n1");
                if (random.nextInt(10) > 0) {
                  node.answered(now, OptionalLong.of(receipt));
                }
                NodeReport again = late.get(random.nextInt(late.size()));
                if (again.basis().isPresent()) {
                  assertThat(manager.expand(known, again)).as("late or repeated").isEmpty();
                }
                if (random.nextInt(20) == 0) {
                  manager = new ReportChain(random.nextLong());
                }
              }
              assertThat(incremental).isPositive();
            });
  }

  private static NodeReport changed(NodeReport report, Random random) {
    List<DiskReport> disks = new ArrayList<>(report.disks());
    DiskReport disk = disks.get(random.nextInt(disks.size()));
    int position = disks.indexOf(disk);
    List<FrameReport> frames = new ArrayList<>(disk.frames());
    switch (random.nextInt(12)) {
      case 0 -> disks.add(disk("disk" + random.nextInt(), DiskState.OK, frames));
      case 1 -> frames.add(Reports.spare("s" + random.nextInt(3), frames.size()));
      case 2 ->
          disks.set(position, disk(disk.diskId(), DiskState.values()[random.nextInt(3)], frames));
      default -> {
        for (int i = random.nextInt(4); i > 0; i--) {
          int frame = random.nextInt(frames.size());
          frames.set(
              frame,
              new FrameReport(
                  frames.get(frame).storageId(),
                  frames.get(frame).frameIndex(),
                  Optional.of(Pairing.alone(random.nextInt(3), 1 + random.nextInt(3))),
                  new FrameReport.Load(random.nextInt(3), random.nextInt(3), 1, 0, 0),
                  random.nextInt(9) == 0));
        }
      }
    }
    disks.set(position, disks.get(position).withFrames(frames));
    return new NodeReport(report.node(), disks, List.of());
  }

  private static DiskReport disk(String id, DiskState state, List<FrameReport> frames) {
    return new DiskReport(id, "/" + id, state, Optional.empty(), frames, Optional.empty());
  }
}
