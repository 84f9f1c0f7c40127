/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.layout.LayoutPlan;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Storage;
import org.junit.jupiter.api.Test;

/** Plans of new superchunks, of which no frame has reported yet. */
class LayoutApplierTest {
  private static final long NOW_MS = 1_800_000_000_000L;

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
  private final LayoutApplier applier =
      new LayoutApplier(map, new ManagerOptions.Layout(0, 0, Coefficients.THREE));
  private final Map<String, Node> nodes = new TreeMap<>();

  /** A node with one disk and one free frame reports. */
  private void join(String name) {
    String storage = "DS-" + name;
    nodes.put(
        name,
        new Node(
            name,
            new Address(name, "10.0.0.1", 1, 2),
            "/" + name,
            true,
            "NORMAL",
            List.of(new Storage(storage, "DISK", false, true, 1, 0, 1, 0))));
    map.report(Reports.node(name, Reports.spare(storage, 0)), 0);
  }

  private LayoutPlan planAndApply() throws Exception {
    LayoutPlan plan = applier.plan(nodes, NOW_MS);
    applier.apply(plan);
    return plan;
  }

  @Test
  void aSecondPlanOfTheSameSecondTakesOtherIds() throws Exception {
    join("a");
    join("b");
    List<SuperchunkPair> all = new ArrayList<>(planAndApply().added());
    assertThat(all).hasSize(1);
    join("c");
    join("d");
    all.addAll(planAndApply().added());
    assertThat(all).extracting(SuperchunkPair::id).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void framesThatAreOrderedAlreadyAreNotPlannedAgain() throws Exception {
    join("a");
    join("b");
    planAndApply();
    assertThat(planAndApply().added()).isEmpty();
  }
}
