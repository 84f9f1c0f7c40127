/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * What users see of an exception: its message, and where that does not say what went wrong, also
 * that. Stateless.
 */
final class ErrorMessages {
  /** Causes may go in circles. */
  private static final int MAX_CAUSES = 20;

  private ErrorMessages() {}

  /** May be null, as messages may. */
  static @Nullable String of(Throwable e) {
    @Nullable Throwable cause = e;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof OutOfMemoryError) {
        return ofMemory(cause);
      }
      cause = cause.getCause();
    }
    if (e instanceof UncheckedIOException && e.getCause() != null) {
      return of(e.getCause());
    }
    // The JDK's message is only the path where the system gave no reason.
    return e instanceof FileSystemException file && file.getReason() == null
        ? file.getMessage() + ": " + ofFile(file)
        : e.getMessage();
  }

  private static String ofFile(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there is one of that name";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "directory not empty";
    }
    return e instanceof NotDirectoryException ? "not a directory" : "cannot be read or written";
  }

  private static String ofMemory(Throwable e) {
    return ErrorMessage.to("continue")
        .value("memory", e.getMessage())
        .value("heap", "at most " + SizesAndDurations.bytes(Runtime.getRuntime().maxMemory()))
        .expected(
            "more, by HADOOP_HEAPSIZE_MAX=4g hdfs ... or HDFS_PARITY_OPTS=-Xmx4g"
                + " bin/hdfs-parity ...")
        .message();
  }
}
