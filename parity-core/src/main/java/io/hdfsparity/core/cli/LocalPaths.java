/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths of the local file system as arguments. Stateless. */
public final class LocalPaths {
  private LocalPaths() {}

  /** Any path. */
  public static Path parse(String text) throws UsageException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new UsageException("file=" + text + ", expected a local path");
    }
  }

  /** A path at which a file can be made: checked before the work, not after it. */
  public static Path parseNew(String text) throws UsageException {
    Path path = parse(text);
    if (Files.exists(path)) {
      throw new UsageException("file=" + path + ", expected none of that name");
    }
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new UsageException("file=" + path + ", expected in a directory that exists");
    }
    if (!Files.isWritable(directory)) {
      throw new UsageException("file=" + path + ", expected in a directory that may be written to");
    }
    return path;
  }
}
