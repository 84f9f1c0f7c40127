/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists directories whole. A failure is an {@link IOException}, also one in the middle of the
 * directory, for which Java's streams have an unchecked exception. Stateless.
 */
public final class DirectoryListing {
  private DirectoryListing() {}

  /**
   * Entries of a directory.
   *
   * @param glob that their names match; {@code *} for all
   */
  public static List<Path> of(Path directory, String glob) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(entries::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }
}
