/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.localcluster.ClusterStatus.ProcessState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real clusters of plain HDFS, started, damaged and stopped. */
@Tag("full")
class LocalClusterTest {
  @TempDir static Path shared;
  @TempDir Path dir;
  private final List<LocalCluster> clusters = new ArrayList<>();

  private LocalCluster cluster(String name, int nodes) throws IOException {
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve(name))
            .mode(ClusterMode.STOCK)
            .nodes(nodes)
            .blockBytes(1L << 20)
            .cacheDir(shared.resolve("cache"))
            .log(System.out::println)
            .build();
    clusters.add(cluster);
    return cluster;
  }

  @AfterEach
  void purge() throws IOException {
    for (LocalCluster cluster : clusters) {
      cluster.purge();
      assertThat(marked(cluster)).isEmpty();
    }
  }

  private static List<ProcessHandle> marked(LocalCluster cluster) {
    return new Processes(
            new ClusterPaths(cluster.dir()),
            cluster.spec().clusterId(),
            DaemonLaunch.PLAIN,
            line -> {})
        .marked();
  }

  private static byte[] bytes(int seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(LocalCluster cluster, String file) throws IOException {
    try (FileSystem fs = cluster.newFileSystem();
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(file))) {
      return in.readAllBytes();
    }
  }

  private static boolean answers(LocalCluster cluster) {
    try (FileSystem fs = cluster.newFileSystem()) {
      return fs.getFileStatus(new org.apache.hadoop.fs.Path("/")).isDirectory();
    } catch (IOException e) {
      return false;
    }
  }

  private static void write(LocalCluster cluster, String file, byte[] bytes) throws IOException {
    try (FileSystem fs = cluster.newFileSystem();
        var out = fs.create(new org.apache.hadoop.fs.Path(file))) {
      out.write(bytes);
    }
  }

  private static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what).pollInterval(Duration.ofMillis(200)).until(condition);
  }

  @Test
  void filesSurviveADeadNodeAndADeadDisk() throws Exception {
    LocalCluster cluster = cluster("c", 4);
    cluster.start();
    assertThat(cluster.status().allRunning()).isTrue();
    assertThat(marked(cluster)).hasSize(5);
    assertThatThrownBy(() -> LocalCluster.open(cluster.dir()).start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nn runs already");

    byte[] content = bytes(1, 3_500_000);
    Path source = Files.write(dir.resolve("source"), content);
    assertThat(
            ToolRunner.run(
                cluster.conf(), new FsShell(), new String[] {"-put", source.toString(), "/a"}))
        .isZero();
    assertThat(read(cluster, "/a")).isEqualTo(content);
    await(
        "all bytes are counted",
        () -> cluster.metrics().total().receivedBytes() == 3L * content.length);
    await("used space is reported", () -> cluster.metrics().usedBytes() >= 3L * content.length);
    assertThat(cluster.metrics().liveNodes()).isEqualTo(4);

    cluster.kill("dn1");
    assertThat(cluster.status().process("dn1").orElseThrow().state()).isEqualTo(ProcessState.DEAD);
    assertThatThrownBy(() -> cluster.kill("dn1")).hasMessageContaining("does not run");
    assertThat(read(cluster, "/a")).isEqualTo(content);

    Path aside = cluster.failDisk(2, 0);
    assertThat(aside).isDirectory();
    assertThat(read(cluster, "/a")).isEqualTo(content);
    write(cluster, "/b", bytes(2, 5_000_000));
    assertThat(read(cluster, "/b")).isEqualTo(bytes(2, 5_000_000));

    cluster.restart("dn1");
    assertThat(cluster.status().process("dn1").orElseThrow().state())
        .isEqualTo(ProcessState.RUNNING);
    cluster.restart("dn2");
    await("replicas are restored", () -> cluster.metrics().underReplicatedBlocks() == 0);
    await("nothing is missing", () -> cluster.metrics().missingBlocks() == 0);

    cluster.kill("nn");
    cluster.restart("nn");
    // Hadoop's IPC client pools connections per process: its first call may meet the old
    // NameNode's socket and end with an EOFException, once.
    await("the NameNode answers again", () -> answers(cluster));
    assertThat(read(cluster, "/a")).isEqualTo(content);
    await("nothing is missing", () -> cluster.metrics().missingBlocks() == 0);

    assertThat(cluster.addDataNode()).isEqualTo("dn4");
    await("the new node is known", () -> cluster.metrics().liveNodes() == 5);
    assertThat(LocalCluster.open(cluster.dir()).spec().nodes()).isEqualTo(5);

    cluster.stop();
    assertThat(marked(cluster)).isEmpty();
    assertThat(cluster.status().anyRunning()).isFalse();
    cluster.start();
    await("the NameNode answers again", () -> answers(cluster));
    assertThat(read(cluster, "/b")).isEqualTo(bytes(2, 5_000_000));
    cluster.stop();
  }

  @Test
  void twoClustersDoNotMeet() throws Exception {
    LocalCluster one = cluster("one", 1);
    LocalCluster two = cluster("two", 1);
    one.start();
    two.start();
    write(one, "/a", bytes(1, 1000));
    write(two, "/a", bytes(2, 1000));
    assertThat(read(one, "/a")).isEqualTo(bytes(1, 1000));
    one.purge();
    assertThat(one.dir()).doesNotExist();
    assertThat(read(two, "/a")).isEqualTo(bytes(2, 1000));
    assertThat(two.status().allRunning()).isTrue();
  }

  @Test
  void aStartThatFailsLeavesNothingRunning() throws Exception {
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("bad"))
            .mode(ClusterMode.STOCK)
            .nodes(2)
            .cacheDir(shared.resolve("cache"))
            .conf("dfs.datanode.failed.volumes.tolerated", "99")
            .build();
    clusters.add(cluster);
    assertThatThrownBy(cluster::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dn")
        .hasMessageContaining("dfs.datanode.failed.volumes.tolerated");
    assertThat(marked(cluster)).isEmpty();
    assertThat(cluster.status().anyRunning()).isFalse();
  }

  @Test
  void anInterruptedStartLeavesNothingRunning() throws Exception {
    // In the background of a script SIGINT is ignored, and so it is by all that is started there.
    for (String signal : isInterruptIgnored() ? List.of("TERM") : List.of("INT", "TERM")) {
      interrupt(dir.resolve(signal), signal);
    }
  }

  private static boolean isInterruptIgnored() throws IOException {
    String ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring("SigIgn:".length()).strip())
            .findFirst()
            .orElseThrow();
    int sigint = 2;
    return (Long.parseUnsignedLong(ignored, 16) >> (sigint - 1) & 1) == 1;
  }

  private void interrupt(Path clusterDir, String signal) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            RuntimeImage.javaCommand(),
            ClusterCommand.class.getName(),
            "start",
            "--mode",
            "stock",
            "--nodes",
            "3",
            "--dir",
            clusterDir.toString(),
            "--cache-dir",
            shared.resolve("cache").toString());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectErrorStream(true).redirectOutput(dir.resolve("start.log").toFile());
    Process command = builder.start();
    try {
      Path pids = clusterDir.resolve("pids");
      await("DataNodes are being started", () -> Files.exists(pids.resolve("dn1.pid")));
      LocalCluster cluster = LocalCluster.open(clusterDir);
      clusters.add(cluster);
      assertThat(
              new ProcessBuilder("kill", "-" + signal, String.valueOf(command.pid()))
                  .start()
                  .waitFor())
          .isZero();
      assertThat(command.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(command.exitValue()).isEqualTo(signal.equals("INT") ? 130 : 143);
      assertThat(marked(cluster)).isEmpty();
      assertThat(cluster.status().anyRunning()).isFalse();
    } finally {
      command.destroyForcibly();
    }
  }

  @Test
  void whatAKilledLauncherLeftIsStopped() throws Exception {
    LocalCluster cluster = cluster("strays", 2);
    cluster.start();
    Files.delete(new ClusterPaths(cluster.dir()).pidFile(new Daemon(DaemonRole.DATANODE, 1)));
    assertThat(marked(cluster)).hasSize(3);
    cluster.stop();
    assertThat(marked(cluster)).isEmpty();
  }
}
