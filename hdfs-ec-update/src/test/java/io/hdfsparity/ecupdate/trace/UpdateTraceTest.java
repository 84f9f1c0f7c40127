/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import io.hdfsparity.core.trace.UpdateTraceName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdateTraceTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2007-02-22T17:00:00.0000123Z"), ZoneOffset.UTC);

  /** The same moment in 100 ns since 1601. */
  private static final long TICKS = 128_166_372_000_000_123L;

  /** Any line here has less. */
  private static final int LINE_BYTES = 100;

  @TempDir Path folder;

  private UpdateTrace trace(Path directory, long fileBytes, long totalBytes, String unique) {
    return new UpdateTrace(
        new UpdateTrace.Bounds(directory, fileBytes, totalBytes),
        new UpdateTrace.Source(77, "Node_1.Example", unique),
        CLOCK);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static List<ByteRequest> requests(Path file) throws IOException {
    List<ByteRequest> requests = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      MsrTrace trace = new MsrTrace(in, BadLines.FAIL, bad -> {});
      for (ByteRequest next = trace.next(); next != null; next = trace.next()) {
        requests.add(next);
      }
    }
    return requests;
  }

  @Test
  void goldenLines() throws IOException {
    try (UpdateTrace trace = trace(folder.resolve("new/one"), 1 << 20, 1 << 22, "0a")) {
      trace.begun(Access.WRITE, 0, 1);
      trace.begun(Access.READ, 5_000_000_000L, 4096);
      // No line of a trace is of no byte.
      trace.begun(Access.READ, 5, 0);
    }
    assertThat(folder.resolve("new/one/updates-77-hnode-1.example-0a-00000001.csv"))
        .hasContent(
            TICKS
                + ",hnode-1.example,77,Write,0,1,0\n"
                + TICKS
                + ",hnode-1.example,77,Read,5000000000,4096,0\n");
  }

  @Test
  void nothingIsMadeForWhoDoesNothing() throws IOException {
    trace(folder.resolve("never"), 1 << 20, 1 << 22, "0a").close();
    assertThat(files()).isEmpty();
  }

  @Test
  void filesAndDirectoryAreBounded() throws IOException {
    Path other = Files.writeString(folder.resolve("keep.csv"), "x".repeat(10_000));
    int fileBytes = 1000;
    int totalBytes = 5 * fileBytes;
    List<Long> newest = new ArrayList<>();
    try (UpdateTrace trace = trace(folder, fileBytes, totalBytes, "0a")) {
      for (long i = 0; i < 500; i++) {
        trace.begun(Access.WRITE, i, 1);
        newest.add(i);
        // As if each file had been written a while after the other.
        for (Path file : files()) {
          long part =
              UpdateTraceName.parse(file.getFileName().toString()).map(n -> n.part()).orElse(0);
          Files.setLastModifiedTime(file, FileTime.fromMillis(1000L * part));
        }
        long sizeBytes = 0;
        for (Path file : files()) {
          long size = file.equals(other) ? 0 : Files.size(file);
          assertThat(size).isLessThanOrEqualTo(fileBytes);
          sizeBytes += size;
        }
        assertThat(sizeBytes).isLessThanOrEqualTo(totalBytes);
      }
    }
    assertThat(other).exists();
    List<Long> kept = new ArrayList<>();
    for (Path file : files()) {
      if (!file.equals(other)) {
        requests(file).forEach(request -> kept.add(request.offsetBytes()));
      }
    }
    // The newest, without a gap.
    assertThat(kept).hasSizeGreaterThan((totalBytes - 2 * fileBytes) / LINE_BYTES);
    assertThat(kept).isEqualTo(newest.subList(newest.size() - kept.size(), newest.size()));
  }

  @Test
  void updatersShareADirectory() throws IOException {
    try (UpdateTrace one = trace(folder, 1000, 2000, "0a");
        UpdateTrace two = trace(folder, 1000, 2000, "0b")) {
      for (int i = 0; i < 100; i++) {
        one.begun(Access.WRITE, i, 1);
        two.begun(Access.WRITE, 1000 + i, 1);
      }
    }
    long sizeBytes = 0;
    for (Path file : files()) {
      sizeBytes += Files.size(file);
      assertThat(requests(file)).isNotEmpty();
    }
    // A file for each that is open, beside the total.
    assertThat(sizeBytes).isPositive().isLessThanOrEqualTo(2000 + 2 * 1000);
  }

  @Test
  void noLineIsTornByThreads() throws Exception {
    int perThread = 500;
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (UpdateTrace trace = trace(folder, 1 << 20, 1 << 22, "0a")) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long from = 1000L * thread;
        threads.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < perThread; i++) {
                    trace.begun(Access.WRITE, from + i, 1);
                  }
                }));
      }
      for (Future<?> thread : threads) {
        thread.get(120, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(requests(files().get(0)).stream().map(ByteRequest::offsetBytes).distinct())
        .hasSize(4 * perThread);
  }

  @Test
  void whatCannotBeWrittenDoesNotMatter() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no directory");
    UpdateTrace trace = trace(file, 1000, 2000, "0a");
    trace.begun(Access.WRITE, 0, 1);
    trace.begun(Access.WRITE, 0, 1);
    trace.close();
    trace.close();
    trace.begun(Access.WRITE, 0, 1);
    assertThat(files()).containsExactly(file);
  }

  @Test
  void boundsThatLeaveNoRoomAreRefused() {
    assertThatThrownBy(() -> new UpdateTrace.Bounds(folder, 1000, 1999))
        .hasMessageContaining("totalBytes=1999, expected at least twice fileBytes=1000");
  }
}
