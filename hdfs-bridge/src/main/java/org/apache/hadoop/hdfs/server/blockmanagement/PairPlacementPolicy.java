/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.Rethrow;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementPendingException;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.bridge.namenode.PairPlacement.Usable;
import io.hdfsparity.bridge.status.HadoopLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * Translates Hadoop's questions about placement to a {@link PairPlacement}, which is attached at
 * run time; the value of {@code dfs.block.replicator.classname}.
 *
 * <p>Until one is attached, and after {@code dfsadmin -reconfig} made a new policy object, a new
 * block is refused with an IOException that reaches the client (as RemoteException with its
 * message). Re-replication then chooses nothing: an exception in the RedundancyMonitor would
 * terminate the NameNode.
 *
 * <p>Blocks of pairs and others lie on the same nodes. The others are placed by Hadoop's default
 * policy: {@link BlockwisePlacement}.
 *
 * <p>Extends BlockPlacementPolicy and not the default policy, so that the stock Balancer refuses to
 * start beside it.
 *
 * <p>Reaches, package-private: BlockPlacementPolicy.chooseTarget with favored nodes (only new
 * blocks come that way: BlockManager.chooseTarget4NewBlock, whose callers declare IOException),
 * Host2NodesMap's type. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class PairPlacementPolicy extends BlockPlacementPolicy {
  private static final DatanodeStorageInfo[] NONE = DatanodeStorageInfo.EMPTY_ARRAY;

  /** Replicas of a pair. */
  static final short PAIR = 2;

  private volatile @Nullable PairPlacement placement;
  private volatile @Nullable NetworkTopology topology;
  private final BlockwisePlacement blockwise = new BlockwisePlacement();
  private volatile long staleMs = DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT;
  private volatile boolean excludeSlowNodes;
  private volatile int minBlocksForWrite = 1;

  @Override
  protected void initialize(
      Configuration conf, FSClusterStats stats, NetworkTopology clusterMap, Host2NodesMap hosts) {
    HadoopLine.current().require();
    topology = clusterMap;
    blockwise.initialize(conf, stats, clusterMap, hosts);
    staleMs =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT,
            TimeUnit.MILLISECONDS);
    excludeSlowNodes =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_EXCLUDE_SLOW_NODES_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_EXCLUDE_SLOW_NODES_ENABLED_DEFAULT);
  }

  /**
   * From now on asks {@code newPlacement}; attaching the same one again does nothing. Of blocks on
   * the same storages {@code blocks} knows which one is asked about.
   */
  void attach(PairPlacement newPlacement, Supplier<Optional<NotedBlocks>> blocks) {
    blockwise.know(blocks);
    placement = newPlacement;
  }

  /** Refuses new blocks again; {@code attached} is detached only if it is still the one asked. */
  public synchronized void detach(PairPlacement attached) {
    if (placement == attached) {
      placement = null;
    }
  }

  /** True when {@code candidate} is the one asked. */
  public boolean isAttached(PairPlacement candidate) {
    return placement == candidate;
  }

  /** True when one is asked. */
  public boolean isAttached() {
    return placement != null;
  }

  private StorageLookup storages() {
    return StorageLookup.of(topology, staleMs);
  }

  // ---- new blocks ----

  @Override
  DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockBytes,
      List<DatanodeDescriptor> favored,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    PairPlacement asked = placement;
    try {
      if (asked == null) {
        throw new IOException(
            "Cannot place a block: path="
                + path
                + ", expected a placement manager in the NameNode; its"
                + " plugin has not started or has failed, see the NameNode's log");
      }
      return chooseMixed(
          asked,
          new NewBlock(
              path, replicas, writer, excluded, blockBytes, favored, storagePolicy, flags));
    } catch (PlacementPendingException e) {
      // What clients retry, for some 12 s by default (locateFollowingBlock.retries).
      throw Rethrow.unchecked(new NotReplicatedYetException(e.getMessage()));
    } catch (PlacementRefusedException e) {
      throw Rethrow.unchecked(new IOException(e.getMessage(), e));
    } catch (IOException e) {
      throw Rethrow.unchecked(e);
    }
  }

  /** As in the call of the policy. */
  private record NewBlock(
      String path,
      int replicas,
      @Nullable Node writer,
      @Nullable Set<Node> excluded,
      long blockBytes,
      @Nullable List<DatanodeDescriptor> favored,
      @Nullable BlockStoragePolicy storagePolicy,
      @Nullable EnumSet<AddBlockFlag> flags) {}

  /** A pair for a block that is to be protected; else what HDFS chooses. */
  private DatanodeStorageInfo[] chooseMixed(PairPlacement asked, NewBlock block)
      throws PlacementRefusedException, IOException {
    boolean isProtected = block.replicas() >= PAIR && asked.isProtected(block.path());
    // If the file of an old name is protected it would be refused elsewhere; else it is plain
    // there.
    if (isProtected || block.replicas() == PAIR && asked.isOldName(block.path())) {
      try {
        return choosePair(asked, block);
      } catch (PlacementRefusedException e) {
        boolean mayBePlain =
            block.replicas() > PAIR
                && asked.isPlainWhenFull()
                && !(e instanceof PlacementPendingException);
        if (isProtected && !mayBePlain) {
          throw e;
        }
        LOG.debug("No pair for a block of {}: it is placed by HDFS", block.path(), e);
      }
    }
    return blockwise
        .plain()
        .chooseTarget(
            block.path(),
            block.replicas(),
            block.writer(),
            block.excluded(),
            block.blockBytes(),
            block.favored(),
            block.storagePolicy(),
            block.flags());
  }

  /** A pair on the storage type that the file's policy asks for, else on one it falls back to. */
  private DatanodeStorageInfo[] choosePair(PairPlacement asked, NewBlock block)
      throws PlacementRefusedException, IOException {
    StorageLookup known = storages();
    List<StorageType> types = PairStorageTypes.of(block.storagePolicy(), block.path());
    if (types.isEmpty()) {
      return choosePair(asked, block, known, known::hasSpace);
    }
    List<PlacementRefusedException> refusals = new ArrayList<>();
    for (StorageType type : types) {
      try {
        return choosePair(
            asked,
            block,
            known,
            (storageId, nodeUuid, bytes) ->
                known.isOfType(storageId, nodeUuid, type)
                    && known.hasSpace(storageId, nodeUuid, bytes));
      } catch (PlacementPendingException e) {
        throw e;
      } catch (PlacementRefusedException e) {
        refusals.add(e);
      }
    }
    throw new PlacementRefusedException(
        refusals.get(0).getMessage() + "; the storage policy allows disks of types " + types);
  }

  private static DatanodeStorageInfo[] choosePair(
      PairPlacement asked, NewBlock block, StorageLookup known, Usable usable)
      throws PlacementRefusedException, IOException {
    Set<String> excludedUuids = StorageLookup.uuids(block.excluded());
    List<DatanodeDescriptor> favored = block.favored();
    List<String> favoredUuids =
        favored == null
            ? List.of()
            : favored.stream().map(DatanodeDescriptor::getDatanodeUuid).toList();
    Optional<String> writerUuid = StorageLookup.uuid(block.writer());
    EnumSet<AddBlockFlag> flags = block.flags();
    if (writerUuid.isPresent() && flags != null && flags.contains(AddBlockFlag.NO_LOCAL_WRITE)) {
      Set<String> alsoWriter = new HashSet<>(excludedUuids);
      alsoWriter.add(writerUuid.get());
      try {
        return storages(
            known,
            asked.chooseNew(
                block.path(),
                PAIR,
                Optional.empty(),
                favoredUuids,
                alsoWriter,
                block.blockBytes(),
                usable),
            Optional.empty());
      } catch (PlacementRefusedException e) {
        // Only a hint, as in the default policy: tried again below with the writer's node, but not
        // in favor of it.
        LOG.debug("No pair without the writer's node {}", block.writer(), e);
        writerUuid = Optional.empty();
      }
    }
    return storages(
        known,
        asked.chooseNew(
            block.path(),
            PAIR,
            writerUuid,
            favoredUuids,
            excludedUuids,
            block.blockBytes(),
            usable),
        writerUuid);
  }

  /** The storages of the targets, the writer's own node first. */
  private static DatanodeStorageInfo[] storages(
      StorageLookup known, List<Target> targets, Optional<String> writerUuid) throws IOException {
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (Target target : targets) {
      DatanodeStorageInfo storage = known.find(target.storageId(), target.nodeUuid());
      if (storage == null) {
        throw new IOException(
            "Cannot place a block: storageId="
                + target.storageId()
                + ", expected a storage of node "
                + target.nodeUuid()
                + " that the NameNode knows");
      }
      storages.add(storage);
    }
    writerUuid.ifPresent(
        uuid ->
            storages.sort(
                Comparator.comparing(
                    s -> !s.getDatanodeDescriptor().getDatanodeUuid().equals(uuid))));
    return storages.toArray(NONE);
  }

  // ---- existing blocks: re-replication (returnChosen = false), another node for a pipeline
  // (returnChosen = true) ----

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      Set<Node> excluded,
      long blockBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    if (mayPlacePlain(path, returnChosen || !exists(writer, chosen, excluded))) {
      return blockwise
          .plain()
          .chooseTarget(
              path,
              replicas,
              writer,
              chosen,
              returnChosen,
              excluded,
              blockBytes,
              storagePolicy,
              flags);
    }
    return (returnChosen ? chosen : List.<DatanodeStorageInfo>of()).toArray(NONE);
  }

  /** Until the queues are sorted out, blocks in pairs too are shown to HDFS for re-replication. */
  private boolean mayPlacePlain(String path, boolean isWritten) {
    PairPlacement asked = placement;
    if (asked == null) {
      return false;
    }
    if (isWritten || blockwise.knowsBlocks()) {
      return true;
    }
    try {
      return asked.isCopiedByHdfs(path);
    } catch (IOException | RuntimeException | AssertionError e) {
      // The thread that copies blocks ends the NameNode on any error.
      LOG.warn("A block of {} is not copied", path, e);
      return false;
    }
  }

  /**
   * Whether a block has replicas.
   *
   * @param source where a replica is copied from. It is one of {@code excluded} then; a writer that
   *     asks for its first node is not
   * @param good good replicas on nodes in service
   * @param excluded all nodes with replicas or with copies on the way, and those that a client will
   *     not have
   */
  private static boolean exists(
      @Nullable Node source, List<DatanodeStorageInfo> good, @Nullable Set<Node> excluded) {
    return !good.isEmpty() || source != null && excluded != null && excluded.contains(source);
  }

  // ---- judging what is there ----

  /** As {@link BlockwisePlacement#verify}. */
  @Override
  public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] locations, int replicas) {
    return blockwise.verify(
        locations == null ? DatanodeDescriptor.EMPTY_ARRAY : locations, replicas);
  }

  /** As {@link BlockwisePlacement#excess}. */
  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      DatanodeDescriptor addedNode,
      DatanodeDescriptor deleteHint) {
    PairPlacement asked = placement;
    if (asked == null) {
      // Nothing is known about pairs: an excess replica costs space, a wrong deletion costs bytes.
      return List.of();
    }
    return blockwise.excess(
        asked,
        new BlockwisePlacement.Surplus(
            available, candidates, expected, excessTypes, addedNode, deleteHint));
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> replicas, DatanodeInfo source, DatanodeInfo target) {
    return blockwise.plain().isMovable(replicas, source, target);
  }

  @Override
  public void setExcludeSlowNodesEnabled(boolean enable) {
    excludeSlowNodes = enable;
    blockwise.plain().setExcludeSlowNodesEnabled(enable);
  }

  @Override
  public boolean getExcludeSlowNodesEnabled() {
    return excludeSlowNodes;
  }

  @Override
  public void setMinBlocksForWrite(int blocks) {
    minBlocksForWrite = blocks;
    blockwise.plain().setMinBlocksForWrite(blocks);
  }

  @Override
  public int getMinBlocksForWrite() {
    return minBlocksForWrite;
  }
}
