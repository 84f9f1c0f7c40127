/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;

/**
 * A finalized replica that is no FinalizedReplica, for BlockSender: of the latter it takes the
 * cached checksum of the last chunk instead of the one in the stream that it was given.
 *
 * <p>Reaches the package-private copy constructor of LocalReplica. Checked for Hadoop 3.5.0. Lives
 * as long as one reader, in no replica map.
 */
public final class SnapshotReplica extends LocalReplica {
  /** The same replica. */
  public SnapshotReplica(FinalizedReplica from) {
    super(from);
  }

  @Override
  public ReplicaState getState() {
    return ReplicaState.FINALIZED;
  }

  @Override
  public long getVisibleLength() {
    return getNumBytes();
  }

  @Override
  public long getBytesOnDisk() {
    return getNumBytes();
  }

  @Override
  public ReplicaInfo getOriginalReplica() {
    throw unsupported();
  }

  @Override
  public long getRecoveryID() {
    throw unsupported();
  }

  @Override
  public void setRecoveryID(long recoveryId) {
    throw unsupported();
  }

  @Override
  public ReplicaRecoveryInfo createInfo() {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException(
        "Cannot recover a replica through a reader's view of it: " + this);
  }
}
