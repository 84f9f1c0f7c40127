/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Counts by key that leave memory as sorted runs when they are too many, and are merged when they
 * are asked for. Without a space for that they stay in memory.
 *
 * <p>Not thread-safe. Methods throw {@link UncheckedIOException} if the space cannot be used.
 */
final class SpillableCounts implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Optional<SpillSpace> space;
  private final LongCounts memory = new LongCounts();
  private final List<Path> runs = new ArrayList<>();

  SpillableCounts(Optional<SpillSpace> space) {
    this.space = space;
  }

  /** Adds one to the count of a key, which is not negative. */
  void increment(long key) {
    memory.increment(key);
    if (space.isPresent() && memory.size() >= space.get().maxEntriesInMemory()) {
      try {
        spill(space.get());
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  /** How many keys are in memory. */
  int sizeInMemory() {
    return memory.size();
  }

  /** Shows the entries with at least some count, in ascending order of keys. */
  void forEachAscending(int minCount, LongCounts.Entry visitor) {
    if (runs.isEmpty()) {
      memory.forEachAscending(minCount, visitor);
      return;
    }
    try {
      if (memory.size() > 0) {
        spill(space.orElseThrow());
      }
      merge(
          runs,
          (key, count) -> {
            if (count >= minCount) {
              visitor.entry(key, count);
            }
          });
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void spill(SpillSpace to) throws IOException {
    try (CountRunWriter writer = newRun(to)) {
      memory.forEachAscending(1, (key, count) -> append(writer, key, count));
      writer.end();
    }
    memory.clear();
    if (runs.size() >= to.maxRuns()) {
      List<Path> merged = List.copyOf(runs);
      try (CountRunWriter writer = newRun(to)) {
        merge(merged, (key, count) -> append(writer, key, count));
        writer.end();
      }
      for (Path run : merged) {
        Files.delete(run);
        runs.remove(run);
      }
    }
  }

  private CountRunWriter newRun(SpillSpace to) throws IOException {
    Files.createDirectories(to.directory());
    Path file = Files.createTempFile(to.directory(), "caso-counts-", ".run");
    runs.add(file);
    return new CountRunWriter(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
  }

  private void append(CountRunWriter writer, long key, int count) {
    try {
      writer.append(key, count);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static void merge(List<Path> runs, LongCounts.Entry visitor) throws IOException {
    List<CountRunReader> readers = new ArrayList<>();
    try {
      PriorityQueue<CountRunReader> byKey =
          new PriorityQueue<>(Comparator.comparingLong(CountRunReader::key));
      for (Path run : runs) {
        CountRunReader reader =
            new CountRunReader(
                new BufferedInputStream(Files.newInputStream(run), BUFFER_BYTES), run.toString());
        readers.add(reader);
        if (reader.next()) {
          byKey.add(reader);
        }
      }
      while (!byKey.isEmpty()) {
        long key = byKey.element().key();
        int count = 0;
        while (!byKey.isEmpty() && byKey.element().key() == key) {
          CountRunReader reader = byKey.remove();
          count = Math.addExact(count, reader.count());
          if (reader.next()) {
            byKey.add(reader);
          }
        }
        visitor.entry(key, count);
      }
    } finally {
      for (CountRunReader reader : readers) {
        reader.close();
      }
    }
  }

  private UncheckedIOException failed(IOException e) {
    return new UncheckedIOException(
        "Cannot spill counts: directory="
            + space.map(SpillSpace::directory).orElseThrow()
            + ", expected one with room that can be written: "
            + e.getMessage(),
        e);
  }

  /** Deletes the runs. */
  @Override
  public void close() {
    try {
      for (Path run : runs) {
        Files.deleteIfExists(run);
      }
      runs.clear();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
