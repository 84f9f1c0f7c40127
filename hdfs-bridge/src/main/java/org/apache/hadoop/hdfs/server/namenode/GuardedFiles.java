/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.guard.OrderMark;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.jspecify.annotations.Nullable;

/**
 * What a guard asks the namespace. Answers that Hadoop has given are judged by the inode that they
 * are of, whichever path led there: a path may lead to another file by the time it is asked again.
 *
 * <p>Reaches, package-private: FSDirectory.resolvePath(FSPermissionChecker, String, DirOp), its
 * locks; FSDirErasureCodingOp.getErasureCodingPolicy(FSNamesystem, String, INodesInPath);
 * FSNamesystem.getPermissionChecker. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class GuardedFiles {
  private static final String OPERATION = "guard";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final NamespaceReader reader;
  private final BlockManager blocks;

  GuardedFiles(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.reader = new NamespaceReader(namesystem, OPERATION);
    this.blocks = namesystem.getBlockManager();
  }

  /** What a guard has to know of a file. */
  enum Order {
    /** Its own, or there is nothing to read. */
    OWN,
    /** Another one. */
    STORED,
    /** The file is not there any more. */
    GONE
  }

  /** A file as it was found. */
  record Found(Order order, String path, @Nullable ErasureCodingPolicy policy) {
    private static final Found NOTHING = new Found(Order.OWN, "", null);
    private static final Found GONE = new Found(Order.GONE, "", null);
  }

  /** The file that blocks were located of. */
  Found of(LocatedBlocks located, OrderMark mark) throws IOException {
    LocatedBlock any =
        located.getLocatedBlocks().isEmpty()
            ? located.getLastLocatedBlock()
            : located.getLocatedBlocks().get(0);
    if (any == null) {
      return Found.NOTHING;
    }
    return reader.locked(() -> of(inodeOf(any), mark));
  }

  /**
   * Whether a change of the file's level was interrupted and is not completed yet: the length of
   * its last group is not known until then.
   */
  boolean isChangeInterrupted(LocatedBlocks located) throws IOException {
    LocatedBlock last = located.getLastLocatedBlock();
    if (last == null || located.getErasureCodingPolicy() == null) {
      return false;
    }
    return reader.locked(
        () -> {
          INode inode = inodeOf(last);
          return inode != null && inode.isFile() && LevelEdits.isInterrupted(inode.asFile());
        });
  }

  /** The file of a block; null if either is gone. */
  private @Nullable INode inodeOf(LocatedBlock located) {
    BlockInfo stored = blocks.getStoredBlock(located.getBlock().getLocalBlock());
    return stored == null || stored.isDeleted()
        ? null
        : directory.getInode(stored.getBlockCollectionId());
  }

  /** The file of an inode. */
  Found of(long inodeId, OrderMark mark) throws IOException {
    return reader.locked(() -> of(directory.getInode(inodeId), mark));
  }

  private Found of(@Nullable INode inode, @Nullable OrderMark mark) {
    if (inode == null) {
      return Found.GONE;
    }
    if (!inode.isFile() || !inode.asFile().isStriped()) {
      return Found.NOTHING;
    }
    INodeFile file = inode.asFile();
    boolean isStored = mark != null && isMarked(file, mark.attribute());
    return new Found(
        isStored ? Order.STORED : Order.OWN,
        isStored ? file.getFullPathName() : "",
        namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID()));
  }

  /** An inode never changes its order, so that a snapshot has the mark is enough. */
  private static boolean isMarked(INodeFile file, String attribute) {
    if (hasAttribute(file.getXAttrFeature(), attribute)) {
      return true;
    }
    if (file.isWithSnapshot()) {
      for (FileDiff each : file.getDiffs()) {
        if (hasAttribute(file.getXAttrFeature(each.getSnapshotId()), attribute)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasAttribute(@Nullable XAttrFeature all, String attribute) {
    return all != null && all.getXAttr(attribute) != null;
  }

  /** Which entries of a listing have locations of files in stored order, or that are gone. */
  BitSet unreadable(HdfsFileStatus[] entries, OrderMark mark) throws IOException {
    BitSet striped = new BitSet(entries.length);
    for (int i = 0; i < entries.length; i++) {
      striped.set(i, hasStripedLocations(entries[i]));
    }
    if (striped.isEmpty()) {
      return striped;
    }
    return reader.locked(
        () -> {
          for (int i = striped.nextSetBit(0); i >= 0; i = striped.nextSetBit(i + 1)) {
            Found found = of(directory.getInode(entries[i].getFileId()), mark);
            striped.set(i, found.order() != Order.OWN);
          }
          return striped;
        });
  }

  private static boolean hasStripedLocations(HdfsFileStatus entry) {
    return entry.getErasureCodingPolicy() != null
        && entry instanceof HdfsLocatedFileStatus located
        && located.getLocatedBlocks() != null;
  }

  /**
   * The file that a path leads to, on behalf of the caller of the RPC that this thread handles;
   * {@link Order#GONE} if there is none.
   *
   * @throws IOException as Hadoop would throw for this path
   */
  Found at(String path, @Nullable OrderMark mark) throws IOException {
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    return reader.locked(
        () -> {
          INode inode = directory.resolvePath(caller, path, DirOp.READ).getLastINode();
          return of(inode, mark);
        });
  }

  /** The file that is being written, as addBlock finds it. */
  Found written(String path, long inodeId, @Nullable OrderMark mark) throws IOException {
    return inodeId == HdfsConstants.GRANDFATHER_INODE_ID
        ? at(path, mark)
        : reader.locked(() -> of(directory.getInode(inodeId), mark));
  }

  /** The policy that a file would get if it were made. */
  Optional<ErasureCodingPolicy> ofNew(
      String path, EnumSet<CreateFlag> flags, @Nullable String policyName) throws IOException {
    if (flags.contains(CreateFlag.SHOULD_REPLICATE)) {
      return Optional.empty();
    }
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    return reader.locked(
        () -> {
          INodesInPath place = directory.resolvePath(caller, path, DirOp.CREATE);
          INodesInPath parent = place.getParentINodesInPath();
          return parent == null
              ? Optional.empty()
              : Optional.ofNullable(
                  FSDirErasureCodingOp.getErasureCodingPolicy(namesystem, policyName, parent));
        });
  }

  /** Whether the caller of the RPC that this thread handles is a superuser. */
  boolean isCallerSuperuser() throws IOException {
    return namesystem.getPermissionChecker().isSuperUser();
  }
}
