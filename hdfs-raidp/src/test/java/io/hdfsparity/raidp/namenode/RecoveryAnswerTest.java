/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecoveryAnswerTest {
  private SimCluster sim;

  @BeforeEach
  void start() throws Exception {
    sim = new SimCluster(new Random(1), 4, 2, 1, 4);
    sim.steps(2);
    RecoveryRuns.layOut(sim);
  }

  private TextResponse answer(State state, OptionalLong replicasMissing, Long... givenUp) {
    return answer(state, 0, replicasMissing, givenUp);
  }

  private TextResponse answer(
      State state, int postponed, OptionalLong replicasMissing, Long... givenUp) {
    ClusterView view = sim.manager.map().view();
    RecoveryStatus none = RecoveryStatus.idle();
    return RecoveryAnswer.of(
        new RecoveryStatus(
            state, 0, 0, none.progress(), List.of(), List.of(), List.of(givenUp), List.of()),
        view,
        postponed,
        new Documents(view, ShapeOfCluster.byUuid(sim.nodes())),
        replicasMissing);
  }

  private int code(State state, Long... givenUp) {
    return answer(state, OptionalLong.empty(), givenUp).exitCode();
  }

  @Test
  void whereEachSuperchunkIsAPairOnlyAWaitIsAFailure() {
    assertThat(code(State.IDLE)).isZero();
    assertThat(code(State.RUNNING)).isZero();
    assertThat(code(State.DONE)).isZero();
    assertThat(code(State.WAITING)).isEqualTo(-1);
    assertThat(code(State.DONE, 7L)).as("given up").isEqualTo(-1);
  }

  /** The manager of a NameNode that has just become the active one is idle, and need not begin. */
  @Test
  void anEndWithSuperchunksThatLackASideIsAFailure() throws Exception {
    sim.disks().get(0).failed = true;
    sim.steps(2);
    assertThat(sim.manager.map().view().count(SuperchunkState.DEGRADED)).isPositive();
    assertThat(code(State.RUNNING)).isZero();
    assertThat(code(State.IDLE)).isEqualTo(-1);
    assertThat(code(State.DONE)).isEqualTo(-1);
    int degraded = (int) sim.manager.map().view().count(SuperchunkState.DEGRADED);
    assertThat(answer(State.DONE, degraded, OptionalLong.empty()).exitCode()).isZero();
    assertThat(answer(State.DONE, degraded - 1, OptionalLong.empty()).exitCode()).isEqualTo(-1);
  }

  @Test
  void missingReplicasAreCounted() {
    assertThat(answer(State.DONE, OptionalLong.of(5)).json()).contains("\"replicasMissing\":5");
    assertThat(answer(State.DONE, OptionalLong.empty()).json())
        .contains("\"replicasCounted\":false")
        .doesNotContain("replicasMissing");
  }
}
