/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The NameNode as recovery and fsck see it. Thread-safe. */
final class HdfsNamespace implements Namespace {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsNamespace.class);
  private final NameNodeAccess access;
  private final NamenodeProtocols rpc;

  HdfsNamespace(NameNodeAccess access, NamenodeProtocols rpc) {
    this.access = access;
    this.rpc = rpc;
  }

  @Override
  public String blockPoolId() {
    return access.blockPoolId();
  }

  @Override
  public List<Node> nodes() {
    return access.nodes();
  }

  @Override
  public List<StoredBlock> blocks(String nodeUuid, String storageId) {
    return access.blocks(nodeUuid, storageId);
  }

  @Override
  public Optional<StoredBlock> block(long blockId) {
    return access.block(blockId);
  }

  @Override
  public long blocksWithoutReplica() {
    return access.missingBlockCount();
  }

  @Override
  public List<StoredBlock> blocksWithOldReplica(int limit) {
    return access
        .corruptReplicas(
            limit, old -> old.block().markAt(old.storageId()).filter(m -> !m.isRead()).isPresent())
        .stream()
        .map(CorruptReplica::block)
        .toList();
  }

  @Override
  public boolean hasLookedAtAllBlocks() {
    return access.hasLookedAtAllBlocks();
  }

  @Override
  public boolean hasScanFailed() {
    return access.hasScanFailed();
  }

  @Override
  public void repeatScan() {
    access.repeatFailedScan();
  }

  @Override
  public boolean isProtected(String path) throws IOException {
    return access.marks().isProtected(path);
  }

  @Override
  public boolean isOldName(String path) throws IOException {
    return access.marks().isNoFile(path);
  }

  @Override
  public void lookAgain(Collection<Long> blockIds) {
    access.lookAgain(blockIds);
  }

  /** A DataNode as it has registered. */
  Optional<Registrations.Registered> registered(String nodeUuid) {
    return access
        .node(nodeUuid)
        .map(
            node ->
                new Registrations.Registered(
                    node.address().ipAddress(),
                    Set.of(node.address().host()),
                    node.storages().stream()
                        .map(NameNodeAccess.Storage::id)
                        .collect(Collectors.toSet())));
  }

  /** Reports the replica as bad, as a client does that has read wrong bytes. */
  @Override
  public boolean giveUp(StoredBlock block, String strayStorageId) {
    Optional<Node> holder =
        access.nodes().stream()
            .filter(n -> n.storages().stream().anyMatch(s -> s.id().equals(strayStorageId)))
            .findFirst();
    if (holder.isEmpty()) {
      return false;
    }
    Node n = holder.get();
    NameNodeAccess.Address at = n.address();
    DatanodeID id =
        new DatanodeID(at.ipAddress(), at.host(), n.uuid(), at.transferPort(), 0, 0, at.ipcPort());
    DatanodeInfoWithStorage where =
        new DatanodeInfoWithStorage(
            new DatanodeInfoBuilder().setNodeID(id).build(), strayStorageId, StorageType.DISK);
    ExtendedBlock extended =
        new ExtendedBlock(
            access.blockPoolId(), block.blockId(), block.lengthBytes(), block.generationStamp());
    try {
      rpc.reportBadBlocks(
          new LocatedBlock[] {new LocatedBlock(extended, new DatanodeInfoWithStorage[] {where})});
      return true;
    } catch (IOException e) {
      LOG.warn(
          "Cannot give up the stray replica of block {} on storage {}",
          block.blockId(),
          strayStorageId,
          e);
      return false;
    }
  }
}
