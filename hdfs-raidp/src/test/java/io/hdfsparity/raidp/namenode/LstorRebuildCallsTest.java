/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.namenode.SimCluster.SimFrame;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest.Action;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The disk of {@link #ours} lost its Lstor; {@link #partner} mirrors it and has blocks. */
class LstorRebuildCallsTest {
  private final SimCluster sim = new SimCluster(new Random(3), 8, 2, 1, 8);
  private final List<String> asked = new ArrayList<>();
  private LstorRebuildCalls calls;
  private SimFrame ours;
  private SimFrame partner;
  private long blockId;

  @BeforeEach
  void fill() throws Exception {
    sim.steps(2);
    sim.manager
        .layout()
        .apply(sim.manager.layout().plan(ShapeOfCluster.byUuid(sim.nodes()), sim.nowMs));
    sim.steps(20);
    blockId = sim.write().orElseThrow();
    sim.steps(3);
    ours = sim.frames().stream().filter(f -> f.rows.containsKey(blockId)).findFirst().orElseThrow();
    partner = sim.framesOn(ours.pairing.orElseThrow().partnerStorageId()).get(0);
    calls =
        new LstorRebuildCalls(
            sim.manager.map()::view,
            sim,
            sim,
            (peer, request) -> {
              asked.add(peer.nodeUuid() + " " + request.diskId() + " " + request.action());
              return new LstorRebuildStatus(request.diskId(), Phase.RUNNING, "units", 0, 1, "");
            });
  }

  private LstorRebuildRequest start() {
    return new LstorRebuildRequest(ours.disk.id, Action.START);
  }

  @Test
  void goesToTheNodeThatOwnsTheDisk() throws Exception {
    calls.run(start());
    calls.run(new LstorRebuildRequest(ours.disk.id, Action.WATCH));
    assertThat(asked)
        .containsExactly(
            ours.disk.node.uuid + " " + ours.disk.id + " START",
            ours.disk.node.uuid + " " + ours.disk.id + " WATCH");
  }

  @Test
  void isAllowedWhileThePartnerIsDownWhenEveryBlockHasAGoodReplica() throws Exception {
    partner.disk.failed = true;
    sim.steps(3);
    assertThat(sim.manager.map().view().count(SuperchunkState.DEGRADED)).isPositive();
    calls.run(start());
    assertThat(asked).hasSize(1);
  }

  @Test
  void isRefusedWhenABlockMayComeBackFromNothingElse() throws Exception {
    partner.disk.failed = true;
    sim.blocks.put(blockId, new HashSet<>(Set.of(partner.storageId)));
    sim.steps(3);
    assertThatThrownBy(() -> calls.run(start()))
        .hasMessageContaining(
            "Cannot rebuild Lstor: blocks without a good replica=1 (first " + blockId)
        .hasMessageContaining("whose other disk " + partner.disk.id + " is down")
        .hasMessageContaining("disk=" + ours.disk.id);
    assertThat(asked).isEmpty();
  }

  @Test
  void isRefusedWhenNobodyCanTell() throws Exception {
    partner.disk.failed = true;
    partner.disk.lstorDaemonUp = false;
    sim.steps(40);
    assertThatThrownBy(() -> calls.run(start()))
        .hasMessageContaining("unreadable Lstor of disk=" + partner.disk.id);
    assertThat(asked).isEmpty();
  }

  @Test
  void isRefusedForDisksThatAreNotThere() throws Exception {
    assertThatThrownBy(() -> calls.run(new LstorRebuildRequest("none", Action.START)))
        .hasMessage("Cannot rebuild Lstor: disk=none, expected one of -status");
    ours.disk.failed = true;
    sim.steps(3);
    assertThatThrownBy(() -> calls.run(start())).hasMessageContaining("expected a disk in service");
    assertThat(asked).isEmpty();
  }
}
