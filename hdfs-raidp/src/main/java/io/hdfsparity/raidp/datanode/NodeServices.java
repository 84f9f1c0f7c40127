/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.rebuild.RangeReader;
import io.hdfsparity.raidp.rebuild.RebuildExecutor;
import io.hdfsparity.raidp.rebuild.RebuildTuning;
import io.hdfsparity.raidp.rebuild.RpcRebuildClients;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.RaidpRangeProtocol;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.jspecify.annotations.Nullable;

/**
 * What a DataNode runs on its reconciled disks: answers to partners, workers that settle blocks,
 * rebuilds, and the agent that reports to the managers. Thread-safe.
 */
final class NodeServices {
  private final RaidpNode node;
  private final NodeDisks disks;
  private final NodeResources resources;
  private final SettleWorkers workers;
  private final Scrubber scrubber;
  private final LstorRebuilds rebuilds;
  private final RaidpPeerProtocol peerService;
  private final RangeCounters ranges = new RangeCounters();
  private final String blockPoolId;
  private volatile @Nullable RaidpRangeProtocol rangeService;

  /**
   * @param resources closes what {@link #start} starts
   */
  NodeServices(RaidpNode node, NodeDisks disks, NodeResources resources, String blockPoolId) {
    this.node = node;
    this.disks = disks;
    this.resources = resources;
    this.blockPoolId = blockPoolId;
    workers = new SettleWorkers(node.context().clock());
    ReplicaHealer healer = new ReplicaHealer(disks.frames(), node.dataset());
    scrubber =
        new Scrubber(
            disks.frames(),
            bad ->
                node.datanode()
                    .reportBadBlocks(
                        new ExtendedBlock(
                            blockPoolId, bad.blockId(), bad.lengthBytes(), bad.generationStamp())),
            healer::heal);
    rebuilds = new LstorRebuilds(disks, this::reopen);
    peerService =
        new PeerService(
            disks.frames(),
            scrubber::run,
            request ->
                request.action() == LstorRebuildRequest.Action.START
                    ? rebuilds.start(request.diskId())
                    : rebuilds.status(request.diskId()),
            healer::heal,
            new ReleaseTickets(node.context().clock(), new SecureRandom()),
            new RefusedReplicas(disks::refusedVolume, blockPoolId));
  }

  /** Answers partners, from the constructor on. */
  RaidpPeerProtocol peerService() {
    return peerService;
  }

  /**
   * Decodes ranges for clients.
   *
   * @throws ConnectException before it is started
   */
  RaidpRangeProtocol rangeService() throws ConnectException {
    RaidpRangeProtocol now = rangeService;
    if (now == null) {
      throw new ConnectException(
          "Cannot decode a range of a lost block: raidp=not started, expected it in service");
    }
    return now;
  }

  void start() throws IOException {
    resources.closeFirst(workers);
    disks.frames().engines().forEach(workers::add);
    resources.closeFirst(
        NodeMetrics.register(
            node.datanode().getDatanodeUuid(),
            disks.frames(),
            disks.refused(),
            scrubber,
            node.gate()::isOpen,
            ranges));
    startAgent();
    // Closed first: it must not take a disk into service while the disks are closed.
    resources.closeFirst(rebuilds);
  }

  /** As {@link DatasetHooks#added}. */
  void added(String storageId) throws IOException {
    disks.added(storageId).forEach(workers::add);
  }

  /** What HDFS was ordered to delete meanwhile is still there; the partner deletes its copy. */
  private DiskEngine reopen(String diskId) throws IOException {
    NodeDisks.Reopened reopened = disks.reopen(diskId);
    reopened.engines().forEach(workers::add);
    for (VolumeSwitch volume : reopened.volumes()) {
      node.dataset().findRefusedDeletes(volume.storageId(), blockId -> true);
    }
    return reopened.disk();
  }

  private void startAgent() throws IOException {
    Configuration agentConf = new Configuration(node.conf());
    RpcRebuildClients rebuildClients =
        resources.closeFirst(
            new RpcRebuildClients(agentConf, node.context().options().peerTimeoutMs()));
    RebuildExecutor rebuilds =
        resources.closeFirst(
            new RebuildExecutor(
                node.dataset(),
                disks.frames(),
                rebuildClients,
                RebuildTuning.defaults(),
                Kernels.best(),
                node.context().clock(),
                storageId -> Optional.empty()));
    startRanges(agentConf, rebuildClients);
    long incarnation = node.context().clock().millis();
    NodeReporter reporter =
        new NodeReporter(
            disks.frames(),
            disks.refused(),
            () -> identity(agentConf, incarnation),
            rebuilds::statuses);
    Agent.Managers managers =
        new Agent.RpcManagers(
            agentConf,
            node.context().options().peerTimeoutMs(),
            () -> NameNodeServers.addresses(agentConf));
    Agent agent =
        resources.closeFirst(
            new Agent(
                disks.frames(),
                reporter,
                node.peers(),
                managers,
                rebuilds::submit,
                diskChanges(),
                new LeftoverReports(
                    () ->
                        node.datanode()
                            .triggerBlockReport(
                                new BlockReportOptions.Factory().setIncremental(false).build()),
                    node.context().options().leftoverReportIntervalMs(),
                    node.context().clock())));
    agent.start(node.context().options().reportIntervalMs());
  }

  private Agent.DiskChanges diskChanges() {
    return new Agent.DiskChanges() {
      @Override
      public void declareFailed(List<String> storageIds, String reason) {
        node.dataset().declareFailed(storageIds, reason);
      }

      @Override
      public void unneeded(List<String> diskIds) {
        disks.departed().forget(diskIds);
      }
    };
  }

  private void startRanges(Configuration conf, RpcRebuildClients clients) {
    RangeReader reader =
        resources.closeFirst(new RangeReader(clients, Kernels.best(), node.context().clock()));
    LostBlockQuery query =
        new LostBlockQuery(
            conf,
            node.context().options().peerTimeoutMs(),
            node.datanode().getDatanodeUuid(),
            blockPoolId);
    rangeService =
        new RangeService(
            blockPoolId,
            new RangeAccess(node.datanode()),
            query::find,
            reader::read,
            ranges,
            node.context().clock());
  }

  /** Before the DataNode's server listens, and without it, partners find nobody at port 0. */
  private NodeIdentity identity(Configuration agentConf, long incarnation) {
    InetSocketAddress server = node.gate().server().orElse(new InetSocketAddress(0));
    String host;
    try {
      host = BindHosts.advertised(agentConf, server);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot report this node's host to partners", e);
    }
    return new NodeIdentity(
        node.datanode().getDatanodeUuid(),
        node.datanode().getDatanodeHostname(),
        node.datanode().getXferPort(),
        host,
        server.getPort(),
        node.datanode().getClusterId(),
        incarnation);
  }
}
