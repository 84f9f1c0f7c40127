/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;

/** All marks of the namespace. Looks at each inode, a thousand under a hold of the lock. */
final class AllMarks {
  private static final int INODES = 1_000;
  private static final int MAX_WALKS = 5;

  private final ProtectedFiles files;
  private final ProtectionMarks marks;

  AllMarks(ProtectedFiles files, ProtectionMarks marks) {
    this.files = files;
    this.marks = marks;
  }

  /**
   * Clears them, and looks again whether one was renamed across the walk.
   *
   * @return how many were cleared
   */
  int clear() throws IOException {
    int cleared = 0;
    for (int walks = 0; walks < MAX_WALKS; walks++) {
      List<String> found = find();
      if (found.isEmpty()) {
        return cleared;
      }
      for (String path : found) {
        cleared += clear(path);
      }
    }
    throw new IOException(
        ErrorMessage.to("clear all marks")
            .value("cleared", cleared)
            .expected("nobody to mark paths meanwhile; run again")
            .message());
  }

  private List<String> find() throws IOException {
    ProtectedFiles.Walk walk = files.walk("/");
    List<String> found = new ArrayList<>();
    while (!walk.isOver()) {
      found.addAll(walk.marked(INODES));
    }
    return found;
  }

  private int clear(String path) throws IOException {
    try {
      marks.clear(path);
      return 1;
    } catch (FileNotFoundException e) {
      return 0; // Renamed or deleted: the next walk tells.
    }
  }
}
