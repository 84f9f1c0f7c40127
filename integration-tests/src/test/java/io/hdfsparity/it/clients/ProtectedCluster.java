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
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;

/**
 * A cluster of processes in which a directory is protected by RAIDP, and whose clients ask for
 * three replicas. DataNodes are killed with -9, and disks fail. For one thread.
 */
final class ProtectedCluster implements AutoCloseable {
  private static final int NODES = 8;
  private static final int FRAMES = 5;

  private final LocalCluster cluster;
  private final DistributedFileSystem fs;
  private final String directory;

  /**
   * @param dir of its own
   * @param directory that is protected
   */
  ProtectedCluster(Path dir, String directory) throws Exception {
    this.directory = directory;
    cluster =
        LocalCluster.builder(dir)
            .mode(ClusterMode.RAIDP)
            .nodes(NODES)
            .racks(1)
            .disksPerNode(1)
            .framesPerDisk(FRAMES)
            .frameBytes(4L << 30)
            .journalBytes(256L << 20)
            .blockBytes(128L << 20)
            .replication(3)
            .conf("dfs.parity.raidp.layout.spare.share", "0.4")
            // The default, which is less in a local cluster.
            .conf("dfs.parity.raidp.max.block.size", "256m")
            .build();
    cluster.start();
    cluster.applyLayout();
    fs = (DistributedFileSystem) FileSystem.newInstance(cluster.stockConf());
    fs.mkdirs(new org.apache.hadoop.fs.Path(directory));
    admin("-protect", directory);
  }

  /** A client's, without the suite's parts. */
  Configuration conf() throws IOException {
    return cluster.stockConf();
  }

  private String admin(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    int exit = ToolRunner.run(new RaidpAdmin(cluster.conf(), to, to), args);
    String printed = out.toString(StandardCharsets.UTF_8);
    assertThat(exit).as("%s: %s", Arrays.toString(args), printed).isZero();
    return printed;
  }

  /** A DataNode with a replica of an open log is killed, and started again with HBase. */
  HBaseRounds.Mishap dataNodeDies() {
    return new HBaseRounds.Mishap() {
      private String killed = "";

      @Override
      public void underLoad() throws Exception {
        killed = "dn" + nodes(openLog()).get(0);
        cluster.kill(killed);
      }

      @Override
      public void afterKill() throws Exception {
        cluster.restart(killed);
      }
    };
  }

  /**
   * A disk that holds an open log fails under load; when HBase has gone on with another log and is
   * dead, the other disk of the superchunk fails.
   */
  HBaseRounds.Mishap disksOfLogDie() {
    return new HBaseRounds.Mishap() {
      private List<Integer> nodes = List.of();

      @Override
      public void underLoad() throws Exception {
        LocatedBlock log = openLog();
        nodes = nodes(log);
        cluster.failDisk(nodes.get(0), 0);
      }

      @Override
      public void afterKill() throws Exception {
        cluster.awaitDiskFailureKnown(nodes.get(0), 0);
        cluster.failDisk(nodes.get(1), 0);
        cluster.awaitDiskFailureKnown(nodes.get(1), 0);
        admin("-recover", "-progress");
      }
    };
  }

  /** The first block of a log of the region server that is being written, with two replicas. */
  private LocatedBlock openLog() {
    return Awaitility.await("an open log")
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              RemoteIterator<OpenFileEntry> open =
                  fs.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), directory + "/WALs");
              List<LocatedBlock> blocks = new ArrayList<>();
              while (open.hasNext()) {
                String path = open.next().getFilePath();
                if (!path.contains(".meta")) {
                  blocks.addAll(
                      fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks());
                }
              }
              return blocks.get(0);
            },
            block -> block.getLocations().length == 2);
  }

  private List<Integer> nodes(LocatedBlock block) throws IOException {
    List<ClusterStatus.ProcessStatus> processes = cluster.status().processes();
    List<Integer> nodes = new ArrayList<>();
    for (DatanodeInfo location : block.getLocations()) {
      processes.stream()
          .filter(process -> process.name().startsWith("dn"))
          .filter(process -> process.host().equals(location.getIpAddr()))
          .forEach(process -> nodes.add(Integer.valueOf(process.name().substring(2))));
    }
    return nodes;
  }

  /** All closed files of HBase lie in superchunks. */
  void assertCovered() {
    Awaitility.await("all closed files are covered")
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

  @Override
  public void close() throws Exception {
    fs.close();
    cluster.stop();
    cluster.purge();
  }
}
