/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.localcluster.LocalCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several programs change overlapping and neighbouring ranges of one file; they, DataNodes and the
 * NameNode are killed with -9 at random, again and again. Somebody writes between all kills. After
 * each of them under RS, after every so many under IZS (so that what is unfinished piles up), all
 * programs write, what was acknowledged is there, every read is explained by the writes, every
 * stripe's parity fits, and stock clients read the same.
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
    RS_3_2(
        "rs",
        3,
        2,
        4,
        Integer.getInteger("ecupdate.crash.rounds", 3),
        Integer.getInteger("ecupdate.crash.check.every", 1)),

    /** Bytes go to other rows in parity 1; the last codeword is short, and so are its rows. */
    IZS_4_3(
        "izs",
        4,
        3,
        4,
        Integer.getInteger("ecupdate.crash.izs.rounds", 3),
        Integer.getInteger("ecupdate.crash.izs.check.every", 3));

    final String codec;
    final int data;
    final int parity;
    final int fileBytes;
    final int rounds;
    final int checkEvery;

    /**
     * @param lastCells whole cells of the second group
     * @param checkEvery rounds from one comparison of everything to the next
     */
    Shape(String codec, int data, int parity, int lastCells, int rounds, int checkEvery) {
      this.codec = codec;
      this.data = data;
      this.parity = parity;
      fileBytes = data * BLOCK_BYTES + lastCells * CELL_BYTES + 12_345;
      this.rounds = rounds;
      this.checkEvery = checkEvery;
    }

    int nodes() {
      return data + parity;
    }
  }

  private final Random random = new Random(Long.getLong("seed", 0));
  private Shape shape;
  private LocalCluster cluster;
  private UpdatePrograms programs;

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
      ECSchema schema = new ECSchema(shape.codec, shape.data, shape.parity);
      try (UpdatePrograms running =
          new UpdatePrograms(
              cluster,
              PATH,
              shape.fileBytes,
              schema,
              CELL_BYTES,
              random,
              dir.resolve("client-site.xml"))) {
        programs = running;
        running.start(PROGRAMS);
        for (int round = 0; round < shape.rounds; round++) {
          String victims = crash();
          if ((round + 1) % shape.checkEvery == 0 || round == shape.rounds - 1) {
            running.checkAll("round " + round + ", after " + victims);
            System.out.printf(
                "crash test: %s round=%d acknowledged=%d reads judged=%d%n",
                shape, round, running.acks(), running.readsJudged());
          }
        }
      }
    } finally {
      cluster.purge();
    }
  }

  /** Kills some at any moment, and has all of them come back and go on. */
  private String crash() throws Exception {
    long before = programs.acks();
    int more = 1 + random.nextInt(60);
    programs.awaitOrTell("writes go on", () -> programs.acks() >= before + more);
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
      programs.kill(program);
    }
    for (String daemon : daemons) {
      cluster.kill(daemon);
    }
    if (withProgram) {
      programs.replace(program);
    }
    if (!daemons.isEmpty()) {
      cluster.restart(daemons);
    }
    return daemons + (withProgram ? " and a program" : "");
  }
}
