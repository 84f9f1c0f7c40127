/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;

/**
 * A state that could not be written for lack of room or of a file descriptor: what was there is
 * there, and the log still has what is newer.
 */
final class NotKeptException extends IOException {
  private static final long serialVersionUID = 1L;

  private NotKeptException(IOException cause) {
    super(
        ErrorMessage.to("write the state of a replica")
            .value("cause", cause.getMessage())
            .expected(
                "a storage that takes it: make room on the disk, or raise the DataNode's limit of"
                    + " open files (ulimit -n), and try again")
            .message(),
        cause);
  }

  /**
   * Writes a state.
   *
   * @throws NotKeptException if it may be tried again
   */
  static void write(ReplicaStore store, byte[] state) throws IOException {
    try {
      store.writeState(state);
    } catch (IOException e) {
      throw store.isShortage(e) ? new NotKeptException(e) : e;
    }
  }
}
