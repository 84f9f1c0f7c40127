/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.jspecify.annotations.Nullable;

/**
 * Entries of listings whose blocks have offset and length, but no DataNode. Who plans splits by
 * them plans as before, without preference; who would read by them finds nobody to ask. Entries
 * without blocks would not do: FileInputFormat takes the last block of the list for granted.
 * Stateless.
 */
final class WithoutNodes {
  private WithoutNodes() {}

  static HdfsFileStatus of(HdfsLocatedFileStatus entry) {
    LocatedBlocks all = entry.getLocatedBlocks();
    List<LocatedBlock> blocks = all.getLocatedBlocks().stream().map(WithoutNodes::of).toList();
    LocatedBlock last = all.getLastLocatedBlock();
    LocatedBlocks stripped =
        new LocatedBlocks(
            all.getFileLength(),
            all.isUnderConstruction(),
            blocks,
            last == null ? null : of(last),
            all.isLastBlockComplete(),
            all.getFileEncryptionInfo(),
            all.getErasureCodingPolicy());
    return new HdfsFileStatus.Builder()
        .length(entry.getLen())
        .isdir(entry.isDirectory())
        .replication(entry.getReplication())
        .blocksize(entry.getBlockSize())
        .mtime(entry.getModificationTime())
        .atime(entry.getAccessTime())
        .perm(entry.getPermission())
        .flags(flags(entry))
        .owner(entry.getOwner())
        .group(entry.getGroup())
        .symlink(symlink(entry))
        .path(entry.getLocalNameInBytes())
        .fileId(entry.getFileId())
        .children(entry.getChildrenNum())
        .feInfo(entry.getFileEncryptionInfo())
        .storagePolicy(entry.getStoragePolicy())
        .ecPolicy(entry.getErasureCodingPolicy())
        .locations(stripped)
        .build();
  }

  private static EnumSet<HdfsFileStatus.Flags> flags(HdfsLocatedFileStatus entry) {
    EnumSet<HdfsFileStatus.Flags> flags = EnumSet.noneOf(HdfsFileStatus.Flags.class);
    if (entry.hasAcl()) {
      flags.add(HdfsFileStatus.Flags.HAS_ACL);
    }
    if (entry.isEncrypted()) {
      flags.add(HdfsFileStatus.Flags.HAS_CRYPT);
    }
    if (entry.isErasureCoded()) {
      flags.add(HdfsFileStatus.Flags.HAS_EC);
    }
    if (entry.isSnapshotEnabled()) {
      flags.add(HdfsFileStatus.Flags.SNAPSHOT_ENABLED);
    }
    return flags;
  }

  private static byte @Nullable [] symlink(HdfsLocatedFileStatus entry) {
    return entry.isSymlink() ? entry.getSymlinkInBytes() : null;
  }

  private static LocatedBlock of(LocatedBlock block) {
    return new LocatedStripedBlock(
        block.getBlock(),
        new DatanodeInfo[0],
        new String[0],
        new StorageType[0],
        new byte[0],
        block.getStartOffset(),
        block.isCorrupt(),
        /* cachedLocs= */ null);
  }
}
