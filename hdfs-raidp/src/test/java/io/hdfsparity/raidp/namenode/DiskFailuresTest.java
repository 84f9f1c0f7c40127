/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DiskFailuresTest {
  private final CountDownLatch isLooking = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final List<String> refused = Collections.synchronizedList(new ArrayList<>());

  /** Each block has both replicas; who looks first takes long. */
  private DegradedBlocks blocks() {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    return (DegradedBlocks)
        Proxy.newProxyInstance(
            DegradedBlocks.class.getClassLoader(),
            new Class<?>[] {DegradedBlocks.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "lacking" -> new Lacking(Set.of(), true, 0);
                  case "hasUnknownBlock" -> false;
                  case "lastOn" -> {
                    if (isFirst.getAndSet(false)) {
                      isLooking.countDown();
                      mayGoOn.await();
                    }
                    yield Optional.of(new LastBlocks(true, List.of()));
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Thread failing(DiskFailures failures, SimDisk disk) {
    Thread thread =
        new Thread(
            () -> {
              try {
                failures.declare(
                    new FailDiskRequest(disk.id, FailDiskRequest.Check.OTHER_REPLICAS));
              } catch (IOException e) {
                refused.add(e.getMessage());
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void oneOfTwoDisksWithAllReplicasOfABlockIsRefused() throws Exception {
    SimCluster sim = new SimCluster(new Random(1), 6, 3, 2, 4);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    sim.manager.repairBy(new BlockRepair(blocks(), sim.questions, id -> true, 1, () -> 1L));
    List<SimDisk> pair =
        sim.blocks.values().iterator().next().stream()
            .map(storageId -> sim.framesOn(storageId).get(0).disk)
            .toList();
    DiskFailures failures = new DiskFailures(sim.manager);
    Thread first = failing(failures, pair.get(0));
    isLooking.await();
    Thread second = failing(failures, pair.get(1));
    Awaitility.await().until(() -> second.getState() == Thread.State.BLOCKED);
    mayGoOn.countDown();
    first.join();
    second.join();
    assertThat(refused)
        .singleElement()
        .asString()
        .contains("Cannot fail a disk: disk=" + pair.get(1).id, "superchunks=");
    assertThat(sim.manager.map().view().disks().get(pair.get(0).id).isDeclaredFailed()).isTrue();
    assertThat(sim.manager.map().view().disks().get(pair.get(1).id).isDeclaredFailed()).isFalse();
  }
}
