/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.CodedBlockSize;
import io.hdfsparity.bridge.swap.FileIdentity;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * What a file is before it is changed. Immutable.
 *
 * @param storagePolicyId set on the file itself; 0: none
 * @param placementPolicyId that blocks of a copy have to be created with; 0: none
 */
record RewriteSource(
    FileIdentity identity,
    HdfsFileStatus status,
    int storagePolicyId,
    int placementPolicyId,
    boolean isOrdered) {
  String byInode() {
    return InodePaths.path(identity.inodeId());
  }

  ErasureCodingPolicy policy() {
    return status.getErasureCodingPolicy();
  }

  /** Bytes of a full block group of a copy. */
  long groupBytes() {
    return Math.multiplyExact(form().blockSizeBytes(), (long) policy().getNumDataUnits());
  }

  /** How a copy of it is made. */
  PartPlan.Form form() {
    return new PartPlan.Form(
        CodedBlockSize.wholeCells(status.getBlockSize(), policy().getCellSize()),
        policy().getName(),
        policy().getCellSize(),
        placementPolicyId);
  }
}
