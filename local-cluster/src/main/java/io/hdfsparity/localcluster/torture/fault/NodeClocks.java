/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Clocks of DataNodes by libfaketime: the time of day is off by so many seconds. The monotonic
 * clock is not changed. Used by one thread, but for {@link #environment}.
 */
final class NodeClocks {
  /** Where packages put it: a folder for each kind of machine, or none. */
  private static final List<Path> PLACES =
      List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

  private static final Path LIBRARY = Path.of("faketime", "libfaketimeMT.so.1");

  private final Path library;
  private final Path folder;

  /**
   * @param folder where the offsets are kept
   */
  NodeClocks(Path library, Path folder) {
    this.library = library;
    this.folder = folder;
  }

  /** The library, where it is installed. */
  static Optional<Path> library() throws IOException {
    return library(PLACES);
  }

  static Optional<Path> library(List<Path> places) throws IOException {
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        try (Stream<Path> folders = Files.list(place)) {
          Optional<Path> found =
              Stream.concat(Stream.of(place), folders)
                  .map(each -> each.resolve(LIBRARY))
                  .filter(Files::isReadable)
                  .sorted()
                  .findFirst();
          if (found.isPresent()) {
            return found;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Sets all right. */
  void make(int nodes) throws IOException {
    Files.createDirectories(folder);
    for (int node = 0; node < nodes; node++) {
      set(node, 0);
    }
  }

  private Path file(int node) {
    return folder.resolve("dn" + node);
  }

  /** Sets a clock, of a process that runs too: within about a second. */
  void set(int node, int offsetSeconds) throws IOException {
    Path next = folder.resolve("dn" + node + ".next");
    Files.writeString(next, "%+d\n".formatted(offsetSeconds));
    Files.move(next, file(node), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a process of a node needs. */
  Map<String, String> environment(int node) {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file(node).toString(),
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1");
  }
}
