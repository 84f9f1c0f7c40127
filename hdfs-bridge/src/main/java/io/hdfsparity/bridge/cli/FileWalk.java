/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Goes through files. Stateless. */
public final class FileWalk {
  private FileWalk() {}

  /** Notified of each file. */
  @FunctionalInterface
  public interface Visitor {
    void file(FileStatus file) throws IOException;
  }

  /**
   * A file, or all below a directory in the order of its listings. A directory that vanishes
   * meanwhile is passed over.
   */
  public static void from(FileStatus root, FileSystem fs, Visitor visitor) throws IOException {
    Deque<FileStatus> directories = new ArrayDeque<>();
    visit(root, directories, visitor);
    while (!directories.isEmpty()) {
      Path directory = directories.pop().getPath();
      try {
        RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
        while (children.hasNext()) {
          visit(children.next(), directories, visitor);
        }
      } catch (FileNotFoundException e) {
        if (fs.exists(directory)) {
          throw e;
        }
      }
    }
  }

  private static void visit(FileStatus each, Deque<FileStatus> directories, Visitor visitor)
      throws IOException {
    if (each.isDirectory()) {
      directories.push(each);
    } else if (each.isFile()) {
      visitor.file(each);
    }
  }
}
