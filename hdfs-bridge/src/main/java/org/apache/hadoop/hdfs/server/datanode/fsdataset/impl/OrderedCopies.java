/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to send less than a whole replica where the NameNode has ordered a copy.
 *
 * <p>HDFS looks whether the replica is complete when the order comes (DataNode.transferBlock), and
 * makes the copy later, on a thread of its own (DataTransfer). BlockSender takes the replica that
 * is there then. If it has a higher generation stamp by now, BlockSender raises that of the block,
 * which goes to the other DataNode, and still sends only as many bytes as the order names. So a
 * block that was appended to in between gets a replica that is too short, with the append's stamp.
 * The NameNode accepts it as long as the block is under construction.
 *
 * <p>BlockSender has fixed the stamp, and sent nothing, when it opens the block file. If the
 * replica is complete then, under just this stamp, and as long as ordered, the copy is that of this
 * stamp, whatever is done to the replica from then on: any change takes another stamp, and the
 * NameNode refuses replicas with an older one. If not, nothing is sent. A block loses its orders
 * when it is appended to, and the NameNode looks at its replicas again when it is complete.
 *
 * <p>The other DataNode needs not be of the suite. Checked for Hadoop 3.5.0. Stateless.
 */
final class OrderedCopies {
  private OrderedCopies() {}

  /**
   * Looks at what is going to be sent.
   *
   * @param sent the block as it is named to the other DataNode, with the length of the order
   * @param replica that is there now
   * @param isOrdered whether it is opened for such a copy; asked only if that matters
   */
  static void require(ExtendedBlock sent, @Nullable ReplicaInfo replica, BooleanSupplier isOrdered)
      throws IOException {
    if (replica != null && !isWhole(sent, replica) && isOrdered.getAsBoolean()) {
      throw new IOException(
          ErrorMessage.to("copy a replica")
              .value("replica", replica.getState() + " " + replica)
              .expected(
                  "a complete one of "
                      + sent.getNumBytes()
                      + " bytes, as ordered; it was changed since, and the NameNode orders the copy"
                      + " again when the block is complete")
              .where("block", sent)
              .message());
    }
  }

  private static boolean isWhole(ExtendedBlock sent, ReplicaInfo replica) {
    return replica.getState() == ReplicaState.FINALIZED
        && replica.getGenerationStamp() == sent.getGenerationStamp()
        && replica.getNumBytes() == sent.getNumBytes();
  }
}
