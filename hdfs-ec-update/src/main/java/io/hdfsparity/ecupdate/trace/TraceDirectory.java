/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.core.trace.UpdateTraceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A directory of traces that any number of updaters, of any processes, write files into: each makes
 * room before it begins one. Only files with such names are looked at, and deleted. Thread-safe.
 *
 * @param directory is made when it is needed
 * @param totalBytes of all traces, when one is begun
 */
record TraceDirectory(Path directory, long totalBytes) {
  private record Trace(Path file, long sizeBytes, long modifiedMs) {}

  /**
   * Deletes the traces that were written to the longest ago, until there is room.
   *
   * @param neededBytes most that a new one will have
   */
  void makeRoom(long neededBytes) throws IOException {
    PrivateFiles.makeDirectories(directory);
    List<Trace> traces = traces();
    long sizeBytes = traces.stream().mapToLong(Trace::sizeBytes).sum();
    for (Trace oldest : traces) {
      if (sizeBytes <= totalBytes - neededBytes) {
        return;
      }
      Files.deleteIfExists(oldest.file());
      sizeBytes -= oldest.sizeBytes();
    }
  }

  /** The oldest first. */
  private List<Trace> traces() throws IOException {
    List<Trace> traces = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, f -> UpdateTraceName.parse(f.getFileName().toString()).isPresent())) {
      for (Path file : files) {
        try {
          BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
          if (attributes.isRegularFile()) {
            traces.add(
                new Trace(file, attributes.size(), attributes.lastModifiedTime().toMillis()));
          }
        } catch (NoSuchFileException e) {
          // Another updater has made room.
        }
      }
    } catch (DirectoryIteratorException | UncheckedIOException e) {
      throw new IOException(e);
    }
    traces.sort(Comparator.comparingLong(Trace::modifiedMs).thenComparing(Trace::file));
    return traces;
  }
}
