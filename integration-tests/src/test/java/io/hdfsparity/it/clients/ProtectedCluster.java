/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A cluster of processes by {@code conf/hdfs-site-all.xml}, with two disks a node, in which a
 * directory is protected by RAIDP, and whose clients have Hadoop's defaults: three replicas, blocks
 * of 128 MiB. DataNodes are killed with -9, and disks fail. For one thread.
 */
final class ProtectedCluster implements AutoCloseable {
  private static final int NODES = 8;
  private static final int DISKS = 2;
  private static final int FRAMES = 6;

  private final LocalCluster cluster;
  private final DistributedFileSystem fs;
  private final String directory;
  private final Map<String, Disk> disks = new HashMap<>();

  /** A disk, by the index of its node and its own on it. */
  record Disk(int node, int disk) {}

  /**
   * @param dir of its own
   * @param directory that is protected
   */
  ProtectedCluster(Path dir, String directory) throws Exception {
    this.directory = directory;
    cluster =
        LocalCluster.builder(dir)
            .mode(ClusterMode.ALL)
            .nodes(NODES)
            .racks(NODES)
            .disksPerNode(DISKS)
            .framesPerDisk(FRAMES)
            .frameBytes(512L << 20)
            .journalBytes(256L << 20)
            .blockBytes(128L << 20)
            .replication(3)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .conf("dfs.parity.raidp.layout.spare.share", "0.3")
            // The default, which is less in a local cluster.
            .conf("dfs.parity.raidp.max.block.size", "256m")
            .build();
    cluster.start();
    cluster.applyLayout();
    for (int node = 0; node < NODES; node++) {
      for (int disk = 0; disk < DISKS; disk++) {
        disks.put(storageId(node, disk), new Disk(node, disk));
      }
    }
    fs = (DistributedFileSystem) FileSystem.newInstance(cluster.stockConf());
    fs.mkdirs(new org.apache.hadoop.fs.Path(directory));
    admin("-protect", directory);
  }

  private String storageId(int node, int disk) throws IOException {
    Properties version = new Properties();
    Path root = new ClusterPaths(cluster.dir()).diskRoot(node, disk);
    try (InputStream in = Files.newInputStream(root.resolve("data/current/VERSION"))) {
      version.load(in);
    }
    return version.getProperty("storageID");
  }

  /** A client's, without the suite's parts. */
  Configuration conf() throws IOException {
    return cluster.stockConf();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** What {@code hdfs raidp} prints, which ends with 0. */
  String admin(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    return run(new RaidpAdmin(cluster.conf(), to, to), out, args);
  }

  private static String run(Tool tool, ByteArrayOutputStream out, String... args) throws Exception {
    int exit = ToolRunner.run(tool, args);
    String printed = out.toString(StandardCharsets.UTF_8);
    assertThat(exit).as("%s: %s", Arrays.toString(args), printed).isZero();
    return printed;
  }

  /** Ends the DataNode of a node as kill -9 does. */
  void kill(int node) throws IOException {
    cluster.kill("dn" + node);
  }

  /** Starts the DataNode of a node again. */
  void restart(int node) throws IOException {
    cluster.restart("dn" + node);
  }

  /** From now on all that its DataNode does with a disk fails. */
  void fail(Disk disk) throws IOException {
    cluster.failDisk(disk.node(), disk.disk());
  }

  /** Waits until the manager knows that a disk has failed. */
  void awaitFailureKnown(Disk disk) throws IOException {
    cluster.awaitDiskFailureKnown(disk.node(), disk.disk());
  }

  /** Brings back what was on disks that have failed, all of which the manager has to know first. */
  void recover(List<Disk> failed) throws Exception {
    for (Disk disk : failed) {
      awaitFailureKnown(disk);
    }
    admin("-recover", "-progress");
  }

  /**
   * The first block of a file that is being written.
   *
   * @param below in which directory
   * @param which of the files there, by path
   * @param replicas that the NameNode must know
   */
  LocatedBlock openBlock(String below, Predicate<String> which, int replicas) {
    return Awaitility.await("an open file below " + below)
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(100))
        // It was closed and renamed since it was listed.
        .ignoreExceptionsInstanceOf(FileNotFoundException.class)
        .until(
            () -> openBlocks(below, which),
            blocks -> !blocks.isEmpty() && blocks.get(0).getLocations().length == replicas)
        .get(0);
  }

  private List<LocatedBlock> openBlocks(String below, Predicate<String> which) throws IOException {
    RemoteIterator<OpenFileEntry> open =
        fs.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), below);
    List<LocatedBlock> blocks = new ArrayList<>();
    while (open.hasNext()) {
      String path = open.next().getFilePath();
      if (which.test(path)) {
        blocks.addAll(blocks(path));
      }
    }
    return blocks;
  }

  /** All blocks of a file. */
  List<LocatedBlock> blocks(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  /** The disks of a block. */
  List<Disk> disks(LocatedBlock block) {
    return Arrays.stream(block.getStorageIDs()).map(disks::get).toList();
  }

  /** All closed files lie in superchunks. */
  void assertCovered() {
    await("all closed files are covered")
        .untilAsserted(
            () -> {
              JsonNode files =
                  new ObjectMapper().readTree(admin("-status", directory, "-json")).path("files");
              assertThat(files.path("COVERED").path("count").asLong())
                  .as(files.toString())
                  .isPositive();
              assertThat(files.path("PLAIN").path("count").asLong()).as(files.toString()).isZero();
            });
  }

  /** Nothing is left to be repaired, as both {@code hdfs raidp} and HDFS itself say. */
  void assertClean() {
    await("hdfs raidp -fsck").untilAsserted(() -> admin("-fsck"));
    await("hdfs fsck")
        .untilAsserted(
            () -> {
              ByteArrayOutputStream out = new ByteArrayOutputStream();
              PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
              String said = run(new DFSck(cluster.stockConf(), to), out, "/");
              assertThat(said)
                  .contains("Status: HEALTHY")
                  .containsPattern("Under-replicated blocks:\\s+0 ")
                  .containsPattern("Missing blocks:\\s+0\\b");
            });
  }

  private static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500));
  }

  @Override
  public void close() throws Exception {
    fs.close();
    cluster.stop();
    cluster.purge();
  }
}
