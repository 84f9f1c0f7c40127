/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.List;

/**
 * Files that a NameNode left in the middle of a change when it died ({@link LevelEdits}), in the
 * NameNode that comes after it. They are open, with all their blocks and none of them final, so
 * recovering their lease, as HDFS does for a writer that has gone, would cut them to whole stripes.
 *
 * <p>So they are completed as soon as the NameNode can write, whatever has been reported: what they
 * have is in the log. And from {@link #shelter} on their leases are under a name that HDFS does not
 * look for: it goes by the one in the file, finds no lease, and refuses recovery and append
 * (FSNamesystem.recoverLeaseInternal). The leases themselves stay, as an image lists open files by
 * them; one that is loaded has the name in the file again.
 *
 * <p><b>Crash.</b> What is not completed is open still, and found again by the next NameNode.
 *
 * <p>Reaches, package-private: NameNode.isStarted; FSNamesystem.getLeaseManager;
 * LeaseManager.getINodeIdWithLeases, reassignLease, renewLease. Checked for Hadoop 3.5.0. {@link
 * #round} is for one thread.
 */
public final class InterruptedChanges {
  /** Holder of the leases meanwhile; no client has such a name, and no file. */
  private static final String SHELTER = ReservedNames.HOLDERS + "_torn__";

  private static final String OPERATION = "completeInterruptedChanges";

  private final NameNode nameNode;
  private final StripedLevels levels;

  /** When the NameNode became active, for the term whose files were completed. */
  private long completedTerm = Long.MIN_VALUE;

  public InterruptedChanges(NameNode nameNode, StripedLevels levels) {
    this.nameNode = nameNode;
    this.levels = levels;
  }

  /**
   * Keeps leases that the NameNode has loaded from being recovered. Called when a plugin is
   * started: HDFS serves nobody before that is over.
   */
  public void shelter() {
    FSNamesystem namesystem = nameNode.getNamesystem();
    LeaseManager leases = namesystem.getLeaseManager();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      for (long id : List.copyOf(leases.getINodeIdWithLeases())) {
        INode node = namesystem.getFSDirectory().getInode(id);
        if (node != null && node.isFile() && LevelEdits.isInterrupted(node.asFile())) {
          leases.reassignLease(leases.getLease(node.asFile()), node.asFile(), SHELTER);
        }
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
  }

  /**
   * Completes the files, once in each term of an active NameNode that is out of safe mode; else
   * does nothing. To be called often: from the end of a failover until then anybody may ask for
   * recovery of a lease that came with its last edits.
   *
   * @return paths of these files
   * @throws IOException when it was not possible now; the next call tries again
   */
  public List<String> round() throws IOException {
    long term = nameNode.getLastHATransitionTime();
    if (term == completedTerm) {
      return List.of();
    }
    // No client renews them: in a safe mode that takes longer than leases do, HDFS would recover
    // them as soon as it has ended, those too that came with the last edits of a failover.
    LeaseManager leases = nameNode.getNamesystem().getLeaseManager();
    leases.renewLease(SHELTER);
    leases.renewLease(LevelEdits.HOLDER);
    // One that is starting says that it is active before its log can be written.
    if (!nameNode.isStarted() || !levels.isWritable()) {
      return List.of();
    }
    List<String> paths = levels.completeInterrupted();
    completedTerm = term;
    return paths;
  }
}
