/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.admin.ParityAdmin;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.ECAdmin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The marked commands of docs/how-to, executed in their order on a cluster of processes with all
 * features. Each must end with 0.
 */
@Tag("full")
class HowToTest {
  /** In the order in which they are executed: the last one needs a disk that has failed. */
  static final List<String> PAGES =
      List.of("monitor", "store-izs", "change-level", "update-in-place", "adopt", "recover");

  private static final int NODES = 8;
  private static final int BYTES = 3 << 20;

  /** The page says that it is run again for files that are refused for now. */
  private static final String REPEATED = "-setLevel";

  private static Tool tool(String command, Configuration conf) {
    return switch (command) {
      case "raidp" -> new RaidpAdmin(conf, System.out, System.err);
      case "izs" -> new IzsAdmin(conf, System.out, System.err);
      case "ecupdate" ->
          new EcUpdateAdmin(conf, InputStream.nullInputStream(), System.out, System.err);
      case "parity" -> new ParityAdmin(conf, System.out, System.err);
      case "dfs" -> new FsShell(conf);
      case "ec" -> new ECAdmin(conf);
      default -> throw new IllegalArgumentException("command=" + command + ", expected one known");
    };
  }

  /** Local files of the pages have names without a slash, and go to a directory of the test. */
  private static String word(String word, Path dir) {
    return List.of("piece", "back", "whole").contains(word) ? dir.resolve(word).toString() : word;
  }

  private static void execute(String name, Configuration conf, Path dir) throws Exception {
    for (List<String> command : HowToPage.read(name).commands()) {
      String[] args = command.stream().skip(2).map(each -> word(each, dir)).toArray(String[]::new);
      long begun = System.nanoTime();
      int exit = run(conf, command.get(1), args);
      if (command.contains(REPEATED)) {
        exit = repeat(exit, conf, command.get(1), args);
      }
      System.out.printf(
          "how-to: %s: %s: %.1f s%n", name, command, (System.nanoTime() - begun) / 1e9);
      assertThat(exit).as(name + ": " + String.join(" ", command)).isZero();
    }
  }

  private static int run(Configuration conf, String tool, String... args) throws Exception {
    return ToolRunner.run(new Configuration(conf), tool(tool, conf), args);
  }

  /** As the page says: at first the NameNode does not know which files are being updated. */
  private static int repeat(int exit, Configuration conf, String tool, String... args) {
    return exit == 0
        ? exit
        : MiniRaidp.await(REPEATED)
            .pollInterval(Duration.ofSeconds(1))
            .atMost(Duration.ofMinutes(1))
            .until(() -> run(conf, tool, args), Predicate.isEqual(0));
  }

  private static void write(FileSystem fs, String path, byte[] bytes) throws Exception {
    try (var out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
  }

  private static byte[] read(FileSystem fs, String path) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  @Test
  void theCommandsOfThePagesWork(@TempDir Path dir) throws Exception {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    byte[] piece = new byte[4096];
    new Random(2).nextBytes(piece);
    Files.write(dir.resolve("piece"), piece);
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("c"))
            .mode(ClusterMode.ALL)
            .nodes(NODES)
            .racks(NODES)
            .disksPerNode(1)
            .framesPerDisk(6)
            .frameBytes(64L << 20)
            .unitBytes(64L << 10)
            .blockBytes(1L << 20)
            .replication(3)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .conf("dfs.parity.raidp.layout.spare.share", "0.3")
            .build();
    try (cluster) {
      cluster.start();
      cluster.applyLayout();
      Configuration conf = cluster.conf();
      try (var fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
        write(fs, "/data/file", bytes);
        fs.mkdirs(new org.apache.hadoop.fs.Path("/vol"));
        fs.enableErasureCodingPolicy("RS-3-2-1024k");
        fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/vol"), "RS-3-2-1024k");
        write(fs, "/vol/image", bytes);
        for (String page : PAGES.subList(0, PAGES.size() - 1)) {
          execute(page, conf, dir);
        }
        cluster.failDisk(0, 0);
        cluster.awaitDiskFailureKnown(0, 0);
        execute("recover", conf, dir);
        assertThat(read(fs, "/data/file")).isEqualTo(bytes);
        System.arraycopy(piece, 0, bytes, 64 << 10, piece.length);
        assertThat(Files.readAllBytes(dir.resolve("back"))).isEqualTo(piece);
        assertThat(Files.readAllBytes(dir.resolve("whole"))).isEqualTo(bytes);
        assertThat(
                fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path("/archive/first"))
                    .getName())
            .isEqualTo("IZS-4-3-1024k");
      }
    } finally {
      cluster.purge();
    }
  }
}
