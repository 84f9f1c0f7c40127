/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.HeapBytes;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the manager keeps of superchunks on volumes with many frames. */
class SuperchunkHeapTest {
  private static final int VOLUMES = 160;
  private static final int FRAMES = 64;

  /** As {@link SuperchunkMap} says. */
  private static final double MAX_BYTES = 350;

  private final String[] volumes = new String[VOLUMES];
  private final String[] nodes = new String[VOLUMES];

  @Test
  void aSuperchunkTakesWhatItsMapSays() {
    for (int v = 0; v < VOLUMES; v++) {
      volumes[v] = "DS-00000000-0000-0000-0000-%012d".formatted(v);
      nodes[v] = "00000000-0000-0000-0000-%012d".formatted(v);
    }
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
    Grants grants = new Grants(1000);
    // The first round makes a view, and the second one brings newer reports beside it.
    for (int round = 0; round < 2; round++) {
      for (int v = 0; v < VOLUMES; v++) {
        NodeReport report = report(v, round);
        map.report(report, round);
        report.disks().forEach(d -> d.frames().forEach(f -> grants.report(f.ref(), 1, 100, 0, 0)));
      }
    }
    long superchunks = map.view().count(SuperchunkState.ACTIVE);
    assertThat(superchunks).isEqualTo((long) VOLUMES * FRAMES / 2);
    double bytes = (double) HeapBytes.of(map, grants) / superchunks;
    System.out.println("heap of a superchunk in the manager: " + bytes + " bytes");
    assertThat(bytes).isBetween(MAX_BYTES * 0.5, MAX_BYTES);
    assertThat(grants.openGrants()).isZero();
  }

  /** Volume v shares superchunks with the volumes next to it on both sides. */
  private NodeReport report(int v, int round) {
    List<FrameReport> frames = new ArrayList<>();
    for (int f = 0; f < FRAMES; f++) {
      int step = f / 2 + 1;
      int other = Math.floorMod(f % 2 == 0 ? v + step : v - step, VOLUMES);
      int first = f % 2 == 0 ? v : other;
      frames.add(
          new FrameReport(
              volumes[v],
              f,
              Optional.of(
                  new Pairing(
                      (long) step * VOLUMES + first, 1, volumes[other], nodes[other], 1 + f % 2)),
              new FrameReport.Load(100 - round, 0, 1 + round, 0, 0),
              false));
    }
    return Reports.node(nodes[v], frames.toArray(FrameReport[]::new));
  }
}
