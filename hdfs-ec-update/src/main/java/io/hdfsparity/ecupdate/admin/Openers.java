/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Where files come from. */
final class Openers {
  /** HDFS, by a session of the NameNode. */
  static final UpdaterOpener HDFS = new Hdfs();

  private record Hdfs() implements UpdaterOpener {
    @Override
    public StripedFileUpdater open(Configuration conf, Path path, UpdaterOptions options)
        throws IOException {
      return FileUpdates.open(path.getFileSystem(conf), path, options);
    }

    @Override
    public StripedFileUpdater openReadOnly(Configuration conf, Path path, UpdaterOptions options)
        throws IOException {
      return FileUpdates.openReadOnly(path.getFileSystem(conf), path, options);
    }
  }

  private Openers() {}
}
