/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.client.StripedFileUpdater;
import io.hdfsparity.ecupdate.client.UpdaterOptions;
import io.hdfsparity.ecupdate.fs.FileUpdates;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several programs change overlapping and neighbouring ranges of one file; they, DataNodes and the
 * NameNode are killed with -9 at random, again and again. Somebody writes between all kills; every
 * so many rounds all programs do, what was acknowledged is there, every read is explained by the
 * writes, every stripe's parity fits, and stock clients read the same.
 */
@Tag("full")
@Timeout(2400)
class InPlaceProcessCrashTest {
  private static final int PROGRAMS = 3;
  private static final int CELL_BYTES = 64 << 10;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final String PATH = "/ec/table";

  /**
   * A policy, and a file of two block groups under it: the first is full, the last stripe of the
   * second is not. There are as many DataNodes as units.
   */
  private enum Shape {
    /** The last stripe has one cell and some, so its codeword is as long as a cell. */
    RS_3_2("rs", 3, 2, 4, Integer.getInteger("ecupdate.crash.rounds", 50)),

    /** Bytes go to other rows in parity 1; the last codeword is short, and so are its rows. */
    IZS_4_3("izs", 4, 3, 4, Integer.getInteger("ecupdate.crash.izs.rounds", 10));

    final String codec;
    final int data;
    final int parity;
    final int fileBytes;
    final int rounds;

    /**
     * @param lastCells whole cells of the second group
     */
    Shape(String codec, int data, int parity, int lastCells, int rounds) {
      this.codec = codec;
      this.data = data;
      this.parity = parity;
      fileBytes = data * BLOCK_BYTES + lastCells * CELL_BYTES + 12_345;
      this.rounds = rounds;
    }

    int nodes() {
      return data + parity;
    }
  }

  /** Rounds from one comparison of everything to the next. */
  private static final int CHECK_EVERY = Integer.getInteger("ecupdate.crash.check.every", 5);

  /** Last warnings of each log in the message of a failure, which has to stay readable. */
  private static final int TOLD_LINES = 8;

  private static final Pattern TOLD = Pattern.compile(" (WARN|ERROR|FATAL) |Exception");

  private final Random random = new Random(Long.getLong("seed", 0));
  private final List<RunningProgram> programs = new ArrayList<>();
  private final List<RunningProgram.Read> unjudged = new ArrayList<>();
  private Shape shape;
  private RegisterFile history;
  private LocalCluster cluster;

  /** One more that is up and waits, for a JVM takes its time. */
  private RunningProgram spare;

  private Path site;
  private long acksOfTheDead;
  private long readsJudged;

  @ParameterizedTest
  @EnumSource
  void nothingIsLostOrMixed(Shape under, @TempDir Path dir) throws Exception {
    shape = under;
    cluster =
        // Dead after as long as a DataNode may take to come back here: what HDFS rebuilds is
        // copied.
        KillableUpdates.cluster(dir.resolve("c"), shape.nodes(), BLOCK_BYTES, 300_000).build();
    try {
      cluster.start();
      create();
      site = dir.resolve("client-site.xml");
      try (OutputStream out = Files.newOutputStream(site)) {
        cluster.conf().writeXml(out);
      }
      spare = launch();
      for (int i = 0; i < PROGRAMS; i++) {
        programs.add(next());
      }
      for (int round = 0; round < shape.rounds; round++) {
        String victims = crash();
        if ((round + 1) % CHECK_EVERY == 0 || round == shape.rounds - 1) {
          checkAll("round " + round + ", after " + victims);
          System.out.printf(
              "crash test: %s round=%d acknowledged=%d reads judged=%d%n",
              shape, round, acks(), readsJudged);
        }
      }
    } finally {
      for (RunningProgram program : programs) {
        program.kill();
      }
      if (spare != null) {
        spare.kill();
      }
      cluster.purge();
    }
  }

  private void create() throws IOException {
    byte[] initial = new byte[shape.fileBytes];
    random.nextBytes(initial);
    history = new RegisterFile(initial);
    KillableUpdates.create(
        cluster, PATH, initial, new ECSchema(shape.codec, shape.data, shape.parity), CELL_BYTES);
  }

  private RunningProgram launch() throws IOException {
    return new RunningProgram(site, PATH, random.nextLong(), history);
  }

  private RunningProgram next() throws IOException {
    RunningProgram next = spare;
    spare = launch();
    next.goOn();
    return next;
  }

  private long acks() {
    return acksOfTheDead + programs.stream().mapToLong(RunningProgram::acks).sum();
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

  /** Kills some at any moment, and has all of them come back and go on. */
  private String crash() throws Exception {
    long before = acks();
    int more = 1 + random.nextInt(60);
    awaitOrTell("writes go on", () -> acks() >= before + more);
    int choice = random.nextInt(10);
    List<String> daemons = new ArrayList<>();
    if (choice == 0) {
      daemons.add("nn");
    } else if (choice <= 6) {
      int first = random.nextInt(shape.nodes());
      daemons.add("dn" + first);
      if (choice <= 2) {
        daemons.add("dn" + (first + 1 + random.nextInt(shape.nodes() - 1)) % shape.nodes());
      }
    }
    boolean withProgram = daemons.isEmpty() || random.nextInt(3) == 0;
    int program = random.nextInt(PROGRAMS);
    if (withProgram && random.nextBoolean()) {
      programs.get(program).kill();
    }
    for (String daemon : daemons) {
      cluster.kill(daemon);
    }
    if (withProgram) {
      RunningProgram killed = programs.get(program);
      killed.kill();
      unjudged.addAll(killed.takeReads());
      acksOfTheDead += killed.acks();
      programs.set(program, next());
    }
    if (!daemons.isEmpty()) {
      cluster.restart(daemons);
    }
    return daemons + (withProgram ? " and a program" : "");
  }

  private void awaitOrTell(String what, Callable<Boolean> condition) {
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

  private void checkAll(String when) throws Exception {
    for (RunningProgram program : programs) {
      long before = program.acks();
      awaitOrTell("each program writes, " + when, () -> program.acks() > before);
    }
    for (RunningProgram program : programs) {
      program.askToPause();
    }
    for (RunningProgram program : programs) {
      awaitOrTell("pauses", program::isPaused);
    }
    judge();
    Configuration conf = cluster.conf();
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      KillableUpdates.awaitAnswers(fs, PATH);
      byte[] found = new byte[shape.fileBytes];
      long began = System.nanoTime();
      try (StripedFileUpdater updater =
          FileUpdates.open(fs, new org.apache.hadoop.fs.Path(PATH), UpdaterOptions.standard())) {
        updater.recover(0, shape.fileBytes, 20);
        assertThat(updater.read(0, ByteBuffer.wrap(found))).isEqualTo(shape.fileBytes);
      }
      assertThat(history.wrong(0, found, began, System.nanoTime())).as(when).isEmpty();
      history.settle(found, System.nanoTime());
      assertThat(KillableUpdates.verify(conf, PATH)).as(when).isEmpty();
      byte[] stock;
      try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(PATH))) {
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
}
