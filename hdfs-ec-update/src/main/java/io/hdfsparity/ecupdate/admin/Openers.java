/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.ecupdate.client.FileUpdates;

/** Where files come from. */
final class Openers {
  /** HDFS, by a session of the NameNode. */
  static final UpdaterOpener HDFS =
      (conf, path, options) -> FileUpdates.open(path.getFileSystem(conf), path, options);

  private Openers() {}
}
