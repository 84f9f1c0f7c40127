/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.File;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Where a block or checksum file lies in a volume: {@code current/<block
 * pool>/current/finalized/...} and so on.
 *
 * <p>Reaches: DataStorage's directory names and BlockPoolSliceStorage.TRASH_ROOT_DIR
 * (package-private). Checked for Hadoop 3.5.0. Immutable.
 */
record ReplicaFileName(String blockPoolId, Area area, long blockId, boolean meta) {
  /** The directories of a block pool slice. */
  enum Area {
    FINALIZED,
    RBW,
    TMP,
    TRASH,
    OTHER
  }

  /**
   * Parses the path of a file.
   *
   * @param currentDir the volume's {@code current} directory
   * @return null when {@code file} is no block or checksum file of the volume
   */
  static @Nullable ReplicaFileName parse(File currentDir, File file) {
    String name = file.getName();
    boolean block = Block.isBlockFilename(file);
    if (!block && !Block.isMetaFilename(name)) {
      return null;
    }
    Path root = currentDir.getAbsoluteFile().toPath().normalize();
    Path path = file.getAbsoluteFile().toPath().normalize();
    if (!path.startsWith(root) || path.getNameCount() < root.getNameCount() + 3) {
      return null;
    }
    Path relative = root.relativize(path);
    return new ReplicaFileName(
        relative.getName(0).toString(), area(relative), Block.getBlockId(name), !block);
  }

  private static Area area(Path relative) {
    String first = relative.getName(1).toString();
    if (first.equals(DataStorage.STORAGE_DIR_TMP)) {
      return Area.TMP;
    }
    if (first.equals(BlockPoolSliceStorage.TRASH_ROOT_DIR)) {
      return Area.TRASH;
    }
    if (!first.equals(Storage.STORAGE_DIR_CURRENT)) {
      return Area.OTHER;
    }
    String second = relative.getName(2).toString();
    if (second.equals(DataStorage.STORAGE_DIR_FINALIZED)) {
      return Area.FINALIZED;
    }
    return second.equals(DataStorage.STORAGE_DIR_RBW) ? Area.RBW : Area.OTHER;
  }
}
