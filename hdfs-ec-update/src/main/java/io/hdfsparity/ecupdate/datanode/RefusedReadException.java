/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.FileNotFoundException;
import java.io.Serial;

/**
 * A stock reader is not given the bytes of a replica, which are not damaged. It is a
 * FileNotFoundException because that is the one exception that VolumeScanner does not report to the
 * NameNode as damage; BlockSender looks for missing files on it, finds none, and passes it on.
 */
final class RefusedReadException extends FileNotFoundException {
  @Serial private static final long serialVersionUID = 1;

  RefusedReadException(String message) {
    super(message);
  }

  RefusedReadException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
