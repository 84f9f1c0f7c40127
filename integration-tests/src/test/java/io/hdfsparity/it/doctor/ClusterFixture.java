/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.doctor;

import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DaemonKind;
import io.hdfsparity.bridge.doctor.LocalFacts;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.RegisteredNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.util.VersionInfo;

/** Facts about a cluster in which all is well, until a test changes them. */
final class ClusterFixture {
  static final String SUITE = "1.0";

  /** The one that these tests run on. */
  static final String HADOOP = VersionInfo.getVersion();

  static final String PAIRS = "org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy";

  private static final int DATANODES = 8;

  final Map<String, String> local = new TreeMap<>();
  final List<DaemonFixture> nameNodes = new ArrayList<>();
  final List<DaemonFixture> dataNodes = new ArrayList<>();
  String fileSystemProblem = "";
  String problem = "";

  /** Two NameNodes, eight DataNodes on two racks, all features. */
  ClusterFixture() {
    common(local);
    local.put("fs.hdfs.impl", "io.hdfsparity.ParityFileSystem");
    for (int i = 1; i <= 2; i++) {
      DaemonFixture each = new DaemonFixture(DaemonKind.NAMENODE, "nn" + i + ":9876");
      common(each.keys);
      each.nameNodeId = "nn" + i;
      each.haState = i == 1 ? "active" : "standby";
      each.serves("raidp", "superchunksDegraded", "0", "superchunksLost", "0", "problems", "0");
      each.serves(
          "izs",
          "guarded",
          "true",
          "replayAsserts",
          "false",
          "verifying",
          i == 1 ? "true" : "false",
          "verifyProblem",
          "",
          "suspectedData",
          "0",
          "givenUp",
          "0");
      each.serves("ecupdate", "openSessions", "0", "capableNodes", i == 1 ? "8" : "0");
      each.serves("caso");
      each.policies.add(new EnabledPolicy("IZS-4-4-64k", "izs", 4, 4));
      for (int node = 1; node <= DATANODES; node++) {
        each.nodes.add(node(node, DataNodeAvailability.LIVE));
      }
      nameNodes.add(each);
    }
    for (int i = 1; i <= DATANODES; i++) {
      DaemonFixture each = new DaemonFixture(DaemonKind.DATANODE, "dn" + i + ":9877");
      common(each.keys);
      each.serves(
          "raidp",
          "lstorsOnDiskDevice",
          "",
          "lstorsOnOtherDisk",
          "",
          "lstorsOnEachOther",
          "",
          "lstorsOpenToOthers",
          "");
      each.serves("izs");
      each.serves("ecupdate");
      dataNodes.add(each);
    }
  }

  private static void common(Map<String, String> keys) {
    keys.put("dfs.parity.features", "raidp,izs,ecupdate,caso");
    keys.put("dfs.namenode.plugins", "io.hdfsparity.ParityNameNodePlugin");
    keys.put("dfs.datanode.plugins", "io.hdfsparity.ParityDataNodePlugin");
    keys.put("dfs.block.access.token.enable", "true");
    keys.put("dfs.block.replicator.classname", PAIRS);
    keys.put(
        "dfs.block.placement.ec.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy");
    keys.put("dfs.replication", "3");
    keys.put("dfs.permissions.enabled", "true");
    keys.put("hadoop.security.authentication", "simple");
    keys.put("hadoop.rpc.protection", "authentication");
    keys.put("dfs.encrypt.data.transfer", "false");
  }

  private static RegisteredNode node(int number, DataNodeAvailability state) {
    return new RegisteredNode(
        "uuid" + number, "10.0.0." + number, "dn" + number, 9866, "/r" + number % 2, state, 9877);
  }

  DaemonFixture nameNode(int index) {
    return nameNodes.get(index);
  }

  DaemonFixture dataNode(int index) {
    return dataNodes.get(index);
  }

  /** The same change of all daemons and of this host. */
  ClusterFixture everywhere(String key, String value) {
    local.put(key, value);
    daemons(each -> each.key(key, value));
    return this;
  }

  ClusterFixture daemons(Consumer<DaemonFixture> change) {
    nameNodes.forEach(change);
    dataNodes.forEach(change);
    return this;
  }

  /** How both NameNodes see a DataNode. */
  ClusterFixture registered(int index, DataNodeAvailability state) {
    nameNodes.forEach(each -> each.nodes.set(index, node(index + 1, state)));
    return this;
  }

  ClusterFixture policy(EnabledPolicy policy) {
    nameNodes.forEach(each -> each.policies.add(policy));
    return this;
  }

  ClusterFacts facts() {
    return new ClusterFacts(
        new LocalFacts(SUITE, HADOOP, local, fileSystemProblem),
        nameNodes.stream().map(DaemonFixture::answer).toList(),
        dataNodes.stream().map(DaemonFixture::answer).toList(),
        problem);
  }
}
