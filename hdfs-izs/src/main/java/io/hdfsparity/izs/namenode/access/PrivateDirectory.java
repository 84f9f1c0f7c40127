/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local directory that only the process's user enters: mode 0700, files in it 0600. Stateless.
 */
final class PrivateDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateDirectory.class);

  private PrivateDirectory() {}

  /**
   * Makes it, with those above that are missing, or takes from others what they may do with it.
   *
   * @throws IOException if it cannot be made private: it is another user's, or a link
   */
  static void make(Path directory) throws IOException {
    try {
      if (Files.isSymbolicLink(directory)) {
        throw new IOException("it is a link");
      }
      for (Path opened : PrivateFiles.secure(directory)) {
        LOG.warn("{} was open to others: made it private", opened);
      }
    } catch (IOException e) {
      throw new IOException(
          ErrorMessage.to("use an access history")
              .value("private", false)
              .expected(
                  "a directory with mode 0700 of the NameNode's user, or a place where it may be"
                      + " made; give it to that user, or set dfs.parity.izs.access.dir")
              .where("directory", directory)
              .message(),
          e);
    }
  }
}
