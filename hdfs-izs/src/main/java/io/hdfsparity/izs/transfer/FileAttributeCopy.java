/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import io.hdfsparity.bridge.copy.AttributeCopy;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Makes a copy look like its source, and remembers what the move itself changes of it: the access
 * time of the source, the storage policy that the copy was placed by. For one file; not
 * thread-safe.
 */
final class FileAttributeCopy {
  private final AttributeCopy attributes;
  private long accessedMs = -1;
  private boolean placed;

  FileAttributeCopy(DistributedFileSystem fs) {
    attributes = new AttributeCopy(fs, Set.of());
  }

  /** Keeps the access time that the file has before the move reads it. */
  void remember(HdfsFileStatus status) {
    accessedMs = status.getAccessTime();
  }

  /**
   * Name of the storage policy by which the blocks of the copy have to be placed; empty: that of
   * the directory in which it is written does it.
   */
  Optional<String> placement(HdfsFileStatus source, HdfsFileStatus directory) throws IOException {
    if (source.getStoragePolicy() == directory.getStoragePolicy()
        || source.getStoragePolicy() == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED) {
      return Optional.empty();
    }
    placed = true;
    return Optional.of(attributes.policy(source.getStoragePolicy()));
  }

  void apply(Path source, Path copy, int storagePolicyId, long modifiedMs) throws IOException {
    attributes.apply(
        source,
        copy,
        new AttributeCopy.TargetAttributes(storagePolicyId, placed, modifiedMs, accessedMs));
  }
}
