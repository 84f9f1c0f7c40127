/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/** What tests ask of a cluster of processes with one disk a node. */
final class ProcessCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_LINES = 30;
  private static final int MAX_LINE = 240;

  private final LocalCluster cluster;
  private final ClusterPaths paths;
  private final Path scratch;

  ProcessCluster(LocalCluster cluster, Path scratch) {
    this.cluster = cluster;
    this.paths = new ClusterPaths(cluster.dir());
    this.scratch = scratch;
  }

  /** Runs {@code hdfs raidp <args>}, which must succeed, and gives what it printed. */
  String admin(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        ToolRunner.run(
            new RaidpAdmin(
                cluster.conf(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            args);
    String printed = out.toString(StandardCharsets.UTF_8);
    assertThat(exit)
        .as(String.join(" ", args) + ": " + printed + err.toString(StandardCharsets.UTF_8))
        .isZero();
    return printed;
  }

  /** The status as JSON, or why there is none: for the message of a test that fails. */
  String tellStatus() {
    try {
      return admin("-status", "-json");
    } catch (Exception | AssertionError e) {
      return "no status: " + e;
    }
  }

  /**
   * The last lines of each daemon's log that name one of these blocks: for the message of a test
   * that fails, as the logs go with the test's folder.
   */
  String tellLogs(List<Long> blockIds) {
    StringBuilder text = new StringBuilder();
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(paths.logDir(), "*.log")) {
      for (Path log : logs) {
        List<String> lines = new ArrayList<>();
        // Not as UTF-8: a daemon that was killed may have cut a character.
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
          if (blockIds.stream().anyMatch(id -> line.contains(Long.toString(id)))) {
            lines.add(line.substring(0, Math.min(line.length(), MAX_LINE)));
          }
        }
        text.append('\n').append(log.getFileName()).append(":\n");
        lines.stream()
            .skip(Math.max(0, lines.size() - MAX_LINES))
            .forEach(line -> text.append(line).append('\n'));
      }
    } catch (IOException e) {
      text.append("no logs: ").append(e);
    }
    return text.toString();
  }

  /** The nodes of each superchunk that is whole. */
  List<int[]> sharingNodes() throws Exception {
    List<String> disks = new ArrayList<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      disks.add(diskId(node));
    }
    List<int[]> pairs = new ArrayList<>();
    for (JsonNode superchunk : JSON.readTree(admin("-layout", "-json")).path("superchunks")) {
      JsonNode replicas = superchunk.path("replicas");
      if (superchunk.path("state").asText().equals("ACTIVE")) {
        pairs.add(
            new int[] {
              disks.indexOf(replicas.path(0).path("disk").asText()),
              disks.indexOf(replicas.path(1).path("disk").asText())
            });
      }
    }
    return pairs;
  }

  /** Superchunks that do not have both frames. */
  long notWhole() throws Exception {
    JsonNode counts = JSON.readTree(admin("-status", "-json")).path("superchunks");
    return counts.path("degraded").asLong() + counts.path("lost").asLong();
  }

  /**
   * What rows and parity there are on each disk that has not failed, by node.
   *
   * @throws IOException also because a disk or Lstor changes while it is looked at
   */
  Map<Integer, ParityTwin.Verdict> verdicts() throws IOException {
    Map<Integer, ParityTwin.Verdict> verdicts = new TreeMap<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      if (Files.isDirectory(diskRoot(node))) {
        verdicts.put(
            node,
            ParityTwin.check(
                diskRoot(node),
                lstorDir(node),
                scratch,
                new LstorExpectation(clusterId(), diskId(node))));
      }
    }
    return verdicts;
  }

  /**
   * Recomputes the parity of every disk that is there.
   *
   * @return what does not fit; the disks are in use, so look again before you believe it
   */
  List<String> parityProblems() throws IOException {
    String clusterId = clusterId();
    List<String> problems = new ArrayList<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      Path root = diskRoot(node);
      if (Files.isDirectory(root)) {
        problems.addAll(
            problems(root, lstorDir(node), new LstorExpectation(clusterId, diskId(node))));
      }
    }
    return problems;
  }

  private String clusterId() throws IOException {
    Properties version = new Properties();
    try (var in =
        Files.newInputStream(
            paths
                .metadataDir(Daemon.nameNodes(cluster.spec()).get(0))
                .resolve("current")
                .resolve("VERSION"))) {
      version.load(in);
    }
    return version.getProperty("clusterID");
  }

  private List<String> problems(Path diskRoot, Path lstorDir, LstorExpectation expectation) {
    try {
      return ParityTwin.check(diskRoot, lstorDir, scratch, expectation).problems();
    } catch (IOException | UncheckedIOException e) {
      // The disk is in use: what was listed may be gone, the copy of an Lstor may be torn. A
      // problem
      // that stays fails the test.
      return List.of(e.toString());
    }
  }

  /** The disk of a node: what is on it, or a file if it has failed. */
  Path diskRoot(int node) {
    return paths.diskRoot(node, 0);
  }

  /** Where the Lstor of a node's disk lies. */
  Path lstorDir(int node) throws IOException {
    Configuration site = new Configuration(false);
    site.addResource(paths.confDir("dn" + node).resolve("hdfs-site.xml").toUri().toURL());
    return Path.of(site.getTrimmedStrings("dfs.parity.raidp.lstor.dirs")[0]);
  }

  /** The name that commands know a node's disk by. */
  String diskId(int node) throws IOException {
    return ParityTwin.lstorFile(lstorDir(node))
        .getFileName()
        .toString()
        .substring("lstor-".length());
  }
}
