/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;

/**
 * Gives the blocks of files to another one, behind its own, and deletes the files: HDFS's concat,
 * in the active NameNode, with quotas that are right.
 *
 * <p>HDFS counts a striped file once before and as often as a group has units after (FSDirConcatOp
 * compares INodeFile.getFileReplication, which is 1, with getPreferredBlockReplication), so that
 * all directories above would seem to have taken more space than they have, until a NameNode starts
 * or becomes active and starts its counts at zero. Nothing is taken or given by a concat inside one
 * directory; so what the root has counted more is taken back from all of them, under the same hold
 * of the lock. For the same reason quotas are not verified meanwhile.
 *
 * <p><b>Crash.</b> One operation does it, OP_CONCAT_DELETE, which stock NameNodes replay; counts
 * are not in the log.
 *
 * <p>Reaches, package-private: FSDirConcatOp.concat; FSDirectory.disableQuotaChecks,
 * enableQuotaChecks, shouldSkipQuotaChecks, unprotectedUpdateCount and its locks;
 * FSNamesystem.checkNameNodeSafeMode, checkSuperuserPrivilege, getPermissionChecker, logAuditEvent.
 * Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class FileJoin {
  private static final String OPERATION = "joinParts";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;

  public FileJoin(NameNode nameNode) {
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
  }

  /**
   * Joins files of one directory and one erasure coding policy, on behalf of the caller of the RPC
   * that this thread handles, who must be a superuser. Durable when it returns.
   *
   * @param target that gets the blocks; may be empty
   * @param parts in the order of their bytes, none empty
   * @throws IOException when a path leads to no file, or HDFS refuses the concat; then nothing is
   *     changed
   */
  public void join(String target, List<String> parts) throws IOException {
    namesystem.checkSuperuserPrivilege(OPERATION, target);
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot join " + target);
      directory.writeLock();
      try {
        concat(caller, target, parts);
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    DurableLog.sync(namesystem, OPERATION);
    namesystem.logAuditEvent(true, OPERATION, target);
  }

  private void concat(FSPermissionChecker caller, String target, List<String> parts)
      throws IOException {
    INodesInPath place = directory.resolvePath(caller, target, DirOp.WRITE);
    QuotaCounts before = counted();
    boolean wasChecked = !directory.shouldSkipQuotaChecks();
    directory.disableQuotaChecks();
    try {
      FSDirConcatOp.concat(
          directory, caller, target, parts.toArray(new String[0]), /* logRetryCache= */ false);
    } finally {
      if (wasChecked) {
        directory.enableQuotaChecks();
      }
    }
    QuotaCounts more = counted().subtract(before);
    // Fewer names are right.
    more.setNameSpace(0);
    FSDirectory.unprotectedUpdateCount(place, place.length() - 1, more.negation());
  }

  /** The root counts whether it has a quota or not. */
  private QuotaCounts counted() {
    return directory.getRoot().getDirectoryWithQuotaFeature().getSpaceConsumed();
  }
}
