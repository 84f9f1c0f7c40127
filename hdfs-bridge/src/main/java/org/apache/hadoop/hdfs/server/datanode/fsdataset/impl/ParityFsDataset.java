/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.Rethrow;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.common.Storage.StorageDirectory;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutSubLockStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.ParityFileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.StorageView;
import org.apache.hadoop.hdfs.server.datanode.SuspectReplicas;
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
 * Locks as FsDatasetImpl does: directory lock by DataNodeLayoutSubLockStrategy. Checked for Hadoop
 * 3.5.0. Thread-safe.
 *
 * <p>Not final: Hadoop's own tests, which are run with it, put a spy around the dataset.
 */
public class ParityFsDataset extends FsDatasetImpl {
  private static final Logger LOG = LoggerFactory.getLogger(ParityFsDataset.class);
  private final Configuration conf;
  private final DatasetHookChain hooks;
  private final DataNodeLayoutSubLockStrategy subLocks = new DataNodeLayoutSubLockStrategy();
  private final SnapshotServing serving;
  private final Set<String> stockPools = ConcurrentHashMap.newKeySet();
  private final Object pools = new Object();
  private volatile @Nullable String blockPoolId;
  private volatile boolean isStarted;

  /** The storage id of the volume that a thread is adding. */
  private final ThreadLocal<@Nullable String> madeHere = new ThreadLocal<>();

  private volatile String refusal = "the dataset's hooks have not started yet";

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
    this.conf = conf;
    this.hooks = hooks;
    serving =
        new SnapshotServing(
            conf.getInt(
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT),
            this::isStock,
            (storageId, block) -> SuspectReplicas.mark(datanode, storageId, block));
  }

  /** Whether a block pool is HDFS's alone. */
  private boolean isStock(String pool) {
    return stockPools.contains(pool);
  }

  /** As {@link DatasetHooks#pairsVolumes}. */
  boolean pairsVolumes() {
    return hooks.pairsVolumes();
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
    for (StorageLocation location : locations) {
      super.addVolume(location, List.of());
    }
    madeHere.remove();
  }

  @Override
  public FsVolumeImpl createFsVolume(
      String storageId, StorageDirectory directory, StorageLocation location) throws IOException {
    if (hooks.isEmpty()) {
      return super.createFsVolume(storageId, directory, location);
    }
    StartRules.check(location);
    if (storageMap.containsKey(storageId)) {
      throw new IOException(
          "Cannot add volume: storageId="
              + storageId
              + ", expected one that no volume in service has, file="
              + directory.getRoot());
    }
    madeHere.set(storageId);
    VolumeHooks allPools = hooks.volume(storageId, directory.getRoot());
    if (allPools == null) {
      LOG.info("Volume stays stock: storageId={}, file={}", storageId, directory.getRoot());
      return super.createFsVolume(storageId, directory, location);
    }
    VolumeHooks volumeHooks = new PoolHooks(allPools, this::isStock);
    RefusedDeletes refused = new RefusedDeletes();
    // The directory scanner passes over blocks that are being deleted; one that stays must not be
    // taken for such.
    ParityFileIoProvider files =
        new ParityFileIoProvider(
            conf,
            datanode,
            directory.getCurrentDir(),
            volumeHooks,
            (pool, blockId, file) -> {
              removeDeletedBlocks(pool, Set.of(blockId));
              refused.add(pool, blockId, file);
            });
    return new ParityVolume(
        this,
        storageId,
        directory,
        files,
        conf,
        new DF(directory.getRoot(), conf),
        volumeHooks,
        refused,
        isStarted ? ParityVolume.Added.LATER : ParityVolume.Added.AT_START);
  }

  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> namespaces)
      throws IOException {
    if (hooks.pairsVolumes()) {
      throw new IOException(
          "Cannot add volume: location="
              + location
              + ", expected paired volumes to be added by a restart of the DataNode");
    }
    try {
      super.addVolume(location, namespaces);
      startAdded(location);
    } finally {
      forgetUnlessInService(madeHere.get());
      madeHere.remove();
    }
  }

  /** What is on the volume is known; nobody has been told yet. */
  private void startAdded(StorageLocation location) throws IOException {
    for (FsVolumeImpl volume : getVolumeList()) {
      if (location.equals(volume.getStorageLocation())
          && volume instanceof ParityVolume added
          && added.isStarting()) {
        boolean isServing = false;
        try {
          hooks.added(added.getStorageID());
          added.started();
          isServing = true;
        } finally {
          if (!isServing) {
            removeVolumes(List.of(location), /* clearFailure= */ true);
            ((StorageView) dataStorage).remove(List.of(location));
          }
        }
      }
    }
  }

  private void forgetUnlessInService(@Nullable String storageId) {
    if (storageId != null
        && getVolumeList().stream().noneMatch(each -> each.getStorageID().equals(storageId))) {
      hooks.failed(Set.of(storageId));
    }
  }

  @Override
  public void removeVolumes(Collection<StorageLocation> locations, boolean clearFailure) {
    // clearFailure marks a reconfiguration. DataNode.refreshVolumes catches the IOException and
    // reports it.
    if (hooks.pairsVolumes()
        && clearFailure
        && getVolumeList().stream().anyMatch(v -> locations.contains(v.getStorageLocation()))) {
      throw Rethrow.unchecked(
          new IOException(
              "Cannot remove volumes: locations="
                  + locations
                  + ", expected paired volumes to be removed by failing their disk or by a"
                  + " restart of the DataNode"));
    }
    Set<String> removed =
        getVolumeList().stream()
            .filter(volume -> locations.contains(volume.getStorageLocation()))
            .map(FsVolumeImpl::getStorageID)
            .collect(Collectors.toSet());
    super.removeVolumes(locations, clearFailure);
    if (clearFailure && !removed.isEmpty()) {
      hooks.failed(removed);
    }
  }

  // ---- block pool ----

  String blockPoolId() {
    String pool = blockPoolId;
    if (pool == null) {
      throw new IllegalStateException(
          "Cannot tell the block pool: blockPoolId=null, expected a call after addBlockPool");
    }
    return pool;
  }

  @Override
  public void addBlockPool(String pool, Configuration poolConf) throws IOException {
    if (hooks.isEmpty()) {
      super.addBlockPool(pool, poolConf);
      return;
    }
    // Pools come on threads of their own; which is the hooks' depends on what came before.
    synchronized (pools) {
      addPool(pool, poolConf);
    }
  }

  private void addPool(String pool, Configuration poolConf) throws IOException {
    String known = blockPoolId;
    boolean isTaken = hooks.takesPool(pool);
    if (isTaken && known != null && !known.equals(pool)) {
      throw new IOException(
          "Cannot add block pool: blockPoolId="
              + pool
              + ", expected only "
              + known
              + ": parity covers one block pool a DataNode");
    }
    if (isTaken) {
      blockPoolId = pool;
    } else {
      LOG.info("Block pool is served as by HDFS alone: blockPoolId={}", pool);
      stockPools.add(pool);
    }
    Configuration scanning = new Configuration(poolConf);
    scanning.set(DFSConfigKeys.DFS_DATANODE_REPLICA_CACHE_EXPIRY_TIME_KEY, "0");
    try {
      super.addBlockPool(pool, scanning);
    } catch (AddBlockPoolException e) {
      // What DataNode.initBlockPool would do with it; done here so that the hooks start on the
      // volumes that are left.
      datanode.handleVolumeFailures(new HashSet<>(e.getFailingVolumes().keySet()));
      cacheManager.initCache(pool);
    }
    if (isTaken) {
      start(pool);
    }
  }

  private void start(String pool) throws IOException {
    try {
      hooks.started(pool);
      refusal = "";
      isStarted = true;
    } catch (IOException | RuntimeException e) {
      refusal = "the dataset's hooks failed to start: " + e.getMessage();
      throw new IOException(
          "Cannot start block pool: blockPoolId="
              + pool
              + ", expected the dataset's hooks to start: "
              + e.getMessage(),
          e);
    }
  }

  private void refuseUnlessServing(ExtendedBlock block) throws IOException {
    if (!hooks.isEmpty() && !refusal.isEmpty() && !isStock(block.getBlockPoolId())) {
      throw new IOException(
          "Cannot write replica: block=" + block + ", expected a dataset in service: " + refusal);
    }
  }

  @Override
  public void shutdown() {
    refusal = "the DataNode is shutting down";
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
    refuseUnlessServing(block);
    return super.createRbw(type, storageId, block, lazyPersist, newGenerationStamp);
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType type, String storageId, ExtendedBlock block, boolean transfer)
      throws IOException {
    refuseUnlessServing(block);
    return super.createTemporary(type, storageId, block, transfer || isSuperseded(block));
  }

  /**
   * Whether a complete replica of ours is older than the one that arrives. Stock HDFS refuses the
   * arrival and copies to another node; the second replica of a pair has no other place, so the old
   * one gives way, as it does for a transfer.
   */
  private boolean isSuperseded(ExtendedBlock block) {
    ReplicaInfo replica =
        hooks.isEmpty() ? null : volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    return replica != null && replica.getGenerationStamp() < block.getGenerationStamp();
  }

  @Override
  public ReplicaHandler append(ExtendedBlock block, long newGenerationStamp, long expectedBytes)
      throws IOException {
    refuseUnlessServing(block);
    return super.append(block, newGenerationStamp, expectedBytes);
  }

  @Override
  public ReplicaHandler recoverAppend(
      ExtendedBlock block, long newGenerationStamp, long expectedBytes) throws IOException {
    refuseUnlessServing(block);
    return super.recoverAppend(block, newGenerationStamp, expectedBytes);
  }

  @Override
  public ReplicaHandler recoverRbw(
      ExtendedBlock block, long newGenerationStamp, long minBytes, long maxBytes)
      throws IOException {
    refuseUnlessServing(block);
    return super.recoverRbw(block, newGenerationStamp, minBytes, maxBytes);
  }

  /** {@inheritDoc} A finalized replica only gets another generation stamp: the hooks are told. */
  @Override
  public Replica recoverClose(ExtendedBlock block, long newGenerationStamp, long expectedBytes)
      throws IOException {
    refuseUnlessServing(block);
    Replica closed = super.recoverClose(block, newGenerationStamp, expectedBytes);
    changedInPlace(block.getBlockPoolId(), block.getBlockId());
    return closed;
  }

  /**
   * {@inheritDoc} A finalized replica is cut, or only renamed, without being finalized again: the
   * hooks are told.
   */
  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock block, long recoveryId, long newBlockId, long newLengthBytes)
      throws IOException {
    refuseUnlessServing(block);
    Replica updated =
        super.updateReplicaUnderRecovery(block, recoveryId, newBlockId, newLengthBytes);
    changedInPlace(block.getBlockPoolId(), block.getBlockId());
    return updated;
  }

  private void changedInPlace(String pool, long blockId) throws IOException {
    ReplicaInfo seen = volumeMap.get(pool, blockId);
    if (seen == null || !(seen.getVolume() instanceof ParityVolume volume)) {
      return;
    }
    try (AutoCloseDataSetLock lock = lockDirectory(pool, volume, blockId)) {
      ReplicaInfo replica = volumeMap.get(pool, blockId);
      // Reopened or deleted by another thread since: then that one has told the hooks.
      if (replica != null && replica.getState() == ReplicaState.FINALIZED) {
        volume
            .hooks()
            .finalizing(
                pool,
                blockId,
                replica.getGenerationStamp(),
                new File(replica.getBlockURI()),
                new File(replica.getMetadataURI()),
                replica.getNumBytes());
      }
    }
  }

  AutoCloseDataSetLock lockDirectory(String pool, FsVolumeSpi volume, long blockId) {
    return acquireDatasetLockManager()
        .writeLock(LockLevel.DIR, pool, volume.getStorageID(), subLocks.blockIdToSubLock(blockId));
  }

  @Override
  public void checkAndUpdate(String pool, ScanInfo found) throws IOException {
    if (!(found.getVolume() instanceof ParityVolume volume)) {
      super.checkAndUpdate(pool, found);
      return;
    }
    try (AutoCloseDataSetLock lock = lockDirectory(pool, volume, found.getBlockId())) {
      if (ScannedFiles.announce(
          volumeMap.get(pool, found.getBlockId()), pool, volume, found, hooks.pairsVolumes())) {
        super.checkAndUpdate(pool, found);
      }
    } catch (IOException e) {
      // The scanner would give up its whole round; this file is seen again in the next one.
      LOG.error(
          "Cannot take note of a file found by the directory scanner: blockId={}, file={}",
          found.getBlockId(),
          found.getBlockFile(),
          e);
    }
  }

  @Override
  public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination)
      throws IOException {
    try (VolumeHooks.Move move = beginMove(block)) {
      return super.moveBlockAcrossVolumes(block, destination);
    }
  }

  @Override
  public ReplicaInfo moveBlockAcrossStorage(ExtendedBlock block, StorageType type, String storageId)
      throws IOException {
    try (VolumeHooks.Move move = beginMove(block)) {
      return super.moveBlockAcrossStorage(block, type, storageId);
    }
  }

  private VolumeHooks.Move beginMove(ExtendedBlock block) throws IOException {
    ReplicaInfo replica = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    if (replica != null && replica.getVolume() instanceof ParityVolume volume) {
      return volume.hooks().moving(block.getBlockPoolId(), block.getBlockId());
    }
    if (!hooks.pairsVolumes()) {
      return () -> {};
    }
    throw new IOException(
        "Cannot move replica: block="
            + block
            + ", expected no DiskBalancer, Mover or storage policy satisfier on a DataNode with"
            + " paired volumes");
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

  @Override
  public InputStream getBlockInputStream(ExtendedBlock block, long offset) throws IOException {
    UnitLengths.require(
        block, volumeMap.get(block.getBlockPoolId(), block.getBlockId()), Thread.currentThread());
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
    for (FsVolumeImpl volume : getVolumeList()) {
      if (volume.getStorageID().equals(storageId) && volume instanceof ParityVolume parity) {
        return parity;
      }
    }
    throw new ReplicaNotFoundException(
        "Cannot find volume: storageId="
            + storageId
            + ", expected a volume with hooks that is in service");
  }

  @Override
  public void handleVolumeFailures(Set<FsVolumeSpi> failed) {
    if (hooks.isEmpty()) {
      super.handleVolumeFailures(failed);
      return;
    }
    Set<String> ids = failed.stream().map(FsVolumeSpi::getStorageID).collect(Collectors.toSet());
    Set<String> wide = hooks.widenFailure(ids);
    Set<FsVolumeSpi> others =
        getVolumeList().stream()
            .filter(v -> wide.contains(v.getStorageID()) && !ids.contains(v.getStorageID()))
            .collect(Collectors.toSet());
    super.handleVolumeFailures(failed);
    // The DataNode removes from its own books only what it passed in, and its set may not be
    // modifiable: so the others go
    // through the DataNode, which calls here again with a set that widens no further.
    if (!others.isEmpty()) {
      LOG.warn("Volumes fail with {}: {}", ids, others);
      datanode.handleVolumeFailures(others);
    }
    hooks.failed(ids);
  }

  @Override
  public boolean hasEnoughResource() {
    return hooks.toleratesVolumeFailures() || super.hasEnoughResource();
  }
}
