/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Makes files of a replica its own when an upgrade has linked them into {@code previous/}: a copy
 * takes the place of each.
 *
 * <p>Why not LocalReplica.breakHardLinksIfNeeded: it forces nothing. The next force of any file of
 * the file system may make its renames durable before the copies are, and a loss of power then
 * leaves short files. Checked for Hadoop 3.5.0. Stateless, thread-safe.
 */
final class HardLinks {
  private static final int BUFFER_BYTES = 1 << 16;

  private HardLinks() {}

  /**
   * Breaks the hard links of a replica's files; durable on return, also if a process that was
   * killed had broken them and not got so far: then there are none to be seen.
   *
   * @param volume of the files; null if unavailable
   */
  static void breakLinks(FileIoProvider io, @Nullable FsVolumeSpi volume, File block, File meta)
      throws IOException {
    breakLinks(io, volume, block);
    breakLinks(io, volume, meta);
    // Else the names may lead to the files of previous/ again, without changes made since then.
    io.dirSync(volume, block.getParentFile());
  }

  private static void breakLinks(FileIoProvider io, @Nullable FsVolumeSpi volume, File file)
      throws IOException {
    if (io.getHardLinkCount(volume, file) <= 1) {
      return;
    }
    // HDFS deletes what a crash leaves under this name when it looks for replicas.
    File copy = DatanodeUtil.getUnlinkTmpFile(file);
    try {
      copy(io, volume, file, copy);
      io.move(volume, copy.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!io.deleteWithExistsCheck(volume, copy)) {
        e.addSuppressed(new IOException("Cannot delete file=" + copy));
      }
      throw e;
    }
  }

  private static void copy(FileIoProvider io, @Nullable FsVolumeSpi volume, File from, File to)
      throws IOException {
    try (FileInputStream in = io.getFileInputStream(volume, from);
        FileOutputStream out = io.getFileOutputStream(volume, to)) {
      IOUtils.copyBytes(in, out, BUFFER_BYTES);
      io.sync(volume, out);
    }
    if (to.length() != from.length()) {
      throw new IOException(
          ErrorMessage.to("break the hard links of a file")
              .value("copied bytes", to.length())
              .expected(from.length() + ", as it has")
              .file(from.toPath())
              .message());
    }
  }
}
