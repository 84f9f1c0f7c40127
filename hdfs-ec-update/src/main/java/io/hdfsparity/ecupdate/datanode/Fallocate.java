/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.file.Path;

/** Linux's fallocate, which Java does not have. Stateless, thread-safe. */
final class Fallocate {
  private static final int O_RDWR_CLOEXEC = 0x80002;

  static {
    Native.register(Fallocate.class, "c");
  }

  private Fallocate() {}

  private static native int open(String path, int flags) throws LastErrorException;

  private static native int close(int file) throws LastErrorException;

  private static native int fallocate(int file, int mode, long offset, long lengthBytes)
      throws LastErrorException;

  /**
   * Takes space for a file from its begin up to a size, and makes it that long if it is shorter.
   * What it has stays; what is new reads as zeros.
   *
   * @throws IOException if the file system is full, or cannot preallocate
   */
  static void reserve(Path file, long sizeBytes) throws IOException {
    try {
      int number = open(file.toString(), O_RDWR_CLOEXEC);
      try {
        fallocate(number, 0, 0, sizeBytes);
      } finally {
        close(number);
      }
    } catch (LastErrorException e) {
      throw new IOException(
          ErrorMessage.to("preallocate")
              .value("sizeBytes", sizeBytes)
              .expected("a file system with room and fallocate: " + e.getMessage())
              .file(file)
              .message(),
          e);
    }
  }
}
