/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.SystemErrors;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a disk takes what is written: HDFS's own check only looks at directories, which may be in
 * memory still when the disk is gone. DiskChecker.checkDirWithDiskIo would do the same, but takes a
 * full disk for a broken one.
 *
 * <p>Reaches nothing. Checked for Hadoop 3.5.0. Stateless.
 */
final class DiskIoCheck {
  private static final Logger LOG = LoggerFactory.getLogger(DiskIoCheck.class);
  private static final String NAME = "DiskIoCheck.OK_TO_DELETE";
  private static final int BYTES = 4096;

  /** As DiskChecker. */
  private static final int ATTEMPTS = 3;

  private DiskIoCheck() {}

  /**
   * Writes a file, forces it to the disk, reads it back and deletes it. Waits for the disk.
   *
   * @param directory of the DataNode, whose files nobody else looks at
   * @throws DiskErrorException if the disk says that it does not work, or gives other bytes back;
   *     not for any other reason, such as no room for the file, or no memory: HDFS takes a failed
   *     disk out of service, and by default stops the DataNode
   */
  static void check(File directory) throws DiskErrorException {
    File file = new File(directory, NAME);
    @Nullable IOException failure = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      failure = attempt(file);
      if (failure == null || !isOfDisk(failure)) {
        break;
      }
    }
    if (!file.delete() && file.exists()) {
      LOG.warn("Cannot delete {}", file);
    }
    if (failure != null && !isOfDisk(failure)) {
      LOG.warn("Disk is not checked by writing to it: file={} cause={}", file, failure.toString());
    } else if (failure != null) {
      throw new DiskErrorException(
          ErrorMessage.to("write, force and read back a file")
              .value("cause", failure)
              .expected("a disk that works")
              .file(file.toPath())
              .message(),
          failure);
    }
  }

  private static boolean isOfDisk(IOException failure) {
    return failure instanceof OtherBytesException || SystemErrors.isDiskError(failure);
  }

  /** The disk has not given back what was written. */
  private static final class OtherBytesException extends IOException {
    private static final long serialVersionUID = 1;

    OtherBytesException() {
      super("other bytes were read back");
    }
  }

  // Not a FileChannel: an interrupt would close it, and look like a failure.
  private static @Nullable IOException attempt(File file) {
    byte[] written = new byte[BYTES];
    Arrays.fill(written, (byte) 0x5a);
    try (RandomAccessFile disk = new RandomAccessFile(file, "rw")) {
      disk.write(written);
      disk.getFD().sync();
      disk.seek(0);
      byte[] read = new byte[BYTES];
      disk.readFully(read);
      return Arrays.equals(read, written) ? null : new OtherBytesException();
    } catch (IOException e) {
      return e;
    }
  }
}
