/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * DataNodes are killed by kill -9 and stay away, while programs change a file: once HDFS takes them
 * for dead the programs write the block groups anew that have lost units, and go on, all in the
 * same session; in some rounds some of them are killed as well, also while they do that. Nothing
 * that was acknowledged is lost; nor when the DataNode is back, with what it had.
 */
@Tag("full")
@Timeout(1800)
class EcUpdateHealTest {
  private static final int ROUNDS = Integer.getInteger("ecupdate.heal.rounds", 4);
  private static final int PROGRAMS = 3;
  private static final int CELL_BYTES = 64 << 10;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int UNITS = 5;
  private static final int NODES = 6;
  private static final int FILE_BYTES = 3 * BLOCK_BYTES + 4 * CELL_BYTES + 12_345;
  private static final String PATH = "/ec/table";

  private final Random random = new Random(Long.getLong("seed", 0));
  private LocalCluster cluster;
  private DistributedFileSystem fs;
  private UpdatePrograms programs;

  @Test
  void programsGoOnWithoutTheNodesThatAreLost(@TempDir Path dir) throws Exception {
    // Dead after some twelve seconds.
    cluster = KillableUpdates.cluster(dir.resolve("c"), NODES, BLOCK_BYTES, 1_000).build();
    try {
      cluster.start();
      try (UpdatePrograms running =
              new UpdatePrograms(
                  cluster,
                  PATH,
                  FILE_BYTES,
                  new ECSchema("rs", 3, 2),
                  CELL_BYTES,
                  random,
                  dir.resolve("client-site.xml"));
          DistributedFileSystem opened = (DistributedFileSystem) cluster.newFileSystem()) {
        programs = running;
        fs = opened;
        running.start(PROGRAMS);
        for (int round = 0; round < ROUNDS; round++) {
          lose("dn" + random.nextInt(NODES), round);
        }
      }
    } finally {
      cluster.purge();
    }
  }

  private void lose(String node, int round) throws Exception {
    programs.awaitEachWrites(1 + random.nextInt(20), "round " + round);
    String when = "round " + round + ", without " + node;
    List<Long> before = groups();
    // No more than one: updates here survive one crashed client beside a lost node.
    OptionalInt killed = OptionalInt.empty();
    if (round % 4 == 1) {
      killed = OptionalInt.of(random.nextInt(PROGRAMS));
      programs.kill(killed.getAsInt());
    }
    cluster.kill(node);
    if (round % 4 >= 2) {
      programs.awaitOrTell(
          "some program rewrites a group, " + when,
          () -> programs.healing().isPresent() || isWholeWithout(node));
      killed = programs.healing();
      if (killed.isPresent()) {
        programs.kill(killed.getAsInt());
      }
    }
    programs.awaitOrTell("the file has all units again, " + when, () -> isWholeWithout(node));
    if (killed.isPresent()) {
      programs.replace(killed.getAsInt());
    }
    programs.checkAll(when);
    System.out.printf(
        "heal test: %s, program killed=%s, groups written anew=%s, acknowledged=%d, reads"
            + " judged=%d%n",
        when,
        killed.isPresent(),
        groups().stream().filter(group -> !before.contains(group)).count(),
        programs.acks(),
        programs.readsJudged());
    cluster.restart(List.of(node));
    KillableUpdates.awaitAnswers(fs, PATH);
    programs.checkAll(when + ", which is back");
  }

  private List<LocatedBlock> located() throws IOException {
    return fs.getClient().getLocatedBlocks(PATH, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  private List<Long> groups() throws IOException {
    return located().stream().map(group -> group.getBlock().getBlockId()).toList();
  }

  private boolean isWholeWithout(String node) throws IOException {
    String address = Daemon.nodeHost(Integer.parseInt(node.substring(2)));
    return located().stream()
        .allMatch(
            group ->
                group.getLocations().length == UNITS
                    && Arrays.stream(group.getLocations())
                        .noneMatch(place -> place.getIpAddr().equals(address)));
  }
}
