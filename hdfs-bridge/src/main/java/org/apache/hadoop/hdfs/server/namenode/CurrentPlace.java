/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Optional;

/**
 * Whether inodes are in the namespace as it is now. A deleted file that a snapshot has stays in the
 * NameNode's maps: under its old path, which may lead to another file, or, if it had been renamed
 * before, without any directory. For one of these HDFS answers its last name as its path, and
 * throws an AssertionError, or an IllegalArgumentException, where that is looked up. The caller
 * holds the locks.
 */
final class CurrentPlace {
  private CurrentPlace() {}

  /** Whether no directory has it, so that it has no path that could be looked up. */
  static boolean isNone(INode inode) {
    return inode.isDeleted();
  }

  /** The path that leads to it; empty: there is none. */
  static Optional<INodesInPath> of(FSDirectory directory, INode inode) {
    if (isNone(inode)) {
      return Optional.empty();
    }
    INodesInPath place = INodesInPath.fromINode(directory.getRoot(), inode);
    INode current = place.getLastINode();
    return current != null && current.getId() == inode.getId()
        ? Optional.of(place)
        : Optional.empty();
  }
}
