/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.wire.message.RecoverRequest;

/** What tests of recovery do with a cluster. */
final class RecoveryRuns {
  private RecoveryRuns() {}

  /** Forms superchunks, and waits until all have been stored. */
  static void layOut(SimCluster sim) throws Exception {
    sim.steps(2);
    sim.manager
        .layout()
        .apply(sim.manager.layout().plan(ShapeOfCluster.byUuid(sim.nodes()), sim.nowMs));
    sim.steps(20);
    assertThat(sim.manager.map().outstanding()).isEmpty();
  }

  static void writeBlocks(SimCluster sim) throws Exception {
    for (int i = 0; i < 40; i++) {
      assertThat(sim.write()).isPresent();
      if (i % 5 == 0) {
        sim.step();
      }
    }
    sim.steps(3);
  }

  static void recoverFully(SimCluster sim) throws Exception {
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    runUntilDone(sim);
  }

  static void runUntilDone(SimCluster sim) throws Exception {
    for (int i = 0; i < 600 && sim.manager.recovery().status().state() != State.DONE; i++) {
      sim.step();
    }
    assertThat(sim.manager.recovery().status().state())
        .as(() -> describe(sim))
        .isEqualTo(State.DONE);
  }

  /** What has not come to an end, and why. */
  static String describe(SimCluster sim) {
    StringBuilder b = new StringBuilder(sim.manager.recovery().status().state().toString());
    sim.manager.recovery().status().moves().stream()
        .filter(m -> m.phase() != RecoveryMove.Phase.DONE)
        .forEach(
            m -> {
              b.append("\n")
                  .append(m.kind())
                  .append(' ')
                  .append(m.superchunkId())
                  .append(" to ")
                  .append(m.receiver().frame())
                  .append(" epoch ")
                  .append(m.epoch())
                  .append(' ')
                  .append(m.phase())
                  .append(' ')
                  .append(m.note());
              sim.frames().stream()
                  .filter(
                      f ->
                          f.pairing.filter(p -> p.superchunkId() == m.superchunkId()).isPresent()
                              || f.ref().equals(m.receiver().frame()))
                  .forEach(
                      f ->
                          b.append("\n    ")
                              .append(f.ref())
                              .append(' ')
                              .append(f.disk.alive())
                              .append(' ')
                              .append(f.pairing)
                              .append(" rows ")
                              .append(f.rows.keySet()));
              b.append("\n    outstanding ").append(sim.manager.map().outstanding());
            });
    sim.manager.recovery().status().waiting().forEach(w -> b.append("\n").append(w));
    sim.manager.map().view().problems().forEach(p -> b.append("\n").append(p));
    return b.toString();
  }
}
