/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import io.hdfsparity.benchmarks.rounds.TraceFile;
import io.hdfsparity.benchmarks.trace.VolumeStatistics;
import io.hdfsparity.benchmarks.trace.VolumeTrace;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The writes of a trace on a volume that holds no more than what the trace accesses. Immutable.
 *
 * <p>As the PLR paper does it: offsets are moved together so that order and neighbourhood stay, and
 * only writes are replayed.
 *
 * @param name of the trace
 * @param writes in the order of time
 * @param volumeBytes a multiple of {@link #EXTENT_BYTES}
 */
record DenseTrace(String name, List<ByteRequest> writes, long volumeBytes) {
  /** Volumes are cut into these; one of which nothing is accessed is left out. */
  static final int EXTENT_BYTES = 64 << 10;

  DenseTrace {
    writes = List.copyOf(writes);
  }

  /** A generated one. */
  static DenseTrace generated(String volume, int maxWrites, long seed) {
    return of(
        volume, VolumeTrace.of(VolumeStatistics.named(volume).capped(maxWrites), seed), maxWrites);
  }

  /**
   * A trace file, of which the first writes are taken, and no more is read.
   *
   * @throws IOException naming the file, if a line cannot be understood
   */
  static DenseTrace read(Path file, int maxWrites) throws IOException {
    Builder builder = new Builder(maxWrites);
    try (InputStream in = Files.newInputStream(file)) {
      MsrTrace trace = new MsrTrace(in, BadLines.FAIL, bad -> {});
      while (!builder.isFull()) {
        ByteRequest next = trace.next();
        if (next == null) {
          break;
        }
        builder.add(next);
      }
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("Cannot read a trace: " + e.getMessage() + ", file=" + file, e);
    }
    return builder.build(TraceFile.label(file));
  }

  /** Of the first writes; what is read until then is part of the volume. */
  static DenseTrace of(String name, List<ByteRequest> requests, int maxWrites) {
    Builder builder = new Builder(maxWrites);
    for (ByteRequest request : requests) {
      if (builder.isFull()) {
        break;
      }
      builder.add(request);
    }
    return builder.build(name);
  }

  /** Takes requests in the order of time; keeps writes, and of reads only where they were. */
  private static final class Builder {
    private final int maxWrites;
    private final List<ByteRequest> writes = new ArrayList<>();
    private final NavigableMap<Long, Long> places = new TreeMap<>();

    Builder(int maxWrites) {
      this.maxWrites = maxWrites;
    }

    boolean isFull() {
      return writes.size() == maxWrites;
    }

    void add(ByteRequest request) {
      for (long at = first(request); at <= last(request); at++) {
        places.put(at, 0L);
      }
      if (request.access() == Access.WRITE) {
        writes.add(request);
      }
    }

    DenseTrace build(String name) {
      long place = 0;
      for (var extent : places.entrySet()) {
        extent.setValue(place++);
      }
      List<ByteRequest> moved = new ArrayList<>();
      for (ByteRequest write : writes) {
        long extent = places.getOrDefault(first(write), 0L);
        moved.add(
            new ByteRequest(
                write.timeTicks(),
                Access.WRITE,
                extent * EXTENT_BYTES + write.offsetBytes() % EXTENT_BYTES,
                write.sizeBytes()));
      }
      return new DenseTrace(name, moved, place * EXTENT_BYTES);
    }
  }

  private static long first(ByteRequest request) {
    return request.offsetBytes() / EXTENT_BYTES;
  }

  private static long last(ByteRequest request) {
    return (request.offsetBytes() + request.sizeBytes() - 1) / EXTENT_BYTES;
  }

  /** One client's part: the trace is split evenly, neighbours in time stay together. */
  DenseTrace part(int client, int clients) {
    int from = (int) ((long) writes.size() * client / clients);
    int to = (int) ((long) writes.size() * (client + 1) / clients);
    return new DenseTrace(name, writes.subList(from, to), volumeBytes);
  }

  long writtenBytes() {
    return writes.stream().mapToLong(ByteRequest::sizeBytes).sum();
  }

  /** As the replay reads it. */
  MsrTrace lines() throws IOException {
    String lines = writes.stream().map(write -> write.line() + "\n").collect(Collectors.joining());
    return new MsrTrace(
        new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)),
        BadLines.FAIL,
        bad -> {});
  }
}
