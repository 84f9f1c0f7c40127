/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.update.FileRule;
import io.hdfsparity.bridge.update.FileView;
import io.hdfsparity.bridge.update.GroupFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupPlaces;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Time;

/**
 * Looks at files that are to be updated in place, in the active NameNode, and sets their mark of
 * updates and their modification time. Changes nothing else.
 *
 * <p><b>Crash.</b> {@link #touch} is two operations of the log, OP_SET_XATTR and OP_TIMES, as
 * {@code setXAttr} and {@code setTimes} of a client write them; both are durable when it returns.
 * After the first alone the file is marked, and its time is as it was.
 *
 * <p>Reaches, package-private: FSNamesystem.checkNameNodeSafeMode, getPermissionChecker,
 * logAuditEvent; XAttrStorage.readINodeXAttrByPrefixedName; FSDirectory's locks, checkPathAccess;
 * FSDirXAttrOp.unprotectedSetXAttrs; FSDirAttrOp.unprotectedSetTimes; FSEditLog.logSetXAttrs,
 * logTimes. Checked for Hadoop 3.5.0. Thread-safe; what to do is {@link FileRule}'s decision.
 */
public final class UpdateFiles {
  private final NameNode nameNode;
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final GroupPlaces groups;

  public UpdateFiles(NameNode nameNode) {
    this.nameNode = nameNode;
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
    this.groups = new GroupPlaces(namesystem.getBlockManager());
  }

  /**
   * When this NameNode became active, for comparisons only; empty when it is not active. Two terms
   * of one process differ, since HDFS notes the time of each transition. Exact under the
   * namesystem's lock; without it, a term that just began can look like the one before.
   */
  public OptionalLong term() {
    return nameNode.isActiveState()
        ? OptionalLong.of(nameNode.getLastHATransitionTime())
        : OptionalLong.empty();
  }

  /** Of the last transaction of this NameNode's log; rises over all NameNodes of a nameservice. */
  public long transactionId() {
    return namesystem.getFSImage().getCorrectLastAppliedOrWrittenTxId();
  }

  /** An upgrade is in progress that may still be rolled back. */
  public boolean isUpgradeOpen() {
    return namesystem.isRollingUpgrade() || !namesystem.isUpgradeFinalized();
  }

  /** Active, and out of safe mode. */
  public boolean isWritable() {
    return nameNode.isActiveState() && !namesystem.isInSafeMode();
  }

  /**
   * Decides on a file that the caller of the RPC that this thread serves may write.
   *
   * @param operation for the audit log, which gets an entry when he may not
   * @throws AccessControlException when he may not
   * @throws FileNotFoundException when the path leads nowhere
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  public <T> T judge(String path, String operation, FileRule<T> rule) throws IOException {
    try {
      return underReadLock(
          operation,
          () -> {
            namesystem.checkNameNodeSafeMode("Cannot update " + path);
            return decideForCaller(path, rule);
          });
    } catch (AccessControlException e) {
      namesystem.logAuditEvent(false, operation, path);
      throw e;
    }
  }

  /**
   * As {@link #judge(String, String, FileRule)}, for a file that was found before and may have been
   * renamed since; in safe mode too.
   *
   * @throws FileNotFoundException when it is gone
   */
  public <T> T judge(long inodeId, String operation, FileRule<T> rule) throws IOException {
    String[] path = {"inode " + inodeId};
    try {
      return underReadLock(
          operation,
          () -> {
            path[0] = placeOf(inodeId).getPath();
            return decideForCaller(path[0], rule);
          });
    } catch (AccessControlException e) {
      namesystem.logAuditEvent(false, operation, path[0]);
      throw e;
    }
  }

  private <T> T decideForCaller(String path, FileRule<T> rule) throws IOException {
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    INodesInPath place = directory.resolvePath(caller, path, DirOp.WRITE);
    INode node = place.getLastINode();
    if (node == null) {
      throw new FileNotFoundException("File does not exist: " + path);
    }
    if (directory.isPermissionEnabled()) {
      // An updater receives the old bytes, to compute the parity delta.
      directory.checkPathAccess(caller, place, FsAction.READ_WRITE);
    }
    return node.isFile()
        ? rule.decide(new View(place, node.asFile()))
        : rule.notAFile(place.getPath());
  }

  /**
   * Decides on a file that was found before, without a caller.
   *
   * @return empty: the file is gone
   * @throws IOException when this NameNode is not active
   */
  public <T> Optional<T> look(long inodeId, String operation, FileRule<T> rule) throws IOException {
    return underReadLock(
        operation,
        () -> {
          Optional<INodesInPath> place = find(inodeId);
          return place.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  rule.decide(new View(place.get(), place.get().getLastINode().asFile())));
        });
  }

  /**
   * Moves up the modification time of a file, to now or by a millisecond where it is not before
   * now, so that programs that compare it find the file changed; and likewise the mark of updates,
   * which no client can set back, for the suite's own comparisons.
   *
   * @param operation for the audit log, which gets an entry when it is done for the caller of an
   *     RPC
   * @param veto decides under the same hold of the lock; empty: go on
   * @return what the veto said
   * @throws FileNotFoundException when the file is gone
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  public <T> Optional<T> touch(long inodeId, String operation, FileRule<Optional<T>> veto)
      throws IOException {
    return touch(inodeId, operation, OptionalLong.empty(), veto);
  }

  /**
   * As {@link #touch(long, String, FileRule)}, for a program that opens the file: its mark too.
   *
   * @param program its number
   */
  public <T> Optional<T> open(
      long inodeId, String operation, long program, FileRule<Optional<T>> veto) throws IOException {
    return touch(inodeId, operation, OptionalLong.of(program), veto);
  }

  private <T> Optional<T> touch(
      long inodeId, String operation, OptionalLong program, FileRule<Optional<T>> veto)
      throws IOException {
    String path;
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot set the modification time of inode " + inodeId);
      directory.writeLock();
      try {
        INodesInPath place = placeOf(inodeId);
        INodeFile file = place.getLastINode().asFile();
        Optional<T> refusal = veto.decide(new View(place, file));
        if (refusal.isPresent()) {
          return refusal;
        }
        path = place.getPath();
        mark(place, file, program);
        long modifiedMs = Math.max(Time.now(), file.getModificationTime() + 1);
        FSDirAttrOp.unprotectedSetTimes(
            directory, place, modifiedMs, /* atime= */ -1, /* force= */ true);
        namesystem.getEditLog().logTimes(path, modifiedMs, /* atime= */ -1);
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, operation);
    }
    DurableLog.sync(namesystem, operation);
    namesystem.logAuditEvent(true, operation, path);
    return Optional.empty();
  }

  private void mark(INodesInPath place, INodeFile file, OptionalLong program) throws IOException {
    List<XAttr> marks = new ArrayList<>();
    marks.add(FileMark.UPDATED.of(Math.max(Time.now(), FileMark.updatedMs(file) + 1)));
    program.ifPresent(number -> marks.add(FileMark.OPENED.of(number)));
    FSDirXAttrOp.unprotectedSetXAttrs(
        directory, place, marks, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    namesystem.getEditLog().logSetXAttrs(place.getPath(), marks, /* toLogRpcIds= */ false);
  }

  /**
   * Returns when all that this NameNode has answered from memory so far is durable.
   *
   * @param operation for the metrics of the lock
   */
  public void sync(String operation) throws IOException {
    DurableLog.sync(namesystem, operation);
  }

  /**
   * Where a file is now; the caller holds the locks.
   *
   * @throws FileNotFoundException when it is gone
   */
  INodesInPath placeOf(long inodeId) throws IOException {
    return find(inodeId)
        .orElseThrow(() -> new FileNotFoundException("File does not exist: inode " + inodeId));
  }

  /** Where a file is now; nowhere when only a snapshot has it. */
  private Optional<INodesInPath> find(long inodeId) throws IOException {
    INode node = directory.getInode(inodeId);
    if (node == null || !node.isFile() || CurrentPlace.isNone(node)) {
      return Optional.empty();
    }
    INodesInPath place;
    try {
      place = directory.resolvePath(null, node.getFullPathName(), DirOp.READ);
    } catch (FileNotFoundException | AccessControlException e) {
      return Optional.empty();
    }
    INode found = place.getLastINode();
    return found != null && found.isFile() && found.getId() == inodeId
        ? Optional.of(place)
        : Optional.empty();
  }

  /** Something that is done under the locks. */
  private interface Locked<T> {
    T run() throws IOException;
  }

  private <T> T underReadLock(String operation, Locked<T> action) throws IOException {
    FSPermissionChecker.setOperationType(operation);
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      directory.readLock();
      try {
        return action.run();
      } finally {
        directory.readUnlock();
      }
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, operation);
    }
  }

  /** Reads as it is asked, under the lock that the call holds. */
  private final class View implements FileView {
    private final INodesInPath place;
    private final INodeFile file;
    private final StripedFile facts;

    View(INodesInPath place, INodeFile file) throws IOException {
      this.place = place;
      this.file = file;
      this.facts = FileFacts.describe(namesystem, place, file);
    }

    @Override
    public StripedFile file() {
      return facts;
    }

    @Override
    public long lengthBytes() {
      return file.computeFileSize(true, false);
    }

    @Override
    public Optional<String> inherited(String name) {
      for (int depth = place.length() - 1; depth >= 0; depth--) {
        INode node = place.getINode(depth);
        XAttr found =
            node == null
                ? null
                : XAttrStorage.readINodeXAttrByPrefixedName(node, Snapshot.CURRENT_STATE_ID, name);
        if (found != null) {
          byte[] value = found.getValue();
          return Optional.of(value == null ? "" : new String(value, StandardCharsets.UTF_8));
        }
      }
      return Optional.empty();
    }

    @Override
    public OptionalLong newestLoweredGroup() {
      return FileMark.LOWERED.number(file);
    }

    @Override
    public OptionalLong lastProgram() {
      return FileMark.OPENED.number(file);
    }

    @Override
    public List<GroupFacts> groups() {
      return groups.describe(file.getBlocks());
    }
  }
}
