/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.swap.FileAttributes;
import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.SwapPoints.Point;
import io.hdfsparity.bridge.swap.SwapRule;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableReplicas;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableUnits;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.INode.BlocksMapUpdateInfo;

/**
 * Puts a copy in the place of a file, in the active NameNode: a rename with OVERWRITE that has
 * conditions, which HDFS's own has not. They are judged under the read lock, with all replicas of
 * both files, and the rename is done under the write lock only if both are still what was judged,
 * so that nothing can happen to either between the judgement and the rename.
 *
 * <p>The rename carries the earlier modification time of the two directories, since a rename only
 * ever moves these times up. Putting a child into a directory moves the directory's time up to the
 * child's, so OP_TIMES puts it back. So neither directory looks changed, here and in every replay.
 *
 * <p><b>Crash.</b> One operation does it, OP_RENAME, which stock NameNodes replay. Before it is
 * durable: the source is at its path, the copy at its own. After: the copy is at the source's path,
 * and the blocks of the source belong to no file and are deleted when DataNodes report them;
 * without OP_TIMES the directory looks as if it had been changed when the file was. No block is
 * released before the log is durable.
 *
 * <p>Reaches, package-private: FSDirRenameOp.unprotectedRenameTo and RenameResult;
 * FSNamesystem.checkNameNodeSafeMode, checkSuperuserPrivilege, getPermissionChecker, logAuditEvent;
 * FSDirectory's locks; FSEditLog.logRename, logTimes, logSyncAll; FSDirEncryptionZoneOp.isInAnEZ.
 * Checked for Hadoop 3.5.0. Thread-safe; what may be swapped is {@link SwapRule}'s decision.
 */
public final class FileSwap {
  /** In the audit log. Not "rename": the access counts of the path stay with the path. */
  private static final String OPERATION = "swapVerifiedCopy";

  private static final String INSPECTION = "inspectForSwap";
  private static final String PROTECTION = "protectFolder";

  /** How often two files are judged that change between judging and swapping, but not for ill. */
  private static final int ATTEMPTS = 3;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final BlockManager blocks;
  private final FileHolders holders;
  private final GroupDoubts doubts;
  private final SwapPoints points;

  public FileSwap(NameNode nameNode, SwapPoints points) {
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
    this.blocks = namesystem.getBlockManager();
    this.holders = new FileHolders(nameNode);
    this.doubts = new GroupDoubts(nameNode);
    this.points = points;
  }

  /**
   * A file as it is now, on behalf of the caller of the RPC that this thread handles, who must be a
   * superuser.
   *
   * @throws IOException when the path leads to no file, or this NameNode is not active
   */
  public StoredFile describe(String path) throws IOException {
    namesystem.checkSuperuserPrivilege(INSPECTION, path);
    doubts.load();
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      directory.readLock();
      try {
        return describe(caller, path);
      } finally {
        directory.readUnlock();
      }
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, INSPECTION);
    }
  }

  /**
   * Renames the copy to the source's path when the rule allows, and releases the source's blocks;
   * the caller must be a superuser. Durable when it returns true.
   *
   * @throws IOException when one of the paths leads to no file, this NameNode is not active or in
   *     safe mode, or HDFS refuses the rename (quota); then nothing is changed
   */
  public boolean swap(String sourcePath, String copyPath, SwapRule rule) throws IOException {
    namesystem.checkSuperuserPrivilege(OPERATION, sourcePath);
    doubts.load();
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      SwapCandidates judged = judge(caller, sourcePath, copyPath, rule);
      if (!judged.allowed()) {
        return false;
      }
      points.reached(Point.JUDGED);
      if (swapUnchanged(caller, judged)) {
        namesystem.logAuditEvent(true, OPERATION, sourcePath);
        return true;
      }
    }
    throw new IOException(
        "Cannot swap: attempts="
            + ATTEMPTS
            + ", expected file and copy to stay as they are for a moment, file="
            + sourcePath);
  }

  /** Two files as they were under one hold of the read lock, and whether they may be swapped. */
  private record SwapCandidates(StoredFile source, StoredFile copy, boolean allowed) {}

  /**
   * Goes through every block and its replicas. Writers wait meanwhile, and where the lock is fair
   * also readers behind them.
   */
  private SwapCandidates judge(
      FSPermissionChecker caller, String sourcePath, String copyPath, SwapRule rule)
      throws IOException {
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      directory.readLock();
      try {
        StoredFile source = describe(caller, sourcePath);
        StoredFile copy = describe(caller, copyPath);
        return new SwapCandidates(source, copy, rule.allows(source, copy));
      } finally {
        directory.readUnlock();
      }
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, OPERATION);
    }
  }

  /**
   * Swaps what was judged.
   *
   * @return false when one of the two is another by now; then nothing is changed
   */
  private boolean swapUnchanged(FSPermissionChecker caller, SwapCandidates judged)
      throws IOException {
    BlocksMapUpdateInfo given = new BlocksMapUpdateInfo();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot swap " + judged.source().path());
      directory.writeLock();
      try {
        INodesInPath source =
            directory.resolvePath(caller, judged.source().path(), DirOp.WRITE_LINK);
        INodesInPath copy = directory.resolvePath(caller, judged.copy().path(), DirOp.WRITE_LINK);
        if (!isStill(source, judged.source())
            || !isStill(copy, judged.copy())
            || !areDoubtsStill(source, judged.source())) {
          return false;
        }
        points.reached(Point.CHECKED);
        rename(copy, source, given);
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    try {
      DurableLog.sync(namesystem, OPERATION);
      points.reached(Point.DURABLE);
    } finally {
      // Also when this NameNode is not active any more: then the log was closed, and is durable.
      if (!given.getToDeleteList().isEmpty()) {
        blocks.addBLocksToMarkedDeleteQueue(given.getToDeleteList());
      }
    }
    return true;
  }

  /**
   * Whether a path leads to what was seen of it. Only what a client can change is compared: live
   * replicas come and go whatever is judged.
   *
   * @throws IOException when the path leads to no file
   */
  private boolean isStill(INodesInPath place, StoredFile seen) throws IOException {
    INodeFile file = INodeFile.valueOf(place.getLastINode(), seen.path());
    return file.getId() == seen.inodeId()
        && form(file).equals(seen.form())
        && FileMark.updatedMs(file) == seen.updatedMs()
        && holds(place, file).equals(seen.holds())
        && attributes(file).equals(seen.attributes())
        && areStill(file.getBlocks(), seen.blocks());
  }

  /** Of the file that is deleted; what is known of the copy does not matter. */
  private boolean areDoubtsStill(INodesInPath place, StoredFile seen) {
    INodeFile file = place.getLastINode().asFile();
    Function<BlockInfo, Doubt> doubt = doubts.of(file);
    BlockInfo[] now = file.getBlocks();
    for (int i = 0; i < now.length; i++) {
      if (doubt.apply(now[i]) != seen.blocks().get(i).doubt()) {
        return false;
      }
    }
    return true;
  }

  private static boolean areStill(BlockInfo[] blocks, List<StoredBlock> seen) {
    if (blocks.length != seen.size()) {
      return false;
    }
    for (int i = 0; i < blocks.length; i++) {
      StoredBlock before = seen.get(i);
      if (blocks[i].getBlockId() != before.id()
          || blocks[i].getGenerationStamp() != before.generation()
          || blocks[i].getNumBytes() != before.lengthBytes()
          || blocks[i].isComplete() != before.complete()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sees to it that a directory has RAIDP's mark itself, whatever is above it; the caller must be a
   * superuser. Durable when it returns.
   *
   * @throws IOException when it is no directory, this NameNode places no pairs, is not active or in
   *     safe mode; then nothing is changed
   */
  public void protectFolder(String path) throws IOException {
    namesystem.checkSuperuserPrivilege(PROTECTION, path);
    if (!isPairPlaced()) {
      throw new IOException(
          ErrorMessage.to("protect a folder")
              .value("path", path)
              .expected("a NameNode that runs RAIDP")
              .message());
    }
    new ProtectionMarks(namesystem).protectFolder(path);
  }

  /** Returns when all that this NameNode has answered from memory so far is durable. */
  public void sync() throws IOException {
    DurableLog.sync(namesystem, OPERATION);
  }

  private void rename(INodesInPath from, INodesInPath to, BlocksMapUpdateInfo given)
      throws IOException {
    long timestampMs =
        Math.min(from.getINode(-2).getModificationTime(), to.getINode(-2).getModificationTime());
    INodeDirectory parent = to.getINode(-2).asDirectory();
    long parentMs = parent.getModificationTime();
    FSDirRenameOp.unprotectedRenameTo(directory, from, to, timestampMs, given, Rename.OVERWRITE);
    FSEditLog log = namesystem.getEditLog();
    log.logRename(
        from.getPath(), to.getPath(), timestampMs, /* toLogRpcIds= */ false, Rename.OVERWRITE);
    if (parent.getModificationTime() != parentMs) {
      parent.setModificationTime(parentMs, to.getLatestSnapshotId());
      log.logTimes(to.getParentPath(), parentMs, /* atime= */ -1);
    }
    points.reached(Point.LOGGED);
  }

  private StoredFile describe(FSPermissionChecker caller, String path) throws IOException {
    INodesInPath place = directory.resolvePath(caller, path, DirOp.WRITE_LINK);
    INodeFile file = INodeFile.valueOf(place.getLastINode(), path);
    Function<BlockInfo, Doubt> doubt = doubts.of(file);
    List<StoredBlock> stored = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      stored.add(
          new StoredBlock(
              block.getBlockId(),
              block.getGenerationStamp(),
              block.getNumBytes(),
              block.isComplete(),
              AvailableReplicas.live(blocks, block),
              blocks.getExpectedRedundancyNum(block),
              ReadableUnits.missing(blocks, block),
              doubt.apply(block)));
    }
    return new StoredFile(
        place.getPath(),
        file.getId(),
        form(file),
        stored,
        FileMark.updatedMs(file),
        attributes(file),
        holds(place, file),
        new StoredFile.Pairing(
            isPairPlaced(), ProtectionMarks.isProtected(file), ProtectionMarks.isMarked(file)));
  }

  private ErasureCodingPolicy policy(INodeFile file) {
    return namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID());
  }

  private StoredFile.Holds holds(INodesInPath place, INodeFile file) throws IOException {
    return new StoredFile.Holds(
        file.isUnderConstruction(),
        SnapshotHold.isShared(place, file),
        FSDirEncryptionZoneOp.isInAnEZ(directory, place),
        holders.holdOn(file));
  }

  /** Whether something places replicas by pairs now. */
  private boolean isPairPlaced() {
    return blocks.getBlockPlacementPolicy() instanceof PairPlacementPolicy policy
        && policy.isAttached();
  }

  private String form(INodeFile file) {
    return file.isStriped() ? policy(file).getName() : "replication " + file.getFileReplication();
  }

  private static FileAttributes attributes(INodeFile file) {
    Map<String, String> xattrs = new TreeMap<>();
    XAttrFeature feature = file.getXAttrFeature();
    if (feature != null) {
      for (XAttr each : feature.getXAttrs()) {
        if (FileMark.isMark(each)) {
          continue;
        }
        byte[] value = each.getValue();
        xattrs.put(
            each.getNameSpace() + "." + each.getName(),
            value == null ? "" : Base64.getEncoder().encodeToString(value));
      }
    }
    return new FileAttributes(
        file.getUserName(),
        file.getGroupName(),
        file.getFsPermission().toShort(),
        file.getAclFeature() == null ? "" : AclStorage.readINodeLogicalAcl(file).toString(),
        xattrs,
        file.getLocalStoragePolicyID(),
        file.getModificationTime());
  }
}
