/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.common.Storage.StorageDirectory;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.StorageView;
import org.apache.hadoop.hdfs.server.datanode.SuspectReplicas;
import org.apache.hadoop.hdfs.server.datanode.VolumeFailures;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's dataset with hooks. Without configured hooks it behaves as the stock one.
 *
 * <p>States: opening (constructor) → loading (addBlockPool) → serving, or refusing for good when
 * the hooks' start failed. Replicas are only made in serving.
 *
 * <p>Reaches, all package-private in FsDatasetImpl: the class and its constructor, volumeMap,
 * datanode, cacheManager, storageMap, dataStorage. Public but meant for tests: createFsVolume.
 * Locks as FsDatasetImpl does, by ReplicaLock. Checked for Hadoop 3.5.0. Thread-safe.
 *
 * <p>Not final: Hadoop's own tests, which are run with it, put a spy around the dataset.
 */
public class ParityFsDataset extends FsDatasetImpl {
  private static final Logger LOG = LoggerFactory.getLogger(ParityFsDataset.class);
  private final DatasetHookChain hooks;
  private final SnapshotServing serving;
  private final DatasetPools pools;
  private final DatasetVolumes volumesWithHooks;
  private final FinalizedReplicas finalized;
  private final UnlockedHooks unlocked;
  private final Object addingPool = new Object();

  /** Makes the dataset and its volumes. */
  static ParityFsDataset open(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    if (!DatasetHookChain.configured(conf)) {
      return new ParityFsDataset(datanode, storage, conf, DatasetHookChain.none());
    }
    DatasetHookChain hooks = DatasetHookChain.load(conf);
    StartRules.check(conf, hooks.needsNamedStorage(), hooks.pairsVolumes());
    StorageView view = new StorageView(storage);
    // The replica cache file names replicas without looking at them; hooks need to know what is
    // really there.
    Configuration scanning = new Configuration(conf);
    scanning.set(DFSConfigKeys.DFS_DATANODE_REPLICA_CACHE_EXPIRY_TIME_KEY, "0");
    StartRules.setVolumePolicy(scanning, hooks.needsNamedStorage());
    ParityFsDataset dataset = new ParityFsDataset(datanode, view, scanning, hooks);
    try {
      hooks.open(datanode, new DatasetAccessView(dataset), conf);
      dataset.loadVolumes(storage);
      view.showDirectories();
      return dataset;
    } catch (IOException | RuntimeException e) {
      dataset.shutdown();
      throw e;
    }
  }

  private ParityFsDataset(
      DataNode datanode, DataStorage storage, Configuration conf, DatasetHookChain hooks)
      throws IOException {
    super(datanode, storage, conf);
    this.hooks = hooks;
    pools = new DatasetPools(hooks);
    volumesWithHooks = new DatasetVolumes(this, hooks, pools, conf);
    finalized = new FinalizedReplicas(this, hooks);
    unlocked = new UnlockedHooks(this, pools);
    serving =
        new SnapshotServing(
            conf.getInt(
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT),
            pools::isStock,
            (storageId, block) -> SuspectReplicas.mark(datanode, storageId, block));
  }

  /** As {@link DatasetHooks#pairsVolumes}. */
  boolean pairsVolumes() {
    return hooks.pairsVolumes();
  }

  boolean hasHooks() {
    return !hooks.isEmpty();
  }

  /** The configured hooks of a type, for the service plugin of the same feature. */
  public <T extends DatasetHooks> Optional<T> hooks(Class<T> type) {
    return hooks.find(type);
  }

  private void loadVolumes(DataStorage storage) throws IOException {
    List<StorageLocation> locations = new ArrayList<>();
    for (int i = 0; i < storage.getNumStorageDirs(); i++) {
      locations.add(storage.getStorageDir(i).getStorageLocation());
    }
    // Each disk gets a thread that persists replicas, if there is a volume in memory before it.
    locations.sort(Comparator.comparing(each -> !each.getStorageType().isTransient()));
    for (StorageLocation location : locations) {
      super.addVolume(location, List.of());
    }
    volumesWithHooks.endAdding();
  }

  @Override
  public FsVolumeImpl createFsVolume(
      String storageId, StorageDirectory directory, StorageLocation location) throws IOException {
    if (hooks.isEmpty()) {
      return super.createFsVolume(storageId, directory, location);
    }
    ParityVolume made = volumesWithHooks.make(storageId, directory, location);
    return made == null ? super.createFsVolume(storageId, directory, location) : made;
  }

  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> namespaces)
      throws IOException {
    if (!hooks.allowsHotSwap()) {
      throw new IOException(
          "Cannot add volume: location="
              + location
              + ", expected paired volumes to be added by a restart of the DataNode");
    }
    try {
      super.addVolume(location, namespaces);
      volumesWithHooks.startAdded(location);
    } finally {
      volumesWithHooks.endAddingOne();
    }
  }

  @Override
  public void removeVolumes(Collection<StorageLocation> locations, boolean clearFailure) {
    // clearFailure marks a reconfiguration.
    if (clearFailure) {
      volumesWithHooks.requireRemovable(locations);
    }
    takeOut(locations, clearFailure);
    if (clearFailure) {
      hooks.unconfigured(
          locations.stream()
              .map(each -> Path.of(each.getUri().getPath()).normalize())
              .collect(Collectors.toSet()));
    }
  }

  /** Takes volumes out of service that stay in the configuration, or are removed from it. */
  void takeOut(Collection<StorageLocation> locations, boolean clearFailure) {
    Set<String> removed = volumesWithHooks.storageIds(locations);
    super.removeVolumes(locations, clearFailure);
    if (clearFailure && !removed.isEmpty()) {
      hooks.failed(removed);
    }
  }

  // ---- block pool ----

  String blockPoolId() {
    return pools.hooked();
  }

  @Override
  public void addBlockPool(String pool, Configuration poolConf) throws IOException {
    if (hooks.isEmpty()) {
      super.addBlockPool(pool, poolConf);
      return;
    }
    // Pools come on threads of their own; which is the hooks' depends on what came before.
    synchronized (addingPool) {
      addPool(pool, poolConf);
    }
  }

  private void addPool(String pool, Configuration poolConf) throws IOException {
    boolean isTaken = pools.take(pool);
    Configuration scanning = new Configuration(poolConf);
    scanning.set(DFSConfigKeys.DFS_DATANODE_REPLICA_CACHE_EXPIRY_TIME_KEY, "0");
    try {
      super.addBlockPool(pool, scanning);
    } catch (AddBlockPoolException e) {
      // What DataNode.initBlockPool would do with it; done here so that the hooks start on the
      // volumes that are left.
      VolumeFailures.handle(datanode, new HashSet<>(e.getFailingVolumes().keySet()));
      cacheManager.initCache(pool);
    }
    if (isTaken) {
      pools.start(pool);
    }
  }

  @Override
  public void shutdown() {
    pools.close();
    try {
      super.shutdown();
    } finally {
      hooks.close();
    }
  }

  // ---- replicas ----

  @Override
  public ReplicaHandler createRbw(
      StorageType type,
      String storageId,
      ExtendedBlock block,
      boolean lazyPersist,
      long newGenerationStamp)
      throws IOException {
    String storage = unlocked.storageForRbw(storageId, block, newGenerationStamp);
    return super.createRbw(type, storage, block, lazyPersist, newGenerationStamp);
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType type, String storageId, ExtendedBlock block, boolean transfer)
      throws IOException {
    String storage = unlocked.storageForTemporary(storageId, block);
    return super.createTemporary(type, storage, block, transfer || isSuperseded(block));
  }

  /**
   * Whether a complete replica of ours is older than the one that arrives. Stock HDFS refuses the
   * arrival and copies to another node; the second replica of a pair has no other place, so the old
   * one yields, as it does for a transfer.
   */
  private boolean isSuperseded(ExtendedBlock block) {
    ReplicaInfo replica =
        hooks.isEmpty() ? null : volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    return replica != null && replica.getGenerationStamp() < block.getGenerationStamp();
  }

  @Override
  public ReplicaInPipeline convertTemporaryToRbw(ExtendedBlock temporary) throws IOException {
    unlocked.beforeConversion(temporary);
    return super.convertTemporaryToRbw(temporary);
  }

  /** {@inheritDoc} The hooks of its volume do before, without a lock, what takes long. */
  @Override
  public void finalizeBlock(ExtendedBlock block, boolean fsyncDirectory) throws IOException {
    unlocked.finish(block, () -> super.finalizeBlock(block, fsyncDirectory));
  }

  /**
   * {@inheritDoc} BlockReceiver calls it also for a copy whose replica was refused. Stock HDFS then
   * throws ReplicaNotFoundException, which takes the place of the reason.
   */
  @Override
  public void unfinalizeBlock(ExtendedBlock block) throws IOException {
    if (volumeMap.get(block.getBlockPoolId(), block.getBlockId()) != null) {
      super.unfinalizeBlock(block);
    }
  }

  @Override
  public ReplicaHandler append(ExtendedBlock block, long newGenerationStamp, long expectedBytes)
      throws IOException {
    pools.requireServing(block);
    unlocked.beforeAppend(block, newGenerationStamp, expectedBytes);
    return super.append(block, newGenerationStamp, expectedBytes);
  }

  @Override
  public ReplicaHandler recoverAppend(
      ExtendedBlock block, long newGenerationStamp, long expectedBytes) throws IOException {
    pools.requireServing(block);
    unlocked.beforeAppend(block, newGenerationStamp, expectedBytes);
    return super.recoverAppend(block, newGenerationStamp, expectedBytes);
  }

  @Override
  public ReplicaHandler recoverRbw(
      ExtendedBlock block, long newGenerationStamp, long minBytes, long maxBytes)
      throws IOException {
    pools.requireServing(block);
    return super.recoverRbw(block, newGenerationStamp, minBytes, maxBytes);
  }

  /** {@inheritDoc} A finalized replica only gets another generation stamp: the hooks are called. */
  @Override
  public Replica recoverClose(ExtendedBlock block, long newGenerationStamp, long expectedBytes)
      throws IOException {
    pools.requireServing(block);
    Replica closed =
        unlocked.close(
            block,
            newGenerationStamp,
            expectedBytes,
            () -> super.recoverClose(block, newGenerationStamp, expectedBytes));
    finalized.changedInPlace(block.getBlockPoolId(), block.getBlockId());
    return closed;
  }

  /**
   * {@inheritDoc} A finalized replica is cut, or only renamed, without being finalized again: the
   * hooks are called.
   */
  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock block, long recoveryId, long newBlockId, long newLengthBytes)
      throws IOException {
    pools.requireServing(block);
    Replica updated =
        unlocked.endRecovery(
            block,
            recoveryId,
            newLengthBytes,
            () -> super.updateReplicaUnderRecovery(block, recoveryId, newBlockId, newLengthBytes));
    finalized.changedInPlace(block.getBlockPoolId(), block.getBlockId());
    return updated;
  }

  AutoCloseDataSetLock lockReplica(String pool, FsVolumeSpi volume, long blockId) {
    return ReplicaLock.write(this, pool, volume.getStorageID(), blockId);
  }

  @Override
  public void checkAndUpdate(String pool, ScanInfo found) throws IOException {
    if (!(found.getVolume() instanceof ParityVolume volume)) {
      super.checkAndUpdate(pool, found);
      return;
    }
    finalized.found(pool, volume, found, () -> super.checkAndUpdate(pool, found));
  }

  @Override
  public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination)
      throws IOException {
    try (VolumeHooks.Move move = finalized.beginMove(block)) {
      return super.moveBlockAcrossVolumes(block, destination);
    }
  }

  @Override
  public ReplicaInfo moveBlockAcrossStorage(ExtendedBlock block, StorageType type, String storageId)
      throws IOException {
    try (VolumeHooks.Move move = finalized.beginMove(block)) {
      return super.moveBlockAcrossStorage(block, type, storageId);
    }
  }

  // ---- reads of replicas that change in place ----

  @Override
  @Deprecated
  public @Nullable ReplicaInfo getReplica(String pool, long blockId) {
    return serving.view(pool, volumeMap.get(pool, blockId));
  }

  @Override
  public @Nullable LengthInputStream getMetaDataInputStream(ExtendedBlock block)
      throws IOException {
    LengthInputStream own =
        serving.meta(
            block.getBlockPoolId(), volumeMap.get(block.getBlockPoolId(), block.getBlockId()));
    return own == null ? super.getMetaDataInputStream(block) : own;
  }

  /**
   * Forgets a replica that a reader did not find, if a file of it is missing. HDFS 3.5 looks by
   * itself; HDFS 3.4 takes any FileNotFoundException for it, also one that refuses a read.
   */
  @Override
  public void invalidateMissingBlock(String pool, Block block) {
    // Without the lock: on a disk that hangs this takes long, and is done for each refused read.
    if (!lacksFiles(pool, block)) {
      return;
    }
    try (AutoCloseDataSetLock lock =
        acquireDatasetLockManager().writeLock(LockLevel.BLOCK_POOl, pool)) {
      if (lacksFiles(pool, block)) {
        super.invalidateMissingBlock(pool, block);
      }
    }
  }

  private boolean lacksFiles(String pool, Block block) {
    ReplicaInfo replica = volumeMap.get(pool, block);
    return replica != null && !(replica.blockDataExists() && replica.metadataExists());
  }

  @Override
  public InputStream getBlockInputStream(ExtendedBlock block, long offset) throws IOException {
    ReplicaInfo replica = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    UnitLengths.require(block, replica, Thread.currentThread());
    OrderedCopies.require(block, replica, ReadCallers::isOrderedCopy);
    InputStream own =
        serving.data(
            block.getBlockPoolId(),
            volumeMap.get(block.getBlockPoolId(), block.getLocalBlock()),
            offset);
    return own == null ? super.getBlockInputStream(block, offset) : own;
  }

  @Override
  public BlockLocalPathInfo getBlockLocalPathInfo(ExtendedBlock block) throws IOException {
    serving.requireNoLocalPath(
        block.getBlockPoolId(), volumeMap.get(block.getBlockPoolId(), block.getBlockId()));
    return super.getBlockLocalPathInfo(block);
  }

  @Override
  public boolean getPinning(ExtendedBlock block) throws IOException {
    return serving.isPinned(
            block.getBlockPoolId(), volumeMap.get(block.getBlockPoolId(), block.getBlockId()))
        || finalized.isPinned(block)
        || super.getPinning(block);
  }

  @Override
  public void cache(String pool, long[] blockIds) {
    super.cache(pool, serving.cacheable(blockIds, volumeMap, pool));
  }

  @Override
  public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String pool) {
    Map<DatanodeStorage, BlockListAsLongs> all = super.getBlockReports(pool);
    return hooks.isEmpty() ? all : serving.visible(pool, all, getVolumeList());
  }

  // ---- volumes ----

  ParityVolume parityVolume(String storageId) throws IOException {
    return volumesWithHooks.find(storageId);
  }

  @Override
  public void handleVolumeFailures(Set<FsVolumeSpi> failed) {
    if (hooks.isEmpty()) {
      super.handleVolumeFailures(failed);
      return;
    }
    Set<String> ids = failed.stream().map(FsVolumeSpi::getStorageID).collect(Collectors.toSet());
    Set<FsVolumeSpi> others = volumesWithHooks.failingWith(ids);
    super.handleVolumeFailures(failed);
    // The DataNode removes from its own books only what it passed in, and its set may not be
    // modifiable: so the others go
    // through the DataNode, which calls here again with a set that widens no further.
    if (!others.isEmpty()) {
      LOG.warn("Volumes fail with {}: {}", ids, others);
      VolumeFailures.handle(datanode, others);
    }
    hooks.failed(ids);
  }

  @Override
  public boolean hasEnoughResource() {
    return hooks.toleratesVolumeFailures() || super.hasEnoughResource();
  }
}
