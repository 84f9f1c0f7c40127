/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.namenode.ReplicationCap;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * What a manager in the NameNode needs to know of nodes, storages and blocks, as immutable records.
 *
 * <p>Reaches, package-private in this package: DatanodeStorageInfo.getState, getRemaining,
 * getCapacity, getDfsUsed, getBlockIterator, numBlocks; BlockInfo's storages;
 * BlockManager.corruptReplicas, neededReconstruction; CorruptReplicasMap;
 * LowRedundancyBlocks.remove. Blocks are read under the block manager's read lock, at most {@link
 * #BATCH} at a time. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class NameNodeAccess {
  /** Blocks read under one hold of the lock. */
  public static final int BATCH = 10_000;

  /** A DataNode as the NameNode sees it. */
  public record Node(
      String uuid,
      Address address,
      String rack,
      boolean alive,
      String adminState,
      List<Storage> storages) {
    public Node {
      storages = List.copyOf(storages);
    }
  }

  /** Where a DataNode listens. */
  public record Address(String host, String ipAddress, int transferPort, int ipcPort) {}

  /**
   * A storage of a DataNode.
   *
   * @param type a name of {@link org.apache.hadoop.fs.StorageType}
   */
  public record Storage(
      String id,
      String type,
      boolean failed,
      boolean reported,
      long capacityBytes,
      long usedBytes,
      long remainingBytes,
      int blocks) {}

  /**
   * A replica that HDFS does not count, and would not copy.
   *
   * @param isRead somebody has read wrong bytes in it; else the NameNode itself has found that it
   *     is not one of the block as it is: its generation stamp, length or state is another
   */
  public record Mark(String storageId, boolean isRead) {}

  /**
   * A block of a storage.
   *
   * @param complete false while it is being written
   * @param storageIds of all its replicas, marked ones too
   */
  public record StoredBlock(
      long blockId,
      long generationStamp,
      long lengthBytes,
      boolean complete,
      int liveReplicas,
      List<Mark> marks,
      int wantedReplicas,
      List<String> storageIds) {
    public StoredBlock {
      marks = List.copyOf(marks);
      storageIds = List.copyOf(storageIds);
    }

    /** How many replicas are marked. */
    public int corruptReplicas() {
      return marks.size();
    }

    /** The mark of a replica. */
    public Optional<Mark> markAt(String storageId) {
      return marks.stream().filter(mark -> mark.storageId().equals(storageId)).findFirst();
    }
  }

  private final NameNode nameNode;
  private final ReplicationCap replicationCap;
  private final RedundancyScan scan;

  public NameNodeAccess(NameNode nameNode) {
    this.nameNode = nameNode;
    this.replicationCap = new ReplicationCap(nameNode.getNamesystem());
    this.scan = new RedundancyScan(namesystem());
  }

  private FSNamesystem namesystem() {
    return nameNode.getNamesystem();
  }

  private BlockManager blockManager() {
    return namesystem().getBlockManager();
  }

  /**
   * Makes the NameNode's policy ask {@code placement}. Call it again from time to time: a
   * reconfiguration replaces the policy object (BlockManager.refreshBlockPlacementPolicy).
   *
   * @throws IOException when another policy class is configured
   */
  public void attach(PairPlacement placement) throws IOException {
    policy().attach(placement, () -> NotedBlocks.of(blockManager()));
  }

  /**
   * From now on HDFS leaves re-replication of blocks that lie in pairs to the caller. Once is
   * enough.
   *
   * @param placement tells which nodes are left to HDFS
   * @param superchunks tells where a block belongs
   */
  public DegradedBlocks repair(PairPlacement placement, BlockSuperchunks superchunks) {
    SuperchunkRepair repair = new SuperchunkRepair(namesystem(), placement, superchunks);
    repair.attach();
    return repair;
  }

  /** Which directories and files are protected. */
  public ProtectionMarks marks() {
    return new ProtectionMarks(namesystem());
  }

  /** See {@link ReplicationCap#lowerSettled}. */
  public ReplicationCap.Lowering lowerReplication(long inodeId, Map<Long, Long> settled)
      throws IOException {
    return replicationCap.lowerSettled(inodeId, settled);
  }

  /** See {@link ReplicationCap#raise}. */
  public ReplicationCap.Raising raiseReplication(long inodeId, short replication)
      throws IOException {
    return replicationCap.raise(inodeId, replication);
  }

  /** See {@link UndecidedBlocks#lookAgain}. */
  public void lookAgain(Collection<Long> blockIds) {
    new UndecidedBlocks(namesystem()).lookAgain(blockIds);
  }

  /** {@code dfs.replication} of the NameNode. */
  public int defaultReplication() {
    return nameNode
        .getConf()
        .getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT);
  }

  /** Largest replication that the NameNode allows. */
  public int maxReplication() {
    return nameNode
        .getConf()
        .getInt(DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT);
  }

  /** After this time HDFS gives up a copy that no DataNode has reported. */
  public long pendingTimeoutMs() {
    return blockManager().pendingReconstruction.getTimeout();
  }

  /** How often the replication of a file was lowered to two since the NameNode has started. */
  public long loweredFiles() {
    return replicationCap.loweredFiles();
  }

  /** Refuses new blocks again. */
  public void detach(PairPlacement placement) throws IOException {
    policy().detach(placement);
  }

  private PairPlacementPolicy policy() throws IOException {
    BlockPlacementPolicy policy = blockManager().getBlockPlacementPolicy();
    if (policy instanceof PairPlacementPolicy pairs) {
      return pairs;
    }
    throw new IOException(
        "Cannot attach the placement: "
            + DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY
            + "="
            + policy.getClass().getName()
            + ", expected "
            + PairPlacementPolicy.class.getName());
  }

  /** True in the active NameNode. */
  public boolean isActive() {
    return nameNode.isActiveState();
  }

  public boolean isInSafeMode() {
    return namesystem().isInSafeMode();
  }

  /** Whether a DataNode is not known, or has sent no heartbeat of late. */
  public boolean isSilent(String nodeUuid) {
    DatanodeDescriptor node = blockManager().getDatanodeManager().getDatanode(nodeUuid);
    return node == null || NodeHeartbeats.isStale(blockManager(), node);
  }

  public String clusterId() {
    return namesystem().getClusterId();
  }

  public String blockPoolId() {
    return namesystem().getBlockPoolId();
  }

  /** Where clients reach the NameNode. */
  public InetSocketAddress rpcAddress() {
    return nameNode.getNameNodeAddress();
  }

  /**
   * Refuses a caller who is no superuser.
   *
   * @throws org.apache.hadoop.security.AccessControlException when not
   */
  public void checkSuperuser(String operation) throws IOException {
    SuperuserCheck.check(namesystem(), operation);
  }

  /** All nodes that have registered, dead ones too. */
  public List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (DatanodeDescriptor node : blockManager().getDatanodeManager().getDatanodes()) {
      nodes.add(node(node));
    }
    return List.copyOf(nodes);
  }

  /** A node by its UUID. */
  public Optional<Node> node(String nodeUuid) {
    return Optional.ofNullable(blockManager().getDatanodeManager().getDatanode(nodeUuid))
        .map(this::node);
  }

  private Node node(DatanodeDescriptor node) {
    List<Storage> storages = new ArrayList<>();
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      storages.add(
          new Storage(
              storage.getStorageID(),
              storage.getStorageType().name(),
              storage.getState() == DatanodeStorage.State.FAILED,
              storage.getBlockReportCount() > 0,
              storage.getCapacity(),
              storage.getDfsUsed(),
              storage.getRemaining(),
              storage.numBlocks()));
    }
    return new Node(
        node.getDatanodeUuid(),
        new Address(node.getHostName(), node.getIpAddr(), node.getXferPort(), node.getIpcPort()),
        node.getNetworkLocation(),
        node.isAlive(),
        node.getAdminState().name(),
        storages);
  }

  /**
   * The blocks of a storage in no order. The ids are taken under one hold of the lock, the rest in
   * batches; a block that is deleted meanwhile is left out.
   */
  public List<StoredBlock> blocks(String nodeUuid, String storageId) {
    DatanodeDescriptor node = blockManager().getDatanodeManager().getDatanode(nodeUuid);
    DatanodeStorageInfo storage = node == null ? null : node.getStorageInfo(storageId);
    if (storage == null) {
      return List.of();
    }
    // The list is linked through the blocks themselves, so it cannot be left and entered again.
    List<Block> ids = new ArrayList<>();
    readLocked(
        "listBlocks",
        () -> {
          for (Iterator<BlockInfo> it = storage.getBlockIterator(); it.hasNext(); ) {
            ids.add(new Block(it.next()));
          }
        });
    List<StoredBlock> blocks = new ArrayList<>(ids.size());
    for (int from = 0; from < ids.size(); from += BATCH) {
      List<Block> batch = ids.subList(from, Math.min(ids.size(), from + BATCH));
      readLocked("describeBlocks", () -> batch.forEach(id -> describe(id).ifPresent(blocks::add)));
    }
    return List.copyOf(blocks);
  }

  /** A block of the namespace. */
  public Optional<StoredBlock> block(long blockId) {
    List<StoredBlock> found = new ArrayList<>();
    readLocked("describeBlock", () -> describe(new Block(blockId)).ifPresent(found::add));
    return found.stream().findFirst();
  }

  private Optional<StoredBlock> describe(Block id) {
    return BlockDescriptions.of(blockManager(), id);
  }

  /** A replica that somebody reported as damaged. */
  public record CorruptReplica(StoredBlock block, String nodeUuid, String storageId) {}

  /**
   * Replicas of complete blocks that are marked as damaged and wanted, at most {@code limit}, in no
   * order. Units of erasure-coded blocks are none.
   *
   * @param wanted asked under the block manager's read lock, so it must not block; what it refuses
   *     takes no room
   */
  public List<CorruptReplica> corruptReplicas(int limit, Predicate<CorruptReplica> wanted) {
    List<Block> ids = new ArrayList<>();
    readLocked(
        "listCorruptBlocks",
        () -> ids.addAll(blockManager().corruptReplicas.getCorruptBlocksSet()));
    List<CorruptReplica> replicas = new ArrayList<>();
    for (int from = 0; from < ids.size() && replicas.size() < limit; from += BATCH) {
      List<Block> batch = ids.subList(from, Math.min(ids.size(), from + BATCH));
      readLocked(
          "describeCorruptReplicas",
          () -> {
            for (Block id : batch) {
              corruptReplicas(id).stream()
                  .filter(wanted)
                  .limit(limit - replicas.size())
                  .forEach(replicas::add);
            }
          });
    }
    return List.copyOf(replicas);
  }

  private List<CorruptReplica> corruptReplicas(Block id) {
    BlockInfo stored = blockManager().getStoredBlock(id);
    if (stored == null || stored.isStriped()) {
      return List.of();
    }
    StoredBlock block = describe(id).filter(StoredBlock::complete).orElse(null);
    if (block == null) {
      return List.of();
    }
    List<CorruptReplica> replicas = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager().getStorages(stored)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (blockManager().corruptReplicas.isReplicaCorrupt(stored, node)) {
        replicas.add(new CorruptReplica(block, node.getDatanodeUuid(), storage.getStorageID()));
      }
    }
    return replicas;
  }

  /**
   * Takes the mark from a replica that has been read and found good since. Stock HDFS has no way
   * back from the mark: it copies the block elsewhere and deletes the replica.
   *
   * @return whether the mark was there
   */
  public boolean clearCorrupt(CorruptReplica replica) {
    NameNodeLock.BLOCKS.writeLock(namesystem());
    try {
      BlockInfo stored = blockManager().getStoredBlock(new Block(replica.block().blockId()));
      DatanodeDescriptor node = blockManager().getDatanodeManager().getDatanode(replica.nodeUuid());
      if (stored == null
          || node == null
          || stored.getGenerationStamp() != replica.block().generationStamp()
          || !blockManager().corruptReplicas.removeFromCorruptReplicasMap(stored, node)) {
        return false;
      }
      blockManager()
          .neededReconstruction
          .remove(stored, LowRedundancyBlocks.QUEUE_WITH_CORRUPT_BLOCKS);
      LackingBlocks.queue(blockManager(), stored, 0);
      return true;
    } finally {
      NameNodeLock.BLOCKS.writeUnlock(namesystem(), "clearCorrupt");
    }
  }

  /** Whether HDFS, active and not in safe mode, knows of all blocks what replicas they lack. */
  public boolean hasLookedAtAllBlocks() {
    AtomicBoolean done = new AtomicBoolean();
    readLocked("checkRedundancyScan", () -> done.set(scan.isDone()));
    return done.get() && !isInSafeMode();
  }

  /** Whether the scan by which HDFS comes to know that has failed, and is not under way. */
  public boolean hasScanFailed() {
    AtomicBoolean failed = new AtomicBoolean();
    readLocked("checkFailedScan", () -> failed.set(scan.hasFailed()));
    return failed.get();
  }

  /** Begins that scan again if it has failed; nothing in safe mode. */
  public void repeatFailedScan() {
    scan.repeat();
  }

  /** How many blocks have no good replica. */
  public long missingBlockCount() {
    return blockManager().getMissingBlocksCount();
  }

  /** How many blocks have fewer replicas than wanted, the missing ones included. */
  public long underReplicatedCount() {
    return blockManager().numOfUnderReplicatedBlocks();
  }

  private void readLocked(String operation, Runnable read) {
    NameNodeLock.BLOCKS.readLock(namesystem());
    try {
      read.run();
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem(), operation);
    }
  }
}
