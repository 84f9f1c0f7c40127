/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.client.OpenedSinceException;
import io.hdfsparity.ecupdate.device.DeviceFile;
import io.hdfsparity.ecupdate.device.FileChangedException;
import io.hdfsparity.ecupdate.device.FileDevice;
import io.hdfsparity.ecupdate.nbd.ServedExport.Access;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.OpeningProgram.OpenKind;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Opens a file of HDFS as a device: for writing in an exclusive session. Before it is used, what a
 * session has left unfinished that was not closed is completed or undone: else a block that was
 * read could turn back into what it had been before. Not thread-safe.
 */
final class DeviceOpener implements FileDevice.Opener {
  private static final long PAUSE_MS = 500;

  private final Configuration conf;
  private final Path path;
  private final UpdaterOptions options;
  private final Access access;
  private final LongConsumer recovering;

  /** Of this program, for this file. */
  private final long program = new SecureRandom().nextLong();

  private boolean hasOpened;

  /** Of the file, since it was opened first. */
  private OptionalLong fileId = OptionalLong.empty();

  /**
   * @param recovering hears how many bytes have been recovered when it is opened
   */
  DeviceOpener(
      Configuration conf,
      Path path,
      UpdaterOptions options,
      Access access,
      LongConsumer recovering) {
    this.conf = conf;
    this.path = path;
    this.options = options;
    this.access = access;
    this.recovering = recovering;
  }

  @Override
  public DeviceFile open() throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    requireSame(fs);
    StripedFileUpdater updater =
        access == Access.READ_WRITE
            ? openExclusive(fs)
            : FileUpdates.openReadOnly(fs, path, options);
    boolean isOpen = false;
    try {
      // Whoever has put another file there meanwhile is noticed: an inode's number is never reused.
      requireSame(fs);
      updater.settleUnclean(PAUSE_MS, recovering);
      isOpen = true;
      hasOpened = true;
      return DeviceFile.of(updater);
    } finally {
      if (!isOpen) {
        updater.close();
      }
    }
  }

  /** Only after itself: what is repeated must not be written over what others have written. */
  private StripedFileUpdater openExclusive(FileSystem fs) throws IOException {
    OpenKind kind = hasOpened ? OpenKind.CONTINUED : OpenKind.FIRST;
    try {
      return FileUpdates.openExclusive(fs, path, options, new OpeningProgram(program, kind));
    } catch (OpenedSinceException e) {
      FileChangedException changed = new FileChangedException(String.valueOf(e.getMessage()));
      changed.initCause(e);
      throw changed;
    }
  }

  private void requireSame(FileSystem fs) throws IOException {
    long found = fileId(fs);
    if (fileId.isEmpty()) {
      fileId = OptionalLong.of(found);
    } else if (fileId.getAsLong() != found) {
      throw new FileChangedException(
          ErrorMessage.to("continue a block device")
              .value("inode", found)
              .expected(fileId.getAsLong() + ", the file that was opened")
              .where("file", path)
              .message());
    }
  }

  private long fileId(FileSystem fs) throws IOException {
    try {
      if (fs.getFileStatus(path) instanceof HdfsFileStatus status) {
        return status.getFileId();
      }
    } catch (FileNotFoundException e) {
      if (fileId.isEmpty()) {
        throw e;
      }
      throw new FileChangedException(
          ErrorMessage.to("continue a block device")
              .value("file", "none")
              .expected("the one that was opened")
              .where("path", path)
              .message());
    }
    throw new IOException(
        ErrorMessage.to("use a file as a block device")
            .value("fileSystem", fs.getUri())
            .expected("HDFS")
            .where("file", path)
            .message());
  }
}
