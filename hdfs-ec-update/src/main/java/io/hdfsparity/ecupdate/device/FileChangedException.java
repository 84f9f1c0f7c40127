/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.device;

import java.io.IOException;

/**
 * The path of a device leads to another file, or none, or another program has opened the file: it
 * cannot go on.
 */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what has changed. */
  public FileChangedException(String message) {
    super(message);
  }
}
