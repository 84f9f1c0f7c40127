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
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.WireProtection;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.rebuild.RebuildExecutor;
import io.hdfsparity.raidp.rebuild.RebuildTuning;
import io.hdfsparity.raidp.rebuild.RpcRebuildClients;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RAIDP in a DataNode, named in {@value DatasetHooks#CLASSES_KEY}: opens the disks with their
 * Lstors, gives each volume its {@link FrameEngine}, and starts what serves partners and reports to
 * the managers.
 *
 * <p>States: new → {@link #open}ed → {@link #started} → closed. Partners are refused before
 * started, so that none sees a node that has not been reconciled.
 *
 * <p>Thread-safety: open, volume, started and close are called by one thread after the other; the
 * rest from any.
 */
public final class RaidpDatasetHooks implements DatasetHooks {
  private static final Logger LOG = LoggerFactory.getLogger(RaidpDatasetHooks.class);
  private static final int BUSY_ATTEMPTS = 40;
  private static final long BUSY_PAUSE_MS = 50;

  private final NodeFrames frames = new NodeFrames();
  private final List<RefusedDisk> refused = new CopyOnWriteArrayList<>();
  private final Map<Path, DiskEngine> disksByRoot = new ConcurrentHashMap<>();
  private final List<VolumeSwitch> volumes = new CopyOnWriteArrayList<>();

  /** Closed in reverse order. */
  private final Deque<Closeable> resources = new ConcurrentLinkedDeque<>();

  private DataNode datanode;
  private DatasetAccess dataset;
  private Configuration conf;
  private NodeOptions options;
  private DiskContext context;
  private DiskOpener opener;
  private PeerBook peers;
  private ServiceFlag gate;
  private SettleWorkers workers;
  private volatile @Nullable RaidpPeerProtocol peerService;
  private Map<Path, List<Path>> directories = Map.of();

  /** Made by the bridge, by name. */
  public RaidpDatasetHooks() {}

  @Override
  public void open(DataNode node, DatasetAccess access, Configuration nodeConf) throws IOException {
    WireProtection.requireRpcAsDataTransfer(nodeConf, "images and parity of RAIDP");
    datanode = node;
    dataset = access;
    conf = nodeConf;
    options = RaidpOptions.node(nodeConf);
    gate = new ServiceFlag(node.getConf(), node);
    peers = keep(new PeerBook(new Configuration(nodeConf), options.peerTimeoutMs()));
    context =
        new DiskContext(
            options, Clock.system(), peers, new BlockPool(), BUSY_ATTEMPTS, BUSY_PAUSE_MS);
    opener = new DiskOpener(context, node.getClusterId(), node.getDatanodeUuid());
    directories = framesByRoot(nodeConf);
    for (int i = 0; i < options.diskRoots().size(); i++) {
      openDisk(
          options.diskRoots().get(i),
          options.lstorDirs().get(i),
          directories.get(options.diskRoots().get(i)));
    }
  }

  private void openDisk(Path root, Path lstorDir, List<Path> directories) {
    try {
      DiskEngine disk = keep(opener.open(root, lstorDir, directories));
      frames.add(disk);
      disksByRoot.put(root, disk);
      LOG.info(
          "Disk is open: diskId={} root={} lstor={} entries={}",
          disk.diskId(),
          root,
          lstorDir,
          disk.lstor().stats().entries());
    } catch (IOException e) {
      refuse(root, e);
    }
  }

  private void refuse(Path root, IOException cause) {
    LOG.error(
        "Disk is refused; its replicas can be read, but nothing on it may change: root={}",
        root,
        cause);
    refused.add(new RefusedDisk(root, NodeReporter.diskIdOf(root), cause.toString()));
  }

  /** Data directories by the disk root that each lies directly under. */
  private Map<Path, List<Path>> framesByRoot(Configuration nodeConf) throws IOException {
    Map<Path, List<Path>> byRoot = new LinkedHashMap<>();
    options.diskRoots().forEach(root -> byRoot.put(root, new ArrayList<>()));
    for (StorageLocation location : DataNode.getStorageLocations(nodeConf)) {
      Path directory = Path.of(location.getUri().getPath()).normalize();
      List<Path> of = byRoot.get(directory.getParent());
      if (of == null) {
        throw new IOException(
            "Cannot use data directory: dfs.datanode.data.dir="
                + directory
                + ", expected it directly under one of dfs.parity.raidp.disk.roots="
                + options.diskRoots());
      }
      of.add(directory);
    }
    for (Map.Entry<Path, List<Path>> each : byRoot.entrySet()) {
      if (each.getValue().isEmpty()) {
        throw new IOException(
            "Cannot use disk: frames=0, expected at least one entry of dfs.datanode.data.dir directly under "
                + each.getKey());
      }
    }
    return byRoot;
  }

  @Override
  public VolumeHooks volume(String storageId, File root) throws IOException {
    Path directory = root.toPath().toAbsolutePath().normalize();
    VolumeSwitch volume = new VolumeSwitch(directory, storageId, hooks(storageId, directory));
    volumes.add(volume);
    return volume;
  }

  private VolumeHooks hooks(String storageId, Path directory) throws IOException {
    Path diskRoot = directory.getParent();
    DiskEngine disk = disksByRoot.get(diskRoot);
    if (disk != null) {
      try {
        FrameEngine engine =
            opener.addFrame(disk, directory, storageId, () -> poolsOf(directory), gate);
        frames.add(engine);
        return engine;
      } catch (IOException e) {
        // The disk fails as a whole; frames that were added before get refusals from it.
        disk.fail(e.toString());
        LOG.error(
            "Frame is refused and with it its disk: storageId={} file={}", storageId, directory, e);
      }
      return new RefusedDisk(diskRoot, disk.diskId(), disk.failure().orElse("")).hooks();
    }
    return refused.stream()
        .filter(each -> each.root().equals(diskRoot))
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "Cannot add volume: root="
                        + directory
                        + ", expected it directly under one of dfs.parity.raidp.disk.roots="
                        + options.diskRoots()))
        .hooks();
  }

  private static List<String> poolsOf(Path directory) {
    Path current = directory.resolve("current");
    if (!Files.isDirectory(current)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(current)) {
      return children
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("BP-"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void started(String blockPoolId) throws IOException {
    context.pool().use(blockPoolId);
    workers = new SettleWorkers(context.clock());
    for (DiskEngine disk : frames.disks()) {
      reconcile(disk);
    }
    ReplicaHealer healer = new ReplicaHealer(frames, dataset);
    Scrubber scrubber =
        new Scrubber(
            frames,
            bad ->
                datanode.reportBadBlocks(
                    new ExtendedBlock(
                        blockPoolId, bad.blockId(), bad.lengthBytes(), bad.generationStamp())),
            healer::heal);
    LstorRebuilds rebuilds = new LstorRebuilds(frames, new RefusedDisks());
    peerService =
        new PeerService(
            frames,
            scrubber::run,
            request ->
                request.action() == LstorRebuildRequest.Action.START
                    ? rebuilds.start(request.diskId())
                    : rebuilds.status(request.diskId()),
            healer::heal);
    keep(() -> peerService = null);
    keep(workers);
    frames.engines().forEach(workers::add);
    keep(NodeMetrics.register(datanode.getDatanodeUuid(), frames, refused, scrubber, gate::isOpen));
    startAgent();
    // Closed first: it must not take a disk into service behind the back of what closes them.
    keep(rebuilds);
  }

  private final class RefusedDisks implements LstorRebuilds.Refused {
    @Override
    public boolean contains(String diskId) {
      return refused.stream().anyMatch(disk -> disk.diskId().equals(diskId));
    }

    @Override
    public Path lstorFile(Path diskRoot, String diskId) {
      return DiskOpener.lstorFile(lstorDir(diskRoot), diskId);
    }

    @Override
    public DiskEngine reopen(String diskId) throws IOException {
      return RaidpDatasetHooks.this.reopen(diskId);
    }
  }

  private Path lstorDir(Path diskRoot) {
    return options.lstorDirs().get(options.diskRoots().indexOf(diskRoot));
  }

  /**
   * Takes a refused disk into service with a new Lstor. Nothing on it changed while it was refused,
   * so it is brought up as at a start; reports and hooks change over when it is ready. What HDFS
   * was ordered to delete meanwhile is still there, and HDFS is told: the partner deletes its copy.
   */
  private DiskEngine reopen(String diskId) throws IOException {
    RefusedDisk old =
        refused.stream().filter(each -> each.diskId().equals(diskId)).findFirst().orElseThrow();
    List<VolumeSwitch> own =
        volumes.stream().filter(v -> v.directory().getParent().equals(old.root())).toList();
    List<Path> wanted = directories.get(old.root());
    if (own.size() != wanted.size()) {
      throw new IOException(
          "Cannot rebuild Lstor: volumes="
              + own.size()
              + ", expected all "
              + wanted.size()
              + " frames of the disk in service, disk="
              + diskId
              + " file="
              + old.root());
    }
    DiskEngine disk = opener.openAnew(old.root(), lstorDir(old.root()), wanted);
    Map<VolumeSwitch, FrameEngine> engines = new LinkedHashMap<>();
    try {
      for (VolumeSwitch volume : own) {
        Path directory = volume.directory();
        engines.put(
            volume,
            opener.addFrame(disk, directory, volume.storageId(), () -> poolsOf(directory), gate));
      }
      for (FrameEngine engine : engines.values()) {
        new Reconciler(engine).run();
      }
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
    resources.addLast(disk);
    engines.values().forEach(frames::add);
    synchronized (refused) {
      frames.add(disk);
      refused.remove(old);
    }
    disksByRoot.put(old.root(), disk);
    engines.forEach(VolumeSwitch::serveBy);
    engines.values().forEach(workers::add);
    for (VolumeSwitch volume : own) {
      dataset.findRefusedDeletes(volume.storageId());
    }
    LOG.info("Disk is in service again with a new Lstor: diskId={} root={}", diskId, old.root());
    return disk;
  }

  private void reconcile(DiskEngine disk) throws IOException {
    Optional<String> missing =
        disk.failure().isPresent() ? Optional.empty() : DiskHealth.missingFrames(disk);
    if (missing.isPresent()) {
      LOG.error("Disk is not whole: disk={} cause={}", disk.diskId(), missing.get());
      disk.fail(missing.get());
    }
    if (disk.failure().isPresent()) {
      return;
    }
    try {
      for (FrameEngine engine : frames.enginesOf(disk)) {
        new Reconciler(engine).run();
      }
    } catch (IOException e) {
      LOG.error("Disk cannot be reconciled: disk={}", disk.diskId(), e);
      disk.fail(e.toString());
    }
  }

  /**
   * What answers partners.
   *
   * @throws ConnectException before the node has been reconciled, and when it has ended
   */
  RaidpPeerProtocol peerService() throws ConnectException {
    RaidpPeerProtocol now = peerService;
    if (now == null) {
      throw new ConnectException(
          "Cannot serve a partner: raidp=not started, expected the disks in service");
    }
    return now;
  }

  private void startAgent() throws IOException {
    Configuration agentConf = new Configuration(conf);
    RpcRebuildClients rebuildClients =
        keep(new RpcRebuildClients(agentConf, options.peerTimeoutMs()));
    RebuildExecutor rebuilds =
        keep(
            new RebuildExecutor(
                dataset,
                rebuildClients,
                RebuildTuning.defaults(),
                Kernels.best(),
                context.clock(),
                storageId -> Optional.empty()));
    long incarnation = context.clock().millis();
    NodeReporter reporter =
        new NodeReporter(
            frames, refused, () -> identity(agentConf, incarnation), rebuilds::statuses);
    Agent.Managers managers =
        new Agent.RpcManagers(
            agentConf, options.peerTimeoutMs(), () -> NameNodeServers.addresses(agentConf));
    Agent agent =
        keep(
            new Agent(
                frames,
                reporter,
                peers,
                managers,
                rebuilds::submit,
                dataset::declareFailed,
                new LeftoverReports(
                    () ->
                        datanode.triggerBlockReport(
                            new BlockReportOptions.Factory().setIncremental(false).build()),
                    options.leftoverReportIntervalMs(),
                    context.clock())));
    agent.start(options.reportIntervalMs());
  }

  /** Before the DataNode's server listens, and without it, partners find nobody at port 0. */
  private NodeReporter.Identity identity(Configuration agentConf, long incarnation) {
    InetSocketAddress server = gate.server().orElse(new InetSocketAddress(0));
    String host;
    try {
      host = BindHosts.advertised(agentConf, server);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot tell partners this node's host", e);
    }
    return new NodeReporter.Identity(
        datanode.getDatanodeUuid(),
        datanode.getDatanodeHostname(),
        datanode.getXferPort(),
        host,
        server.getPort(),
        opener.clusterId(),
        incarnation);
  }

  private <C extends Closeable> C keep(C resource) {
    resources.push(resource);
    return resource;
  }

  @Override
  public Set<String> widenFailure(Set<String> storageIds) {
    Set<String> wide = new HashSet<>(storageIds);
    for (DiskEngine disk : frames.disks()) {
      if (disk.storageIds().stream().anyMatch(storageIds::contains)) {
        wide.addAll(disk.storageIds());
      }
    }
    return wide;
  }

  @Override
  public void failed(Set<String> storageIds) {
    for (DiskEngine disk : frames.disks()) {
      if (disk.storageIds().stream().anyMatch(storageIds::contains)) {
        try {
          disk.fail("HDFS took volumes of the disk out of service: " + storageIds);
        } catch (IOException e) {
          LOG.warn(
              "Lstor of a failed disk could not be closed cleanly; its journal will be replayed: disk={}",
              disk.diskId(),
              e);
        }
      }
    }
  }

  @Override
  public boolean toleratesVolumeFailures() {
    return true;
  }

  /** Stops what was started, last first; disks come last and checkpoint their Lstors. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (IOException e) {
        failure = e;
        LOG.warn("Cannot close a part of RAIDP; going on with the others", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
