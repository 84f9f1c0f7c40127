/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.localcluster.LocalCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A running {@link UpdatingProgram}, which pauses at first: what it says goes to a {@link
 * RegisterFile}. Thread-safe.
 */
final class RunningProgram {
  /** A read that is judged when all writes beside it are known. */
  record Read(int position, byte[] bytes, long began, long ended) {}

  private static final int TOLD_FAILURES = 5;
  private static final int TOLD_FRAMES = 20;

  private final Process process;
  private final Path errors;
  private final Thread listener;
  private final RegisterFile history;
  private final AtomicLong acks = new AtomicLong();
  private final Map<Long, Long> writes = new HashMap<>();
  private final List<Read> reads = new ArrayList<>();
  private volatile CountDownLatch paused = new CountDownLatch(1);
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  RunningProgram(LocalCluster cluster, Path site, String path, long seed, RegisterFile history)
      throws IOException {
    this.history = history;
    errors = site.resolveSibling("program" + seed + ".err");
    List<String> command = new ArrayList<>(ClusterJvm.command(cluster));
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            UpdatingProgram.class.getName(),
            site.toString(),
            path,
            Integer.toString(history.lengthBytes()),
            Long.toString(seed)));
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    listener = new Thread(this::listen, "program " + seed);
    listener.setDaemon(true);
    listener.start();
  }

  private void listen() {
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.endsWith(" .")) {
          hear(line.split(" "));
        }
      }
    } catch (IOException e) {
      failures.add(String.valueOf(e));
    }
  }

  private void hear(String[] words) {
    switch (words[0]) {
      case "B" -> {
        byte[] bytes = UpdatingProgram.bytes(Long.parseLong(words[4]), Integer.parseInt(words[3]));
        writes.put(
            Long.parseLong(words[1]),
            history.begin(Integer.parseInt(words[2]), bytes, Long.parseLong(words[5])));
      }
      case "A" -> {
        history.end(writes.get(Long.parseLong(words[1])), Long.parseLong(words[2]));
        acks.incrementAndGet();
      }
      case "R" -> {
        Read read =
            new Read(
                Integer.parseInt(words[1]),
                HexFormat.of().parseHex(words[4]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]));
        synchronized (reads) {
          reads.add(read);
        }
      }
      case "P" -> paused.countDown();
      default -> failures.add(String.join(" ", words));
    }
  }

  long acks() {
    return acks.get();
  }

  /** In how many lines of its log that is. */
  long said(String text) throws IOException {
    try (Stream<String> lines = Files.lines(errors)) {
      return lines.filter(line -> line.contains(text)).count();
    }
  }

  /** What it has read since this was asked last. */
  List<Read> takeReads() {
    synchronized (reads) {
      List<Read> taken = List.copyOf(reads);
      reads.clear();
      return taken;
    }
  }

  /** What it is doing: the last failures, and what it said beside that. */
  String describe() {
    List<String> failed = List.copyOf(failures);
    List<String> last = failed.subList(Math.max(0, failed.size() - TOLD_FAILURES), failed.size());
    String said;
    try {
      said = Files.readString(errors);
    } catch (IOException e) {
      said = e.toString();
    }
    return "alive="
        + process.isAlive()
        + " acks="
        + acks
        + " failures="
        + failed.size()
        + ", the last "
        + last
        + "\n"
        + whereItIs()
        + said;
  }

  /** What its main thread is about; where it stands still is seen nowhere else. */
  private String whereItIs() {
    try {
      Process jcmd =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/jcmd",
                  Long.toString(process.pid()),
                  "Thread.print")
              .redirectErrorStream(true)
              .start();
      try (Stream<String> lines = jcmd.inputReader().lines()) {
        return lines
                .dropWhile(line -> !line.startsWith("\"main\""))
                .takeWhile(line -> !line.isBlank())
                .limit(TOLD_FRAMES)
                .collect(Collectors.joining("\n"))
            + "\n";
      } finally {
        jcmd.destroy();
      }
    } catch (IOException e) {
      return e + "\n";
    }
  }

  private void order(String line) throws IOException {
    OutputStream out = process.getOutputStream();
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Has it pause after the operation that it is about. */
  void askToPause() throws IOException {
    paused = new CountDownLatch(1);
    order("pause");
  }

  /** Whether it pauses; then all that it did before is known. */
  boolean isPaused() {
    return paused.getCount() == 0;
  }

  void goOn() throws IOException {
    order("go");
  }

  /** SIGKILL; all that it said before is heard when this returns. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly(); // its output stays open
    process.waitFor(60, TimeUnit.SECONDS);
    listener.join(60_000);
  }
}
