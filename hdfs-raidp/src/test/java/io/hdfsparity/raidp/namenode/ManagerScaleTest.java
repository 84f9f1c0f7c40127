/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.IncrementalReports;
import io.hdfsparity.raidp.wire.ReportSize;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A simulation: reports of a large cluster to a manager, all by one thread. Figures are in {@code
 * benchmarks/results/raidp-manager}, with their values of {@code -Dmanager.nodes -Dmanager.disks
 * -Dmanager.frames -Dmanager.changed}.
 */
@Tag("full")
class ManagerScaleTest {
  private static final int NODES = Integer.getInteger("manager.nodes", 100);
  private static final int DISKS = Integer.getInteger("manager.disks", 12);
  private static final int FRAMES = Integer.getInteger("manager.frames", 64);

  /** Frames whose numbers change between two reports of a node. */
  private static final int CHANGED = Integer.getInteger("manager.changed", 20);

  private final String[] volumes = new String[NODES * DISKS];
  private final String[] uuids = new String[NODES];
  private final int[][] freeUnits = new int[NODES * DISKS][FRAMES];
  private final OptionalLong[] receipts = new OptionalLong[NODES];

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(600_000, 600_000), Coefficients.THREE, 0);
  private final NodeReports reports =
      new NodeReports(
          map,
          new NodeRoster(Map.of(), nodes -> {}),
          id -> Optional.of(new Registrations.Registered("10.0.0.1", Set.of(), storages(id))),
          new Grants(60_000),
          null,
          () -> "CID",
          () -> false,
          () -> 1,
          600_000);

  private Set<String> storages(String uuid) {
    int node = Integer.parseInt(uuid.substring(uuid.length() - 6));
    return Set.of(Arrays.copyOfRange(volumes, node * DISKS, (node + 1) * DISKS));
  }

  /** Volume v shares superchunks with volumes of other nodes on both sides of it. */
  private NodeReport full(int node) {
    List<DiskReport> disks = new ArrayList<>();
    for (int d = 0; d < DISKS; d++) {
      int v = node * DISKS + d;
      List<FrameReport> frames = new ArrayList<>(FRAMES);
      for (int f = 0; f < FRAMES; f++) {
        int step = DISKS + f / 2;
        int other = Math.floorMod(f % 2 == 0 ? v + step : v - step, volumes.length);
        long id = (1L << 50) + (long) (f / 2) * volumes.length + (f % 2 == 0 ? v : other);
        frames.add(
            new FrameReport(
                volumes[v],
                f,
                Optional.of(new Pairing(id, 3, volumes[other], uuids[other / DISKS], 1 + f % 2)),
                new FrameReport.Load(freeUnits[v][f], 0, 1, 0, 0),
                false));
      }
      disks.add(
          new DiskReport(
              "disk-" + v,
              "/data/" + d,
              DiskState.OK,
              Optional.of(LstorGeometry.of(FRAMES, 4096, 1 << 20)),
              frames,
              Optional.empty()));
    }
    return new NodeReport(identity(node), disks, List.of());
  }

  private NodeIdentity identity(int node) {
    return new NodeIdentity(uuids[node], "host-" + node, 9866, "host-" + node, 9877, "CID", 1);
  }

  @Test
  void reportsOfALargeCluster() throws IOException {
    for (int v = 0; v < volumes.length; v++) {
      volumes[v] = "DS-00000000-0000-0000-0000-%012d".formatted(v);
      Arrays.fill(freeUnits[v], 4096);
    }
    for (int n = 0; n < NODES; n++) {
      uuids[n] = "00000000-0000-0000-0000-%012d".formatted(n);
    }
    long superchunks = (long) NODES * DISKS * FRAMES / 2;
    say("nodes", NODES + ", disks a node " + DISKS + ", superchunks a disk " + FRAMES);
    say("superchunks", superchunks);
    long heapBefore = usedBytes();
    long first = 0;
    long bytes = 0;
    for (int n = 0; n < NODES; n++) {
      NodeReport report = ReportSize.overTheWire(full(n));
      bytes += ReportSize.of(report);
      first += send(n, report);
    }
    assertThat(map.view().count(SuperchunkState.ACTIVE)).isEqualTo(superchunks);
    say("a full report, bytes", bytes / NODES);
    say(
        "time to be complete, processor seconds (registration of all, or a restarted manager)",
        seconds(first));
    long heap = usedBytes() - heapBefore;
    say("heap a superchunk, bytes", heap / superchunks);

    Random random = new Random(1);
    long changed = 0;
    bytes = 0;
    for (int n = 0; n < NODES; n++) {
      IncrementalReports agent = new IncrementalReports();
      agent.answered(full(n), receipts[n]);
      for (int i = 0; i < CHANGED; i++) {
        freeUnits[n * DISKS + random.nextInt(DISKS)][random.nextInt(FRAMES)]--;
      }
      NodeReport next = agent.next(full(n));
      bytes += ReportSize.of(next);
      changed += send(n, ReportSize.overTheWire(next));
    }
    say("an incremental report with " + CHANGED + " frames, bytes", bytes / NODES);
    say("a round of incremental reports of all nodes, processor seconds", seconds(changed));

    say("heap a superchunk after that, bytes", (usedBytes() - heapBefore) / superchunks);
    long empty = 0;
    bytes = 0;
    for (int n = 0; n < NODES; n++) {
      NodeReport next = new NodeReport(identity(n), List.of(), List.of(), receipts[n]);
      bytes += ReportSize.of(next);
      empty += send(n, ReportSize.overTheWire(next));
    }
    say("a report without changes, bytes", bytes / NODES);
    say("a round of reports without changes of all nodes, processor seconds", seconds(empty));

    long begin = processorTime();
    map.advance(2);
    map.advance(1_000_000);
    say("all nodes lost at once, processor seconds", seconds(processorTime() - begin));
  }

  private long send(int node, NodeReport report) throws IOException {
    long begin = processorTime();
    receipts[node] = reports.reportNode(report).receipt();
    long took = processorTime() - begin;
    assertThat(receipts[node]).isPresent();
    return took;
  }

  /** Of this thread: others may use the machine. */
  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static String seconds(long nanos) {
    return "%.2f".formatted(nanos / (double) TimeUnit.SECONDS.toNanos(1));
  }

  private static void say(String name, Object value) {
    System.out.println("raidp-manager: " + name + " = " + value);
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
