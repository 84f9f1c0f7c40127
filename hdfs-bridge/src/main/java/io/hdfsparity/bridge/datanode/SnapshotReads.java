/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;
import java.util.Set;

/**
 * Serves the reads of replicas of a volume whose bytes may change after they were finalized.
 * Thread-safe.
 */
public interface SnapshotReads {
  /** What a refusal of {@link ReadCaller#VERIFIER} says of a replica that updates have taken. */
  String UPDATED = "it is updated in place";

  /** A finalized replica as the dataset knows it, and who wants to read it. */
  record Request(
      String blockPoolId,
      long blockId,
      long generationStamp,
      long lengthBytes,
      File blockFile,
      File metaFile,
      ReadCaller caller) {}

  /**
   * Whether a finalized replica is read by {@link #open} only. Such a replica is never read by
   * short circuit, nor cached in memory.
   */
  boolean takes(long blockId);

  /**
   * Opens a replica.
   *
   * @throws IOException if it is refused. A {@link java.io.FileNotFoundException} is not taken for
   *     damage by the volume scanner; any other is, and the replica reported as corrupt
   */
  ReplicaSnapshot open(Request request) throws IOException;

  /** Whether a replica must not be moved or copied to another node. */
  boolean isPinned(long blockId);

  /** Replicas that are not reported to the NameNode. */
  Set<Long> withheld();
}
