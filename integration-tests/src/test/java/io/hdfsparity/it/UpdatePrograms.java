/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Programs that change one file of a cluster of processes, and what is to be true of the file
 * whatever has happened to them, for one test. Not thread-safe.
 */
final class UpdatePrograms implements AutoCloseable {
  /** Last warnings of each log in the message of a failure, which has to stay readable. */
  private static final int TOLD_LINES = 8;

  private static final Pattern TOLD = Pattern.compile(" (WARN|ERROR|FATAL) |Exception");

  private final LocalCluster cluster;
  private final String path;
  private final int fileBytes;
  private final Random random;
  private final RegisterFile history;
  private final Path site;
  private final List<RunningProgram> programs = new ArrayList<>();
  private final List<RunningProgram.Read> unjudged = new ArrayList<>();

  /** One more that is up and waits, for a JVM takes its time. */
  private RunningProgram spare;

  private long acksOfTheDead;
  private long readsJudged;

  /**
   * Makes the file; no program runs yet.
   *
   * @param cluster that was started; stays the caller's
   * @param site where the client's configuration is written
   */
  UpdatePrograms(
      LocalCluster cluster,
      String path,
      int fileBytes,
      ECSchema schema,
      int cellBytes,
      Random random,
      Path site)
      throws IOException {
    this.cluster = cluster;
    this.path = path;
    this.fileBytes = fileBytes;
    this.random = random;
    this.site = site;
    byte[] initial = new byte[fileBytes];
    random.nextBytes(initial);
    history = new RegisterFile(initial);
    KillableUpdates.create(cluster, path, initial, schema, cellBytes);
    try (OutputStream out = Files.newOutputStream(site)) {
      cluster.conf().writeXml(out);
    }
  }

  /** So many programs begin. */
  void start(int count) throws IOException {
    spare = launch();
    for (int i = 0; i < count; i++) {
      programs.add(next());
    }
  }

  private RunningProgram launch() throws IOException {
    return new RunningProgram(cluster, site, path, random.nextLong(), history);
  }

  private RunningProgram next() throws IOException {
    RunningProgram next = spare;
    spare = launch();
    next.goOn();
    return next;
  }

  /** SIGKILL. */
  void kill(int program) throws InterruptedException {
    programs.get(program).kill();
  }

  /** Kills a program unless that was done, and begins another one in its place. */
  void replace(int program) throws IOException, InterruptedException {
    RunningProgram killed = programs.get(program);
    killed.kill();
    unjudged.addAll(killed.takeReads());
    acksOfTheDead += killed.acks();
    programs.set(program, next());
  }

  /** A program that is writing a block group anew. */
  OptionalInt healing() throws IOException {
    for (int i = 0; i < programs.size(); i++) {
      if (programs.get(i).said("is being rewritten, bytes=")
          > programs.get(i).said("was rewritten, ms=")) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** Writes that were acknowledged, also to programs that are dead. */
  long acks() {
    return acksOfTheDead + programs.stream().mapToLong(RunningProgram::acks).sum();
  }

  /** Reads that were compared with what was written. */
  long readsJudged() {
    return readsJudged;
  }

  /** Each program has a write acknowledged that may have begun before. */
  void awaitEachWrites(int writes, String when) {
    for (RunningProgram program : programs) {
      long before = program.acks();
      awaitOrTell("each program writes, " + when, () -> program.acks() >= before + writes);
    }
  }

  private String describe() {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> logs = Files.list(cluster.dir().resolve("logs"))) {
      for (Path log : (Iterable<Path>) logs.sorted()::iterator) {
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        text.append("\n--- ").append(log.getFileName());
        List<String> told = lines.stream().filter(TOLD.asPredicate()).toList();
        told.stream()
            .skip(Math.max(0, told.size() - TOLD_LINES))
            .forEach(line -> text.append('\n').append(line, 0, Math.min(line.length(), 300)));
      }
    } catch (IOException e) {
      text.append('\n').append(e);
    }
    // Last: of a long message, the end is what is kept.
    programs.forEach(program -> text.append('\n').append(program.describe()));
    return text.toString();
  }

  private static ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(20));
  }

  /** Waits; says what daemons and programs are about if that takes too long. */
  void awaitOrTell(String what, Callable<Boolean> condition) {
    try {
      await(what).until(condition);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + describe() + '\n' + what, e);
    }
  }

  /** All writes are known now, so that reads can be judged. */
  private void judge() {
    for (RunningProgram program : programs) {
      unjudged.addAll(program.takeReads());
    }
    for (RunningProgram.Read read : unjudged) {
      assertThat(history.wrong(read.position(), read.bytes(), read.began(), read.ended()))
          .as("a read of an updater")
          .isEmpty();
      readsJudged++;
    }
    unjudged.clear();
  }

  /**
   * All programs write; then what was acknowledged is there, every read is explained by the writes,
   * every stripe's parity fits, and stock clients read the same.
   */
  void checkAll(String when) throws Exception {
    awaitEachWrites(1, when);
    for (RunningProgram program : programs) {
      program.askToPause();
    }
    for (RunningProgram program : programs) {
      awaitOrTell("pauses", program::isPaused);
    }
    judge();
    Configuration conf = cluster.conf();
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      KillableUpdates.awaitAnswers(fs, path);
      byte[] found = new byte[fileBytes];
      long began = System.nanoTime();
      try (StripedFileUpdater updater =
          FileUpdates.open(fs, new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard())) {
        updater.recover(0, fileBytes, 20);
        assertThat(updater.read(0, ByteBuffer.wrap(found))).isEqualTo(fileBytes);
      }
      assertThat(history.wrong(0, found, began, System.nanoTime())).as(when).isEmpty();
      history.settle(found, System.nanoTime());
      assertThat(KillableUpdates.verify(conf, path)).as(when).isEmpty();
      byte[] stock;
      try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
        stock = in.readAllBytes();
      }
      assertThat(Arrays.equals(stock, found)).as("a stock read, %s", when).isTrue();
      assertThat(((DistributedFileSystem) fs).getClient().getCorruptBlocksCount())
          .as(when)
          .isZero();
    }
    for (RunningProgram program : programs) {
      program.goOn();
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (RunningProgram program : programs) {
      program.kill();
    }
    if (spare != null) {
      spare.kill();
    }
  }
}
