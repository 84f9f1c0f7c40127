/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import io.hdfsparity.bridge.wire.ThisNameNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;

/** Describes a NameNode, active or not, without its namespace lock. Thread-safe. */
public final class NameNodeDescription implements SuiteStatusProtocol {
  private final NameNode nameNode;
  private final Supplier<List<FeatureStatus>> features;
  private final Supplier<Map<String, Integer>> ports;

  /**
   * @param features asked at each call
   * @param ports of the suite in DataNodes by UUID, asked at each call
   */
  public NameNodeDescription(
      NameNode nameNode,
      Supplier<List<FeatureStatus>> features,
      Supplier<Map<String, Integer>> ports) {
    this.nameNode = nameNode;
    this.features = features;
    this.ports = ports;
  }

  @Override
  public DaemonStatus describe() {
    Configuration conf = nameNode.getConf();
    // Before what takes longer, for the clock of the caller is compared with it.
    long clockMs = Time.now();
    return new DaemonStatus(
        DaemonStatus.Software.here(/* nativeCode= */ ""),
        clockMs,
        features.get(),
        ReportedKeys.of(conf),
        List.of(),
        Optional.of(facts(conf)),
        /* nodeUuid= */ "");
  }

  private NameNodeFacts facts(Configuration conf) {
    FSNamesystem namesystem = nameNode.getNamesystem();
    ThisNameNode self = ThisNameNode.of(conf);
    List<RegisteredNode> nodes =
        nodes(namesystem.getBlockManager().getDatanodeManager(), staleMs(conf), ports.get());
    return new NameNodeFacts(
        self.nameservice(),
        self.nameNodeId(),
        nameNode.getState(),
        namesystem.isInSafeMode(),
        StatusLimits.first(nodes, StatusLimits.MAX_NODES),
        Math.max(0, nodes.size() - StatusLimits.MAX_NODES),
        Arrays.stream(namesystem.getErasureCodingPolicyManager().getEnabledPolicies())
            .map(
                each ->
                    new EnabledPolicy(
                        each.getName(),
                        each.getCodecName(),
                        each.getNumDataUnits(),
                        each.getNumParityUnits()))
            .toList());
  }

  private static long staleMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
        DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
  }

  private static List<RegisteredNode> nodes(
      DatanodeManager manager, long staleMs, Map<String, Integer> ports) {
    List<RegisteredNode> nodes = new ArrayList<>();
    for (DatanodeInfo each : manager.getDatanodeListForReport(DatanodeReportType.LIVE)) {
      nodes.add(
          node(
              each,
              each.isStale(staleMs) ? DataNodeAvailability.STALE : DataNodeAvailability.LIVE,
              ports));
    }
    for (DatanodeInfo each : manager.getDatanodeListForReport(DatanodeReportType.DEAD)) {
      nodes.add(node(each, DataNodeAvailability.DEAD, ports));
    }
    return nodes;
  }

  private static RegisteredNode node(
      DatanodeInfo node, DataNodeAvailability state, Map<String, Integer> ports) {
    // Null of a node that only a hosts file names.
    String uuid = node.getDatanodeUuid() == null ? "" : node.getDatanodeUuid();
    boolean isInService = node.getAdminState() == DatanodeInfo.AdminStates.NORMAL;
    return new RegisteredNode(
        uuid,
        node.getIpAddr(),
        node.getHostName(),
        node.getXferPort(),
        node.getNetworkLocation(),
        isInService ? state : DataNodeAvailability.OUT_OF_SERVICE,
        ports.getOrDefault(uuid, 0));
  }
}
