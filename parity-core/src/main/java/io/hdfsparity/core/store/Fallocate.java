/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.file.Path;

/** Linux's fallocate (fallocate(2)), which Java does not have. Stateless, thread-safe. */
public final class Fallocate {
  private static final int O_RDWR_CLOEXEC = 0x80002;
  private static final int EINTR = 4;
  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;

  private Fallocate() {}

  /** Loaded at the first use only: other systems do not have these functions. */
  private static final class Libc {
    static {
      Native.register(Libc.class, "c");
    }

    private static native int open(String path, int flags) throws LastErrorException;

    private static native int close(int file) throws LastErrorException;

    private static native int fallocate(int file, int mode, long offset, long lengthBytes)
        throws LastErrorException;
  }

  /**
   * Takes space for a file from its begin up to a size, and makes it that long if it is shorter.
   * What it has stays; what is new reads as zeros. Not durable before the file is forced.
   *
   * @throws IOException if the file system is full, or cannot preallocate
   */
  public static void reserve(Path file, long sizeBytes) throws IOException {
    try {
      call(file, sizeBytes);
    } catch (LastErrorException | LinkageError e) {
      throw failure(file, sizeBytes, e);
    }
  }

  /**
   * As {@link #reserve}.
   *
   * @return whether the file system can preallocate; if not, the file is as before
   * @throws IOException if the file system is full
   */
  public static boolean reserveIfPossible(Path file, long sizeBytes) throws IOException {
    try {
      call(file, sizeBytes);
      return true;
    } catch (LastErrorException e) {
      if (e.getErrorCode() == EOPNOTSUPP || e.getErrorCode() == ENOSYS) {
        return false;
      }
      throw failure(file, sizeBytes, e);
    } catch (LinkageError e) {
      return false;
    }
  }

  private static void call(Path file, long sizeBytes) {
    int number = Libc.open(file.toString(), O_RDWR_CLOEXEC);
    try {
      boolean isInterrupted;
      do {
        isInterrupted = isInterrupted(number, sizeBytes);
      } while (isInterrupted);
    } finally {
      Libc.close(number);
    }
  }

  /** A signal ends the call early; what it has taken until then counts for the next one. */
  private static boolean isInterrupted(int number, long sizeBytes) {
    try {
      Libc.fallocate(number, 0, 0, sizeBytes);
      return false;
    } catch (LastErrorException e) {
      if (e.getErrorCode() == EINTR) {
        return true;
      }
      throw e;
    }
  }

  private static IOException failure(Path file, long sizeBytes, Throwable cause) {
    return new IOException(
        ErrorMessage.to("preallocate")
            .value("sizeBytes", sizeBytes)
            .expected("a file system with room and fallocate: " + cause.getMessage())
            .file(file)
            .message(),
        cause);
  }
}
