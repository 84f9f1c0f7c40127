/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Decides which of the nodes that HDFS has chosen for a new block group gets which unit, where the
 * file has a hint in an extended attribute. Found by {@link java.util.ServiceLoader}; one is made
 * for each placement policy of a NameNode.
 *
 * <p>Thread-safety: called concurrently by the NameNode's handlers.
 */
public interface UnitOrder {
  /**
   * A block group that is about to be made.
   *
   * @param fileId inode of its file
   * @param index how many groups the file has
   * @param dataUnits of the file's policy
   * @param hint value of the attribute
   */
  record NewGroup(long fileId, int index, int dataUnits, byte[] hint) {}

  /** Whether files of this path can have a hint. Called for every new block group: no lock. */
  boolean concerns(String path);

  /** Name of the attribute, with its namespace; one that only superusers can set. */
  String attribute();

  /**
   * Forgets files that are gone. Called under the namesystem's read lock: must be short.
   *
   * @param isThere says of an inode whether it is there
   */
  void keep(LongPredicate isThere);

  /**
   * Decides, under no lock.
   *
   * @param nodeUuids as HDFS would have them: the first gets unit 0; at most as many as units
   * @return a permutation: node {@code order[i]} gets unit i
   * @throws IOException when the hint cannot be used; the group is placed without it
   */
  int[] order(NewGroup group, List<String> nodeUuids) throws IOException;
}
