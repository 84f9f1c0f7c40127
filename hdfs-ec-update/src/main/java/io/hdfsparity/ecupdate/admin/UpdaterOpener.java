/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Opens the files that commands work on. Thread-safe. */
@FunctionalInterface
public interface UpdaterOpener {
  /**
   * Opens a file for updates.
   *
   * @param conf of the cluster
   * @param path of a closed erasure-coded file
   * @throws IOException if it cannot be updated, with a reason
   */
  StripedFileUpdater open(Configuration conf, Path path, UpdaterOptions options) throws IOException;

  /**
   * Opens a file for a program that writes nothing.
   *
   * @throws IOException as for {@link #open}
   */
  default StripedFileUpdater openReadOnly(Configuration conf, Path path, UpdaterOptions options)
      throws IOException {
    return open(conf, path, options);
  }

  /**
   * Opens a file of which units are missing, for reading.
   *
   * @throws IOException if it cannot be, with a reason
   */
  default DegradedReader openDegraded(Configuration conf, Path path) throws IOException {
    return FileUpdates.openDegraded(path.getFileSystem(conf), path);
  }
}
