/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeReporterTest {
  private static final int FRAMES = 64;
  private static final int ROUNDS = 200;
  @TempDir Path base;

  /** Prints what a report costs, by the rows of a frame and as they are counted. */
  @Test
  void aReportCountsRowsWithoutALookAtThem() throws Exception {
    SimNet net = new SimNet(new Random(1), 0);
    SimNode node =
        new SimNode(
            base,
            "n",
            List.of("DS-n"),
            FRAMES,
            Mode.IDLE,
            Granularity.BLOCK,
            new ManualClock(),
            net);
    node.start();
    long blockId = 1_073_741_900L;
    for (int frame = 0; frame < FRAMES; frame++) {
      node.pair(frame, new Pairing(100 + frame, 1, "DS-p" + frame, "p", 1));
      for (int unit = 0; unit < SimNode.UNITS; unit++) {
        node.disk.lstor().reserve(frame, blockId++, List.of(new Run(unit, 1)), 0);
      }
    }
    net.declareDead("p");
    SimFrame one = node.sims.get(3);
    node.disk.lstor().remove(3, blockId - 1 - 60L * SimNode.UNITS, SlotCause.WITHDRAWN);
    one.reserve(blockId, 1000);
    one.write(blockId, 1001, new byte[1000]);
    one.finish(blockId, 1001, 1000);
    NodeReporter reporter =
        new NodeReporter(
            node.frames,
            List.of(),
            () -> new NodeIdentity("n", "host", 1, "host", 2, "CID", 3),
            List::of);
    NodeReport report = reporter.report();
    long start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      reporter.report();
    }
    long counted = System.nanoTime() - start;
    start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      byRows(node, report);
    }
    long walked = System.nanoTime() - start;
    System.out.printf(
        "A report of %d frames with %d rows: %d us as counted, %d us more by rows%n",
        FRAMES, FRAMES * SimNode.UNITS, counted / ROUNDS / 1000, walked / ROUNDS / 1000);
    node.stop();
  }

  private static void byRows(SimNode node, NodeReport report) {
    for (FrameReport frame : report.disks().get(0).frames()) {
      int live = 0;
      int unacknowledged = 0;
      for (SlotEntry row : node.disk.lstor().entries(frame.frameIndex())) {
        live += row.state() == SlotState.LIVE ? 1 : 0;
        unacknowledged += row.ackPending() ? 1 : 0;
      }
      assertThat(frame.load().blocks()).isEqualTo(live).isEqualTo(frame.frameIndex() == 3 ? 1 : 0);
      assertThat(frame.load().unacknowledged()).isEqualTo(unacknowledged);
    }
  }

  @Test
  void limboIsReportedOfTheFrameThatHoldsIt() throws Exception {
    ManualClock clock = new ManualClock();
    SimNet net = new SimNet(new Random(1), 0);
    SimNode node =
        new SimNode(base, "n", List.of("DS-n"), 2, Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    net.declareDead("p");
    for (int frame = 0; frame < 2; frame++) {
      node.pair(frame, new Pairing(100 + frame, 1, "DS-p" + frame, "p", 1));
    }
    long blockId = 1_073_741_900L;
    SimFrame second = node.sims.get(1);
    for (int length : List.of(1000, 0)) {
      second.reserve(blockId, 1000);
      second.write(blockId, 1001, new byte[length]);
      second.finish(blockId, 1001, length);
      assertThat(limbo(node)).containsExactly(0L, 0L);
      second.delete(blockId);
      assertThat(limbo(node)).containsExactly(0L, Math.max(1L, length));
      node.disk.frame(1).superseded(true);
      clock.advance(61_000);
      node.settle();
      assertThat(limbo(node)).containsExactly(0L, 0L);
      node.disk.frame(1).superseded(false);
      blockId++;
    }
    node.stop();
  }

  private static List<Long> limbo(SimNode node) {
    NodeReporter reporter =
        new NodeReporter(
            node.frames,
            List.of(),
            () -> new NodeIdentity("n", "host", 1, "host", 2, "CID", 3),
            List::of);
    return reporter.report().disks().get(0).frames().stream()
        .map(frame -> frame.load().limboBytes())
        .toList();
  }
}
