/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MissingLstorDaemonsTest {
  private static final long STALE_MS = 3_000;
  private static final long DEAD_MS = 8_000;

  private static String figure(SimCluster sim) {
    return ManagerFigures.of(sim.manager, List.of()).get("nodesWithoutLstorDaemon");
  }

  @Test
  void aDaemonThatWasNeverStartedIsNamedAfterTheGraceTime() throws Exception {
    SimCluster sim = new SimCluster(new Random(1), 4, 2, 6, 2);
    sim.nodes.get(2).disks.forEach(disk -> disk.lstorDaemonUp = false);
    int graceSteps = (int) (SimCluster.options().silence().deadMs() / 1_000);
    sim.steps(graceSteps);
    assertThat(figure(sim)).as("the first look was a step after the start").isEqualTo("0");
    assertThat(sim.manager.missing(List.of())).isEmpty();

    sim.steps(1);
    assertThat(figure(sim)).isEqualTo("1");
    List<Problem> problems = sim.manager.missing(List.of());
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).kind()).isEqualTo(Problem.Kind.LSTOR_DAEMON_MISSING);
    assertThat(problems.get(0).subject()).isEqualTo("n02");
    assertThat(problems.get(0).detail())
        .contains("disks=n02-d0,n02-d1,n02-d2,n02-d3 and 2 more,", "hdfs --daemon start lstor");
    assertThat(ManagerPage.of(sim.manager, List.of()).toString()).contains("lstor daemon missing");

    sim.nodes.get(2).disks.forEach(disk -> disk.lstorDaemonUp = true);
    sim.step();
    assertThat(figure(sim)).isEqualTo("0");
    assertThat(sim.manager.missing(List.of())).isEmpty();
  }

  @Test
  void aDaemonThatHasDiedIsNamedToo() throws Exception {
    SimCluster sim = new SimCluster(new Random(2), 4, 2, 1, 2);
    int graceSteps = (int) (SimCluster.options().silence().deadMs() / 1_000);
    sim.steps(graceSteps + 5);
    assertThat(figure(sim)).isEqualTo("0");
    sim.nodes.get(1).disks.get(0).lstorDaemonUp = false;
    sim.steps(2 * graceSteps);
    assertThat(figure(sim)).isEqualTo("1");
  }

  @Test
  void anLstorWithoutDaemonIsNotCalledHeld() throws Exception {
    SimCluster sim = new SimCluster(new Random(3), 2, 2, 1, 2);
    sim.nodes.get(1).disks.get(0).lstorDaemonUp = false;
    sim.step();
    Documents documents = new Documents(sim.manager.map().view(), Map.of());
    assertThat(documents.lstors().findValuesAsText("state"))
        .containsExactly("HELD_BY_DATANODE", "NO_DAEMON");
  }

  /** A disk is named when it worked without an Lstor in each look of the grace time. */
  @Test
  void namesWhatADumbTwinNames() {
    SeededRuns.of(100).check(MissingLstorDaemonsTest::compareWithTwin);
  }

  private static void compareWithTwin(Random random) {
    int nodes = 1 + random.nextInt(4);
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(STALE_MS, DEAD_MS), Coefficients.THREE, 1_000);
    MissingLstorDaemons daemons = new MissingLstorDaemons(DEAD_MS);
    List<List<Boolean>> lacking = new ArrayList<>();
    boolean[] hasNode = new boolean[nodes];
    boolean[] hasDaemon = new boolean[nodes];
    boolean[] isOk = new boolean[nodes];
    Arrays.fill(isOk, true);
    for (long nowMs = 1_000; nowMs < 120_000; nowMs += 1_000) {
      for (int n = 0; n < nodes; n++) {
        String uuid = "n" + n;
        hasNode[n] ^= random.nextInt(25) == 0;
        hasDaemon[n] ^= random.nextInt(15) == 0;
        isOk[n] ^= random.nextInt(40) == 0;
        if (hasNode[n]) {
          map.report(
              Reports.node(
                  uuid, isOk[n] ? DiskState.OK : DiskState.LSTOR_FAILED, Reports.spare("s" + n, 0)),
              nowMs);
        }
        if (hasDaemon[n]) {
          map.report(Reports.lstor(uuid, true), nowMs);
        }
      }
      map.advance(nowMs);
      ClusterView view = map.view();
      daemons.look(view, nowMs);
      List<Boolean> now = new ArrayList<>();
      TreeSet<String> expected = new TreeSet<>();
      for (int n = 0; n < nodes; n++) {
        NodeState node = view.nodes().get("n" + n);
        LstorState lstor = view.lstors().get("n" + n + "-d");
        boolean works =
            node != null
                && node.silence() != NodeState.Silence.DEAD
                && node.report().disks().get(0).state() == DiskState.OK;
        now.add(works && (lstor == null || !lstor.reachable()));
      }
      lacking.add(now);
      int looks = 1 + (int) (DEAD_MS / 1_000);
      for (int n = 0; n < nodes; n++) {
        int node = n;
        if (lacking.size() >= looks
            && lacking.subList(lacking.size() - looks, lacking.size()).stream()
                .allMatch(each -> each.get(node))) {
          expected.add("n" + n);
        }
      }
      assertThat(daemons.problems(view))
          .as("at %d", nowMs)
          .extracting(Problem::subject)
          .containsExactlyElementsOf(expected);
      assertThat(daemons.nodes()).isEqualTo(expected.size());
    }
  }
}
