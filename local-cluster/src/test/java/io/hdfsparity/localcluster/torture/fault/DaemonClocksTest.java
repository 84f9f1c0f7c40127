/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clock of a real JVM jumps. Needs Debian's package faketime. */
@Tag("full")
@Timeout(60)
class DaemonClocksTest {
  private static final Daemon DAEMON = new Daemon(DaemonRole.DATANODE, 3);

  @TempDir Path dir;

  /** Waits a tenth of a second in Java's three ways, and prints both clocks, until it is ended. */
  static final class Clocks {
    private Clocks() {}

    public static void main(String[] args) throws InterruptedException {
      Object lock = new Object();
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < TimeUnit.MINUTES.toNanos(1)) {
        long waitBegin = System.nanoTime();
        synchronized (lock) {
          lock.wait(100);
        }
        System.out.println(
            System.currentTimeMillis()
                + " "
                + System.nanoTime() / 1_000_000
                + " "
                + (System.nanoTime() - waitBegin) / 1_000_000);
      }
    }
  }

  /** What it has printed: wall clock, the clock that goes forward, and how long it has waited. */
  private record Line(long wallMs, long monotonicMs, long waitedMs) {
    static Line read(BufferedReader out) throws IOException {
      String[] words = out.readLine().split(" ");
      return new Line(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    /** How far the wall clock has moved against the other one since then. */
    long jumpedMs(Line since) {
      return wallMs - since.wallMs - (monotonicMs - since.monotonicMs);
    }
  }

  @Test
  void theClockOfAJvmJumpsThereAndBackWhileItsTimersGoOn() throws Exception {
    ClusterPaths paths = new ClusterPaths(dir);
    DaemonClocks clocks =
        new DaemonClocks(
            paths,
            DaemonClocks.library().orElseThrow(() -> new IOException(DaemonClocks.missing())));
    clocks.make();
    List<String> command = new ArrayList<>(clocks.prefix(DAEMON));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Clocks.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<Path> shared =
        List.of(
            Path.of("/dev/shm/faketime_shm_" + process.pid()),
            Path.of("/dev/shm/sem.faketime_sem_" + process.pid()));
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      Line first = Line.read(out);
      assertThat(Math.abs(first.wallMs() - System.currentTimeMillis())).isLessThan(10_000);
      assertThat(shared).allMatch(Files::exists);
      for (int seconds : List.of(600, -600, 0)) {
        DaemonClocks.set(paths, DAEMON, seconds);
        Line line = Line.read(out);
        while (Math.abs(line.jumpedMs(first) - seconds * 1000L) > 50) {
          assertThat(line.waitedMs()).isBetween(99L, 10_000L);
          line = Line.read(out);
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(shared).as("what a process leaves that is killed").allMatch(Files::exists);
    clocks.leave();
    assertThat(shared).noneMatch(Files::exists);
  }
}
