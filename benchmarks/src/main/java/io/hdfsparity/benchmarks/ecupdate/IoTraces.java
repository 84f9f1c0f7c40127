/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The traces of all storages of a cluster, as they grow. Used by one thread. */
final class IoTraces {
  private static final long QUIET_MS = 1500;
  private static final long MAX_MS = 120_000;

  private final Path dir;
  private final Map<Path, Integer> taken = new LinkedHashMap<>();

  IoTraces(Path dir) {
    this.dir = dir;
  }

  /** Waits until engines have had nothing to do for a while. */
  void awaitQuiet() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long before = -1;
    for (long now = bytes(); now != before; now = bytes()) {
      if (System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(MAX_MS)) {
        throw new IOException("Cannot measure: engines do not come to rest in ms=" + MAX_MS);
      }
      before = now;
      TimeUnit.MILLISECONDS.sleep(QUIET_MS);
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (var files = Files.list(dir)) {
      return files.sorted().toList();
    }
  }

  private long bytes() throws IOException {
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** What came since the last call, by storage. */
  Map<Path, List<Io>> take() throws IOException {
    Map<Path, List<Io>> fresh = new LinkedHashMap<>();
    for (Path file : files()) {
      List<String> lines = Files.readAllLines(file);
      List<Io> all = new ArrayList<>();
      for (String line : lines.subList(taken.getOrDefault(file, 0), lines.size())) {
        all.add(Io.parse(line));
      }
      taken.put(file, lines.size());
      fresh.put(file, all);
    }
    return fresh;
  }
}
