/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.wire.AdminClientTranslator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.net.NetUtils;

/** Two disks that share a superchunk fail, and {@code hdfs raidp -recover} brings it back. */
final class RaidpRecovery {
  private static final int TIMEOUT_MS = 10_000;
  private static final long MAX_NANOS = 600_000_000_000L;

  private final LocalCluster cluster;
  private final Row row;

  RaidpRecovery(LocalCluster cluster, Row row) {
    this.cluster = cluster;
    this.row = row;
  }

  Measured measure(int round) throws Exception {
    failPair();
    InetSocketAddress manager =
        NetUtils.createSocketAddr(cluster.conf().get(SuiteKey.NAMENODE_RPC_ADDRESS.key()));
    try (AdminClientTranslator admin =
        new AdminClientTranslator(manager, cluster.conf(), TIMEOUT_MS)) {
      long started = System.nanoTime();
      Wire before = Wire.read();
      json("-recover", "-json", "-chunkSize", row.chunk(), "-lock", row.lock());
      await(admin, RaidpRecovery::isRebuilt);
      double rebuilt = (System.nanoTime() - started) / 1e9;
      Wire rebuiltWire = Wire.read().since(before);
      JsonNode end = await(admin, doc -> doc.path("state").asText().equals("DONE"));
      double redundant = (System.nanoTime() - started) / 1e9;
      Wire redundantWire = Wire.read().since(before);
      long bytes = 0;
      for (JsonNode move : end.path("superchunks")) {
        if (!move.path("phase").asText().equals("DONE")) {
          throw new IOException("Cannot recover: " + move);
        }
        bytes += isRebuild(move) ? move.path("bytesDone").asLong() : 0;
      }
      return new Measured(
          row.name(),
          round,
          rebuilt,
          redundant,
          bytes,
          rebuiltWire.nodeBytes(),
          redundantWire.nodeBytes());
    }
  }

  private static boolean isRebuild(JsonNode move) {
    return move.path("kind").asText().equals("REBUILD");
  }

  /** Whether all superchunks that had no replica have been rebuilt; there is at least one. */
  private static boolean isRebuilt(JsonNode recovery) {
    int rebuilds = 0;
    for (JsonNode move : recovery.path("superchunks")) {
      if (isRebuild(move)) {
        rebuilds++;
        if (!move.path("phase").asText().equals("DONE")) {
          return false;
        }
      }
    }
    return rebuilds > 0;
  }

  private static JsonNode await(AdminClientTranslator admin, Predicate<JsonNode> reached)
      throws IOException {
    long begin = System.nanoTime();
    while (true) {
      JsonNode doc = new ObjectMapper().readTree(admin.recoveryStatus(List.of()).json());
      if (reached.test(doc)) {
        return doc;
      }
      if (System.nanoTime() - begin > MAX_NANOS) {
        throw new IOException("Cannot recover in time: " + doc);
      }
    }
  }

  /** Fails the disks of the fullest superchunk, once all blocks have been reported. */
  private void failPair() throws Exception {
    Map<String, Path> disks = new HashMap<>();
    for (JsonNode node : json("-status", "-json").path("nodes")) {
      for (JsonNode disk : node.path("disks")) {
        disks.put(disk.path("id").asText(), Path.of(disk.path("path").asText()));
      }
    }
    JsonNode fullest = null;
    for (JsonNode superchunk : json("-layout", "-json").path("superchunks")) {
      if (fullest == null || blocks(superchunk) > blocks(fullest)) {
        fullest = superchunk;
      }
    }
    if (fullest == null || blocks(fullest) == 0) {
      throw new IOException("Cannot fail two disks: superchunks=0, expected one with blocks");
    }
    int[][] places = new int[2][];
    for (int replica = 0; replica < 2; replica++) {
      places[replica] =
          place(disks.get(fullest.path("replicas").path(replica).path("disk").asText()));
      cluster.failDisk(places[replica][0], places[replica][1]);
    }
    for (int[] place : places) {
      cluster.awaitDiskFailureKnown(place[0], place[1]);
    }
  }

  private static long blocks(JsonNode superchunk) {
    return Math.min(
        superchunk.path("replicas").path(0).path("blocks").asLong(),
        superchunk.path("replicas").path(1).path("blocks").asLong());
  }

  private int[] place(Path disk) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      for (int index = 0; index < cluster.spec().disksPerNode(); index++) {
        if (paths.diskRoot(node, index).equals(disk)) {
          return new int[] {node, index};
        }
      }
    }
    throw new IOException(
        "Cannot fail a disk: path=" + disk + ", expected one of " + cluster.dir());
  }

  private JsonNode json(String... arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit;
    try (PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      exit = new RaidpAdmin(cluster.conf(), outStream, errStream).run(arguments);
    }
    JsonNode doc = new ObjectMapper().readTree(out.toByteArray());
    if (doc == null || !doc.isObject()) {
      throw new IOException(
          "Cannot run raidp "
              + String.join(" ", arguments)
              + ": exit="
              + exit
              + " "
              + err.toString(StandardCharsets.UTF_8));
    }
    return doc;
  }
}
