/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks inodes up by their numbers, under the NameNode's locks: its map of inodes can miss one that
 * is there while another thread changes it.
 *
 * <p>Reaches: FSDirectory.getInode(long). Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class LiveInodes {
  private final NamespaceReader reader;
  private final FSDirectory directory;

  public LiveInodes(NameNode nameNode) {
    FSNamesystem namesystem = nameNode.getNamesystem();
    this.reader = new NamespaceReader(namesystem, "readInodes");
    this.directory = namesystem.getFSDirectory();
  }

  /**
   * Full paths of inodes, looked up under one hold of the locks.
   *
   * @param inodeIds a page of a listing at most
   * @return by number; an inode that is gone is not there
   */
  public Map<Long, String> paths(Collection<Long> inodeIds) {
    return reader.locked(
        () -> {
          Map<Long, String> paths = new HashMap<>();
          for (long id : inodeIds) {
            INode inode = directory.getInode(id);
            if (inode != null) {
              paths.put(id, inode.getFullPathName());
            }
          }
          return paths;
        });
  }
}
