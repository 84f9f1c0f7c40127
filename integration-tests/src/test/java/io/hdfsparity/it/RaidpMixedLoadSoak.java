/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.check.SeededRuns;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protected, plain and erasure-coded files on the same disks under a random load: files move
 * between the directories, the plain ones are adopted meanwhile, snapshots of the protected
 * directory are taken and deleted, DataNodes are restarted and NameNodes change places. {@code
 * -Dmixed.rounds=N} chooses how often.
 */
@Tag("soak")
@Timeout(7200)
class RaidpMixedLoadSoak {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 8, 16L << 20, 1 << 16, BLOCK);
  private static final int ROUNDS = Integer.getInteger("mixed.rounds", 3);
  private static final String SINGLE = "/single";
  private static final String STRIPED = "/striped";

  @TempDir Path root;
  private final Map<String, Map<String, byte[]>> snapshots = new TreeMap<>();
  private int active;

  @Test
  void nothingIsLostAndEachBlockIsSafe() throws Exception {
    long seed = Long.getLong("seed", SeededRuns.isFresh() ? System.nanoTime() : 0);
    System.out.println("mixed load: -Dseed=" + seed + " -Dmixed.rounds=" + ROUNDS);
    Random random = new Random(seed);
    Configuration extra = MixedFiles.configured(new Configuration(false));
    extra.set("dfs.parity.raidp.layout.spare.share", "0.25");
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setBoolean("dfs.client.retry.policy.enabled", true);
    try (MiniRaidp raidp = MiniRaidp.startHighlyAvailable(root, SHAPE, extra)) {
      prepare(raidp);
      try (MixedLoad load =
          new MixedLoad(
              raidp.fs(),
              List.of(MixedFiles.PROTECTED, MixedFiles.PLAIN, SINGLE, STRIPED),
              List.of(STRIPED, SINGLE),
              path -> create(raidp.fs(), path),
              4,
              5 * BLOCK / 2,
              seed)) {
        for (int round = 0; round < ROUNDS; round++) {
          progress(load);
          // A failover ends the run; what it has covered stays so.
          assertThat(raidp.admin("-protect", MixedFiles.PLAIN, "-adopt").exitCode()).isZero();
          disturb(raidp, load, random, round);
          progress(load);
          assertThat(raidp.admin("-unprotect", MixedFiles.PLAIN).exitCode()).isZero();
          load.pause();
          assertRight(raidp, load);
          snapshot(raidp.fs(), load, round);
          load.resume();
        }
        load.pause();
        System.out.println("mixed load: " + load.describe());
      }
    }
  }

  private static void prepare(MiniRaidp raidp) throws Exception {
    DistributedFileSystem fs = raidp.fs();
    for (String directory : List.of(MixedFiles.PROTECTED, MixedFiles.PLAIN, SINGLE, STRIPED)) {
      fs.mkdirs(path(directory));
    }
    assertThat(raidp.admin("-protect", MixedFiles.PROTECTED).exitCode()).isZero();
    fs.allowSnapshot(path(MixedFiles.PROTECTED));
    fs.setQuota(path(MixedFiles.PROTECTED), 100_000, 1L << 40);
    fs.enableErasureCodingPolicy("RS-3-2-1024k");
    fs.setErasureCodingPolicy(path(STRIPED), "RS-3-2-1024k");
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static OutputStream create(DistributedFileSystem fs, String path) throws IOException {
    if (path.startsWith(STRIPED)) {
      return fs.createFile(path(path)).blockSize(1 << 20).build();
    }
    return path.startsWith(SINGLE) ? fs.create(path(path), (short) 1) : fs.create(path(path));
  }

  private static void progress(MixedLoad load) {
    int acks = load.acks();
    MiniRaidp.await("the load goes on").until(() -> load.acks() > acks + 60);
  }

  /** A DataNode or two are away for a while, or another NameNode becomes active. */
  private void disturb(MiniRaidp raidp, MixedLoad load, Random random, int round) throws Exception {
    if (round % 3 == 1) {
      raidp.dfs().transitionToStandby(active);
      active = 1 - active;
      raidp.dfs().transitionToActive(active);
      return;
    }
    MiniDFSCluster.DataNodeProperties away = raidp.dfs().stopDataNode(random.nextInt(8));
    progress(load);
    if (round % 3 == 2) {
      raidp.dfs().transitionToStandby(active);
      active = 1 - active;
      raidp.dfs().transitionToActive(active);
    }
    assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
  }

  private void snapshot(DistributedFileSystem fs, MixedLoad load, int round) throws IOException {
    String name = "s" + round;
    fs.createSnapshot(path(MixedFiles.PROTECTED), name);
    Map<String, byte[]> contents = new HashMap<>();
    load.contents()
        .forEach(
            (path, bytes) -> {
              if (path.startsWith(MixedFiles.PROTECTED + "/")) {
                contents.put(
                    path.replace(MixedFiles.PROTECTED, MixedFiles.PROTECTED + "/.snapshot/" + name),
                    bytes);
              }
            });
    snapshots.put(name, contents);
    if (snapshots.size() > 2) {
      String oldest = "s" + (round - 2);
      fs.deleteSnapshot(path(MixedFiles.PROTECTED), oldest);
      snapshots.remove(oldest);
    }
  }

  private void assertRight(MiniRaidp raidp, MixedLoad load) throws Exception {
    load.deleteUncertain();
    MiniRaidp.await("all bytes")
        .untilAsserted(() -> assertThat(load.verify()).as(load.describe()).isEmpty());
    for (Map<String, byte[]> snapshot : snapshots.values()) {
      for (Map.Entry<String, byte[]> file : snapshot.entrySet()) {
        assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
    MiniRaidp.await("each block is as safe as it should be")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              raidp.dfs().triggerBlockReports();
              assertThat(unsafe(raidp, load)).as(load.describe()).isEmpty();
            });
    MiniRaidp.await("fsck")
        .untilAsserted(() -> assertThat(findings(raidp)).as(load.describe()).isEmpty());
  }

  /**
   * But for blocks that are open: a truncate may not end, when a DataNode and the NameNode fail
   * ({@link MixedLoad}).
   */
  private static List<String> findings(MiniRaidp raidp) throws Exception {
    List<String> findings = new ArrayList<>();
    for (JsonNode finding : raidp.admin("-fsck", "-json").json().path("findings")) {
      if (finding.path("kind").asText().equals("OPEN_DIFFERS")) {
        System.out.println("mixed load: " + finding);
      } else {
        findings.add(finding.toString());
      }
    }
    return findings;
  }

  /** Blocks that neither have the replicas that were asked for, nor two with both parities. */
  private List<String> unsafe(MiniRaidp raidp, MixedLoad load) throws Exception {
    List<String> unsafe = new ArrayList<>(Soundness.parityProblems(raidp));
    Map<Long, Long> covered = Soundness.coveredBytes(raidp);
    Set<Set<String>> pairs = Soundness.pairs(raidp);
    for (String path : load.contents().keySet()) {
      int replication = raidp.fs().getFileStatus(path(path)).getReplication();
      for (LocatedBlock block : Soundness.blocksOf(raidp, path)) {
        Set<String> storages = new HashSet<>(Soundness.storages(block));
        boolean isCovered =
            covered.getOrDefault(block.getBlock().getBlockId(), -1L) == block.getBlockSize();
        boolean isSafe =
            isCovered
                ? pairs.stream().anyMatch(storages::containsAll)
                : !covered.containsKey(block.getBlock().getBlockId())
                    && (storages.size() == replication || replication == 1);
        if (!isSafe) {
          unsafe.add(
              path
                  + " replication="
                  + replication
                  + " rows="
                  + Soundness.rowsOf(raidp, block.getBlock().getBlockId())
                  + " "
                  + block);
        }
      }
    }
    return unsafe;
  }
}
