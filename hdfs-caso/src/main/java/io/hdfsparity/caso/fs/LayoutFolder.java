/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.SystemFolder;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The folder of the suite on a file system, in which only superusers make, rename and delete:
 *
 * <pre>
 *  /.caso        0711
 *    index       0711  the index of each inode in stored order, named by it, 0444 and sealed
 *    spare       0711  the same again
 *    work        0700  copies and parts that are being made
 * </pre>
 *
 * <p>Immutable, thread-safe.
 *
 * @param path absolute, without scheme
 */
record LayoutFolder(String path) {
  private static final FsPermission PASSABLE = new FsPermission((short) 0711);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  Path work() {
    return new Path(path, "work");
  }

  Path index(long fileId) {
    return new Path(LayoutPointer.indexPath(path, fileId));
  }

  Path spare(long fileId) {
    return new Path(LayoutPointer.sparePath(path, fileId));
  }

  /**
   * Makes what is missing, and takes what is there.
   *
   * @throws IOException as {@link SystemFolder#prepare}
   */
  void prepare(DistributedFileSystem fs) throws IOException {
    String key = CasoKey.LAYOUT_FOLDER.key();
    SystemFolder.prepare(fs, new Path(path), PASSABLE, WorkFiles.FOLDER_MARK, key);
    for (String name : new String[] {LayoutPointer.INDEXES, LayoutPointer.SPARES}) {
      SystemFolder.prepare(fs, new Path(path, name), PASSABLE, WorkFiles.FOLDER_MARK, key);
    }
    SystemFolder.prepare(fs, work(), PRIVATE, WorkFiles.FOLDER_MARK, key);
  }
}
