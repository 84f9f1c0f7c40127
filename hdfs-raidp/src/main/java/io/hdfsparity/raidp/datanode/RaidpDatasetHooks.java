/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.bridge.wire.WireProtection;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.RaidpRangeProtocol;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.SuspectReplicas;
import org.jspecify.annotations.Nullable;

/**
 * RAIDP in a DataNode, named in {@value DatasetHooks#CLASSES_KEY}: opens the disks with their
 * Lstors, gives each volume its {@link VolumeFrames}, and starts what serves partners and reports
 * to the managers.
 *
 * <p>States: new → {@link #open}ed → {@link #started} → closed. Partners are refused before
 * started, so that none sees a node that has not been reconciled.
 *
 * <p>Thread-safety: open, started and close are called by one thread after the other; the rest from
 * any.
 */
public final class RaidpDatasetHooks implements DatasetHooks {
  private static final int BUSY_ATTEMPTS = 40;
  private static final long BUSY_PAUSE_MS = 50;

  /**
   * Assignments come with the answers to reports, each second by default. Two DataNodes of a
   * pipeline wait in turn, and for the manager before: in all less than the client's 60 s.
   */
  private static final long ASSIGNMENT_WAIT_MS = 3_000;

  private final NodeResources resources = new NodeResources();
  private volatile @Nullable Opened opened;
  private volatile @Nullable NodeServices services;

  /** The node and its disks, from {@link #open} on. */
  private record Opened(
      RaidpNode node, NodeDisks disks, FrameQuestions questions, DiskPlaces places) {}

  /** Made by the bridge, by name. */
  public RaidpDatasetHooks() {}

  @Override
  public void open(DataNode datanode, DatasetAccess dataset, Configuration conf)
      throws IOException {
    WireProtection.requireRpcAsDataTransfer(conf, "images and parity of RAIDP");
    NodeOptions options = RaidpOptions.node(conf);
    PeerBook peers =
        resources.closeFirst(new PeerBook(new Configuration(conf), options.peerTimeoutMs()));
    ServiceFlag gate = new ServiceFlag(datanode.getConf(), datanode);
    DiskContext context =
        new DiskContext(
            options,
            Clock.system(),
            peers,
            new BlockPool(),
            BUSY_ATTEMPTS,
            BUSY_PAUSE_MS,
            (storageId, block) -> SuspectReplicas.mark(datanode, storageId, block));
    DiskPlaces places = DiskPlaces.of(conf, options.disks());
    DiskOpener opener =
        new DiskOpener(
            context,
            datanode.getClusterId(),
            datanode.getDatanodeUuid(),
            options.frames().perVolume(),
            places::roots);
    NodeFrames frames = new NodeFrames();
    PlacementQuery query = resources.closeFirst(placements(datanode, new Configuration(conf)));
    FrameQuestions questions =
        new FrameQuestions(query::ask, frames, Clock.system(), ASSIGNMENT_WAIT_MS);
    opened =
        new Opened(
            new RaidpNode(datanode, dataset, conf, context, peers, gate),
            NodeDisks.open(
                places,
                new NodeDisks.Making(
                    opener,
                    gate,
                    questions::choiceOf,
                    () -> DiskPlaces.changed(datanode.getConf(), new HdfsConfiguration())),
                frames,
                resources),
            questions,
            places);
  }

  private static PlacementQuery placements(DataNode datanode, Configuration conf) {
    int timeoutMs = RaidpOptions.placementQueryTimeoutMs(conf);
    return new PlacementQuery(
        new PlacementQuery.RpcManagers(conf, () -> NameNodeServers.all(conf), timeoutMs),
        Clock.system(),
        datanode.getClusterId(),
        datanode.getDatanodeUuid(),
        timeoutMs);
  }

  private Opened opened() {
    Opened now = opened;
    if (now == null) {
      throw new IllegalStateException("not open");
    }
    return now;
  }

  @Override
  public VolumeHooks volume(String storageId, File root) throws IOException {
    return opened().disks().volume(storageId, root.toPath().toAbsolutePath().normalize());
  }

  @Override
  public Optional<String> storageFor(Optional<String> named, ExtendedBlock block)
      throws IOException {
    Opened node = opened();
    Optional<String> chosen = node.questions().storageFor(named, block);
    // Whatever has to be waited for is waited for here, as no lock of the dataset is held.
    Optional<VolumeFrames> volume = chosen.or(() -> named).flatMap(node.disks().frames()::volume);
    if (volume.isPresent()) {
      volume.get().reserveAhead(block.getBlockPoolId(), block.getBlockId(), block.getNumBytes());
    }
    return chosen;
  }

  @Override
  public void started(String blockPoolId) throws IOException {
    Opened node = opened();
    node.node().context().pool().use(blockPoolId);
    node.disks().reconcile();
    NodeServices started = new NodeServices(node.node(), node.disks(), resources, blockPoolId);
    services = started;
    resources.closeFirst(() -> services = null);
    started.start();
  }

  @Override
  public boolean allowsHotSwap() {
    return true;
  }

  @Override
  public void added(String storageId) throws IOException {
    services().added(storageId);
  }

  @Override
  public void removing(Set<String> storageIds) throws IOException {
    opened().disks().requireRemovable(storageIds);
  }

  /** Where the disks and Lstors are now; empty before they have been opened. */
  List<DiskPlaces.Place> places() {
    Opened now = opened;
    return now == null ? List.of() : now.places().all();
  }

  /**
   * What answers partners.
   *
   * @throws ConnectException before the node has been reconciled, and when it has ended
   */
  RaidpPeerProtocol peerService() throws ConnectException {
    return services().peerService();
  }

  /**
   * What decodes ranges of lost blocks.
   *
   * @throws ConnectException before the node has been reconciled, and when it has ended
   */
  RaidpRangeProtocol rangeService() throws ConnectException {
    return services().rangeService();
  }

  private NodeServices services() throws ConnectException {
    NodeServices now = services;
    if (now == null) {
      throw new ConnectException(
          "Cannot serve a caller: raidp=not started, expected the disks in service");
    }
    return now;
  }

  @Override
  public Set<String> widenFailure(Set<String> storageIds) {
    Opened now = opened;
    return now == null ? storageIds : now.disks().widenFailure(storageIds);
  }

  @Override
  public void failed(Set<String> storageIds) {
    Opened now = opened;
    if (now != null) {
      now.disks().failed(storageIds);
    }
  }

  @Override
  public void unconfigured(Set<Path> directories) {
    Opened now = opened;
    if (now != null) {
      now.disks().departed().unconfigured(directories);
    }
  }

  @Override
  public boolean toleratesVolumeFailures() {
    return true;
  }

  /** Stops what was started, last first; disks come last and checkpoint their Lstors. */
  @Override
  public void close() throws IOException {
    resources.close();
  }
}
