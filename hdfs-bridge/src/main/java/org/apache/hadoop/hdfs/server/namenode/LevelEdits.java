/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.bridge.status.HadoopLine;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.CloseOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.OpInstanceCache;
import org.apache.hadoop.util.ExitUtil;

/**
 * Writes a file's new erasure coding policy, or its new list of blocks, to the edit log with
 * operations that stock Hadoop replays: OP_ADD that overwrites the file by itself, its block list
 * included, and OP_CLOSE.
 *
 * <p>Replayed, they give a file of the same inode id, times, owner, permission, ACL, extended
 * attributes and storage policy, with the policy and the blocks that they name. What a replay would
 * change besides is logged so that it does not:
 *
 * <ul>
 *   <li>a created file inherits its directory's default ACL unless the operation brings entries, so
 *       a file without an ACL brings the three of its permission;
 *   <li>the directory's modification time moves up to the file's, so OP_TIMES puts it back.
 * </ul>
 *
 * <p><b>Crash.</b> Before OP_ADD is durable: nothing happened. Between OP_ADD and OP_CLOSE: the
 * file is there with all blocks and the new policy, open, with lease holder {@link #HOLDER} ({@link
 * StripedLevels#completeInterrupted}). An OP_ADD without blocks would have lost them. After
 * OP_CLOSE: done; without OP_TIMES the directory looks as if it had been changed when the file was
 * closed.
 *
 * <p>Reaches, package-private: FSEditLog.logEdit, FSEditLogOp.AddOp, CloseOp, OpInstanceCache;
 * FSDirectory.verifyMaxDirItems, verifyMaxComponentLength; INodeFile.header (private) and
 * HeaderFormat. Checked for Hadoop 3.5.0; FSEditLogLoader asserts that OP_ADD of a new file has no
 * blocks, so it must run without assertions, as NameNodes do. Callers hold the namesystem's and the
 * directory's write locks. Stateless but for the resolved field.
 */
final class LevelEdits {
  /**
   * Lease holder of a file whose change was interrupted. Clients are refused this name ({@link
   * ReservedNames}), and cannot have {@link #MACHINE}.
   */
  static final String HOLDER = ReservedNames.HOLDERS + "_level__";

  /** Of a client HDFS notes the address that its call has come from, which is no such name. */
  private static final String MACHINE = "namenode";

  private final FSDirectory directory;
  private final CrashPoints points;
  private final Field header;
  private final OpInstanceCache operations = new OpInstanceCache();

  LevelEdits(FSDirectory directory, CrashPoints points) {
    this.directory = directory;
    this.points = points;
    // As FSEditLogAsync does: an operation waits in its queue, so it must not be used again.
    operations.disableCache();
    try {
      header = INodeFile.class.getDeclaredField("header");
      header.setAccessible(true);
    } catch (NoSuchFieldException | RuntimeException e) {
      throw new IllegalStateException(HadoopLine.current().message("reach INodeFile.header"), e);
    }
  }

  /**
   * Everything that a change writes, made before anything is written.
   *
   * @param blocks as they are to be
   */
  record Prepared(
      String path,
      INodeFile file,
      List<BlockInfo> blocks,
      byte policyId,
      AddOpFields add,
      long parentMtime,
      String parent) {}

  /** Fields of OP_ADD that take some finding. */
  record AddOpFields(
      PermissionStatus permission, List<AclEntry> acl, List<org.apache.hadoop.fs.XAttr> xattrs) {}

  /** A NameNode has opened the file for a change, and did not come to close it. */
  static boolean isInterrupted(INodeFile file) {
    FileUnderConstructionFeature open = file.getFileUnderConstructionFeature();
    return open != null
        && HOLDER.equals(open.getClientName())
        && MACHINE.equals(open.getClientMachine());
  }

  /** Collects what the operations will hold. Changes nothing. */
  Prepared prepare(INodesInPath place, INodeFile file, byte policyId) {
    return prepare(place, file, policyId, XAttrStorage.readINodeXAttrs(file));
  }

  /**
   * As {@link #prepare(INodesInPath, INodeFile, byte)}.
   *
   * @param xattrs that the file is to have
   */
  Prepared prepare(
      INodesInPath place, INodeFile file, byte policyId, List<org.apache.hadoop.fs.XAttr> xattrs) {
    INodeDirectory parent = place.getINode(-2).asDirectory();
    return new Prepared(
        place.getPath(),
        file,
        List.of(file.getBlocks()),
        policyId,
        new AddOpFields(
            file.getPermissionStatus(),
            aclEntries(file, parent),
            xattrs.isEmpty() ? null : List.copyOf(xattrs)),
        parent.getModificationTime() < file.getModificationTime()
            ? parent.getModificationTime()
            : -1,
        place.getParentPath());
  }

  private static List<AclEntry> aclEntries(INodeFile file, INodeDirectory parent) {
    if (file.getAclFeature() != null) {
      return AclStorage.readINodeLogicalAcl(file);
    }
    return parent.getAclFeature() == null ? null : AclUtil.getMinimalAcl(file.getFsPermission());
  }

  /**
   * Checks what a standby that replays the operations would check, and die of.
   *
   * @throws IOException when a limit of the directory does not let the file where it is
   */
  void requireReplayable(INodesInPath place, INodeFile file) throws IOException {
    directory.verifyMaxComponentLength(file.getLocalNameBytes(), place.getParentPath());
    directory.verifyMaxDirItems(place.getINode(-2).asDirectory(), place.getParentPath());
  }

  /** Appends the operations to the log's buffer; durable after a logSync. */
  void write(Prepared change) {
    FSEditLog log = directory.getEditLog();
    INodeFile file = change.file();
    BlockInfo[] blocks = change.blocks().toArray(BlockInfo[]::new);
    AddOp add = AddOp.getInstance(operations.get());
    add.setInodeId(file.getId())
        .setPath(change.path())
        .setReplication(file.getFileReplication())
        .setModificationTime(file.getModificationTime())
        .setAccessTime(file.getAccessTime())
        .setBlockSize(file.getPreferredBlockSize())
        .setBlocks(blocks)
        .setPermissionStatus(change.add().permission())
        .setAclEntries(change.add().acl())
        .setXAttrs(change.add().xattrs())
        .setClientName(HOLDER)
        .setClientMachine(MACHINE)
        .setOverwrite(true)
        .setStoragePolicyId(file.getLocalStoragePolicyID())
        .setErasureCodingPolicyId(change.policyId());
    log.logEdit(add);
    points.reached(Point.OPENED);
    CloseOp close = CloseOp.getInstance(operations.get());
    close
        .setPath(change.path())
        .setReplication(file.getFileReplication())
        .setModificationTime(file.getModificationTime())
        .setAccessTime(file.getAccessTime())
        .setBlockSize(file.getPreferredBlockSize())
        .setBlocks(blocks)
        .setPermissionStatus(change.add().permission());
    log.logEdit(close);
    if (change.parentMtime() >= 0) {
      log.logTimes(change.parent(), change.parentMtime(), -1);
    }
    points.reached(Point.CLOSED);
  }

  /**
   * Ends the NameNode: memory and log would say different things for ever, as after a failed
   * journal.
   */
  static void terminate(String change, String path, Throwable cause) {
    ExitUtil.terminate(
        1,
        new IllegalStateException(
            "Cannot finish a change of "
                + change
                + " that the edit log has begun: file="
                + path
                + ", expected no error; the NameNode ends rather than serve another state than its"
                + " log's",
            cause));
  }

  /** Puts the policy into the file's header. */
  void setPolicy(INodeFile file, byte policyId) {
    long value =
        INodeFile.HeaderFormat.toLong(
            file.getPreferredBlockSize(),
            INodeFile.HeaderFormat.getBlockLayoutRedundancy(BlockType.STRIPED, null, policyId),
            file.getLocalStoragePolicyID());
    try {
      header.setLong(file, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot write " + header, e);
    }
  }
}
