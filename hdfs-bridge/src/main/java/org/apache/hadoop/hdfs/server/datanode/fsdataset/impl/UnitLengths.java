/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to take a unit of a block group for what it is not. A stream of Hadoop's Java client that
 * was opened while a file was replicated, or had fewer data units, and comes to locations that it
 * has not asked for yet after the file was rewritten, asks for a block that has the id of a unit
 * and is longer: a whole group has the id of its unit 0. HDFS looks at the id only, and would serve
 * the unit's bytes for it.
 *
 * <p>Hadoop's client says how long it takes the block to be with each request: the length of the
 * unit, by the form that it goes by. So whoever of it says more goes by another form. Other clients
 * report what they got from the NameNode, the length of the group, for each of its units
 * (hdfs-native; HDFS accepts it, block tokens or not), and nothing can be concluded from that: they
 * are served as by HDFS. So is a DataNode that takes a replica for the Balancer or the Mover: it
 * says dfs.blocksize (DataXceiver.replaceBlock), and copies the unit as a unit. Checked for Hadoop
 * 3.5.0, hdfs-native 0.14. Stateless.
 */
final class UnitLengths {
  private UnitLengths() {}

  /**
   * Looks at a request to read.
   *
   * @param asked with the length that the reader takes the block to have
   * @param replica that it would get; one that is being written has no length yet
   * @param thread that serves the request, by whose name the reader is known
   */
  static void require(ExtendedBlock asked, @Nullable ReplicaInfo replica, Thread thread)
      throws IOException {
    if (replica != null
        && replica.getState() == ReplicaState.FINALIZED
        && BlockIdManager.isStripedBlockID(asked.getBlockId())
        && asked.getNumBytes() > replica.getNumBytes()
        && !ReadCallers.mayNameGroups(thread.getName())
        && !ReadCallers.isCopy()) {
      throw new IOException(
          ErrorMessage.to("read a unit of a block group")
              .value("lengthBytes", asked.getNumBytes())
              .expected(
                  replica.getNumBytes()
                      + "; the file was rewritten in another form since it was opened: open it"
                      + " again")
              .where("block", asked)
              .message());
    }
  }
}
