/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupPlaces;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableUnits;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.INode.BlocksMapUpdateInfo;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Time;

/**
 * Gives a closed striped file another block group in the place of one of its own, in the active
 * NameNode: that of a copy, a file of one group, which is gone afterwards. The file keeps its inode
 * id, times and everything else.
 *
 * <p>The old group belongs to no file then. HDFS deletes its replicas wherever they are, and those
 * that come back with a DataNode that was away: ids are never used twice (ADR 0022).
 *
 * <p><b>Crash.</b> Judged, logged and applied in memory under one hold of the lock: OP_DELETE of
 * the copy, then the operations of {@link LevelEdits} with the new list of blocks, which stock
 * NameNodes replay. After OP_DELETE only: the file is as it was, and the copy gone. After OP_ADD:
 * the file has the new group and is open, until {@link StripedLevels#completeInterrupted}. After
 * OP_CLOSE: done. No replica of the old group is released before the log is durable. A NameNode
 * that replays the log beside an active one needs the {@link
 * org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard}, or it forgets where the file's
 * units are until the next full block reports.
 *
 * <p>Reaches, package-private: FSNamesystem.checkNameNodeSafeMode, getPermissionChecker,
 * removeLeasesAndINodes, logAuditEvent; FSDirectory's locks, checkPathAccess, checkPermission;
 * FSDirDeleteOp.delete; FSEditLog.logDelete. Checked for Hadoop 3.5.0. Thread-safe; what may be
 * replaced is {@link GroupRule}'s decision.
 */
public final class GroupReplacer {
  private static final String OPERATION = "replaceBlockGroup";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final BlockManager blocks;
  private final GroupPlaces groups;
  private final UpdateFiles files;
  private final LevelEdits edits;
  private final GroupDoubts doubts;
  private final CrashPoints points;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  public GroupReplacer(NameNode nameNode, CrashPoints points) {
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
    this.blocks = namesystem.getBlockManager();
    this.groups = new GroupPlaces(blocks);
    this.files = new UpdateFiles(nameNode);
    this.edits = new LevelEdits(directory, points);
    this.doubts = new GroupDoubts(nameNode);
    this.points = points;
  }

  /**
   * Replaces a group on behalf of the caller of the RPC that this thread serves, who must be
   * allowed to read and write the file, and to read and delete the copy. Durable when it returns
   * empty; others see the new group before.
   *
   * @param inodeId of the file
   * @param groupId of the group that is replaced
   * @param copyPath of the copy; empty: it is only asked, and nothing is changed
   * @return what the rule said; empty: it is replaced, and the copy gone
   * @throws AccessControlException when the caller may not
   * @throws java.io.FileNotFoundException when one of the two is gone
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  public <T> Optional<T> replace(
      long inodeId, long groupId, Optional<String> copyPath, GroupRule<T> rule) throws IOException {
    BlocksMapUpdateInfo given = new BlocksMapUpdateInfo();
    doubts.load();
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    FSPermissionChecker.setOperationType(OPERATION);
    String path = "inode " + inodeId;
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot replace a block group of " + path);
      directory.writeLock();
      try {
        INodesInPath place = files.placeOf(inodeId);
        path = place.getPath();
        if (directory.isPermissionEnabled()) {
          directory.checkPathAccess(caller, place, FsAction.READ_WRITE);
        }
        Optional<BlockInfo> group = group(place, groupId);
        // A missing group is reported first: a caller that retries has no copy any more.
        Optional<INodesInPath> copy =
            copyPath.isEmpty() || group.isEmpty()
                ? Optional.empty()
                : Optional.of(resolve(caller, copyPath.get()));
        Optional<T> refusal = rule.veto(describe(place, group, copy));
        if (refusal.isPresent() || copy.isEmpty()) {
          return refusal;
        }
        apply(place, group.orElseThrow(), copy.get(), given);
      } finally {
        directory.writeUnlock();
      }
    } catch (AccessControlException e) {
      namesystem.logAuditEvent(false, OPERATION, path);
      throw e;
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    try {
      DurableLog.sync(namesystem, OPERATION);
      points.reached(Point.DURABLE);
    } finally {
      // Also when this NameNode is not active any more: then the log was closed, and is durable.
      blocks.addBLocksToMarkedDeleteQueue(given.getToDeleteList());
    }
    namesystem.logAuditEvent(true, OPERATION, path);
    return Optional.empty();
  }

  /** Whoever is given the bytes of a file must be allowed to read it. */
  private INodesInPath resolve(FSPermissionChecker caller, String path) throws IOException {
    INodesInPath place = directory.resolvePath(caller, path, DirOp.WRITE_LINK);
    INodeFile.valueOf(place.getLastINode(), path);
    if (directory.isPermissionEnabled()) {
      directory.checkPathAccess(caller, place, FsAction.READ);
      directory.checkPermission(
          caller, place, false, null, FsAction.WRITE, null, FsAction.ALL, true);
    }
    return place;
  }

  private static Optional<BlockInfo> group(INodesInPath place, long groupId) {
    INodeFile file = place.getLastINode().asFile();
    return file.isStriped()
        ? Arrays.stream(file.getBlocks()).filter(block -> block.getBlockId() == groupId).findFirst()
        : Optional.empty();
  }

  private GroupChange describe(
      INodesInPath place, Optional<BlockInfo> group, Optional<INodesInPath> copyPlace)
      throws IOException {
    INodeFile file = place.getLastINode().asFile();
    Optional<GroupChange.Copy> copy = Optional.empty();
    if (copyPlace.isPresent()) {
      copy = Optional.of(describe(copyPlace.get()));
    }
    return new GroupChange(
        FileFacts.describe(namesystem, place, file),
        file.getPreferredBlockSize(),
        group.map(groups::describe),
        group.map(block -> oldUnits(file, block)).orElse(GroupChange.OldUnits.SOUND),
        copy);
  }

  private GroupChange.OldUnits oldUnits(INodeFile file, BlockInfo group) {
    return new GroupChange.OldUnits(
        doubts.ofRebuild(file).apply(group), ReadableUnits.missing(blocks, group));
  }

  private GroupChange.Copy describe(INodesInPath place) throws IOException {
    INodeFile file = place.getLastINode().asFile();
    return new GroupChange.Copy(
        FileFacts.describe(namesystem, place, file),
        file.getPreferredBlockSize(),
        isOfOneGroup(file) ? groups.describe(file.getBlocks()) : List.of(),
        FileMark.LOWERED.number(file).isPresent());
  }

  /** Any other is refused, and may have as many as its owner likes. */
  private static boolean isOfOneGroup(INodeFile file) {
    return file.isStriped() && file.getBlocks().length == 1;
  }

  /** Groups that were described since the start. */
  long described() {
    return groups.described();
  }

  private void apply(
      INodesInPath place, BlockInfo old, INodesInPath copyPlace, BlocksMapUpdateInfo given)
      throws IOException {
    INodeFile file = place.getLastINode().asFile();
    BlockInfo fresh = copyPlace.getLastINode().asFile().getBlocks()[0];
    int index = Arrays.asList(file.getBlocks()).indexOf(old);
    edits.requireReplayable(place, file);
    points.reached(Point.CHECKED);
    try {
      delete(copyPlace);
      points.reached(Point.COPY_DELETED);
      fresh.setBlockCollectionId(file.getId());
      file.setBlock(index, fresh);
      given.addDeleteBlock(old);
      edits.write(edits.prepare(place, file, file.getErasureCodingPolicyID()));
      points.reached(Point.APPLIED);
    } catch (IOException | RuntimeException | Error e) {
      LevelEdits.terminate("blocks", place.getPath(), e);
    }
  }

  /** All but its block, which stays in the map. */
  private void delete(INodesInPath place) throws IOException {
    List<INode> inodes = new ArrayList<>();
    List<Long> open = new ArrayList<>();
    long timestampMs = Time.now();
    FSDirDeleteOp.delete(directory, place, new BlocksMapUpdateInfo(), inodes, open, timestampMs);
    directory.getEditLog().logDelete(place.getPath(), timestampMs, /* toLogRpcIds= */ false);
    namesystem.removeLeasesAndINodes(open, inodes, /* acquireINodeMapLock= */ true);
  }
}
