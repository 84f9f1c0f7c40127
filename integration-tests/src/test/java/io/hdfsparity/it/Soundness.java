/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The state that every scenario must end in. */
final class Soundness {
  private Soundness() {}

  static void assertSound(MiniRaidp raidp) throws Exception {
    assertSound(raidp, Set.of());
  }

  /**
   * @param outside files that do not lie in pairs
   */
  static void assertSound(MiniRaidp raidp, Set<String> outside) throws Exception {
    assertSound(raidp, outside, 2);
  }

  /**
   * @param outside files that do not lie in pairs
   * @param replicas of each of their blocks
   */
  static void assertSound(MiniRaidp raidp, Set<String> outside, int replicas) throws Exception {
    MiniRaidp.await("all replicas of every block")
        .untilAsserted(
            () -> {
              assertThat(blocksWithout(raidp, outside, 2)).isEmpty();
              for (String path : outside) {
                assertThat(blocksOf(raidp, path))
                    .as(path)
                    .allMatch(block -> block.getLocations().length == replicas);
              }
            });
    // A copy that is made of a live disk may be torn, and background work goes on for a while: look
    // again until all fits.
    MiniRaidp.await("placement, parities and slots")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              // A replica that the NameNode does not know, as lease recovery may leave, goes at a
              // report.
              raidp.dfs().triggerBlockReports();
              assertThat(strays(raidp, outside)).as("blocks outside their superchunk").isEmpty();
              assertThat(disagreements(raidp, outside)).isEmpty();
            });
    // The first call after a restart of the NameNode may meet a connection that has died with it.
    MiniRaidp.await("fsck")
        .untilAsserted(
            () -> {
              MiniRaidp.Printed fsck = raidp.admin("-fsck", "-json");
              assertThat(fsck.exitCode()).as(fsck.toString()).isZero();
            });
  }

  static boolean allBlocksHaveTwoReplicas(MiniRaidp raidp) throws IOException {
    return blocksWithoutTwoReplicas(raidp).isEmpty();
  }

  private static List<LocatedBlock> blocksWithoutTwoReplicas(MiniRaidp raidp) throws IOException {
    return blocksWithout(raidp, Set.of(), 2);
  }

  private static List<LocatedBlock> blocksWithout(MiniRaidp raidp, Set<String> except, int replicas)
      throws IOException {
    return blocks(raidp, except).stream()
        .filter(block -> block.getLocations().length != replicas)
        .toList();
  }

  /** The replicated blocks of a file. */
  static List<LocatedBlock> blocksOf(MiniRaidp raidp, String path) throws IOException {
    // Erasure-coded files lie elsewhere.
    return raidp
        .fs()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .filter(block -> !block.isStriped())
        .toList();
  }

  static List<LocatedBlock> blocks(MiniRaidp raidp) throws IOException {
    return blocks(raidp, Set.of());
  }

  private static List<LocatedBlock> blocks(MiniRaidp raidp, Set<String> except) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files =
        raidp.fs().listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (files.hasNext()) {
      String path = files.next().getPath().toUri().getPath();
      if (except.contains(path)) {
        continue;
      }
      blocks.addAll(blocksOf(raidp, path));
    }
    return blocks;
  }

  /** 1-mirroring, from what the NameNode and the superchunk map say. */
  private static List<String> strays(MiniRaidp raidp, Set<String> outside) throws Exception {
    Set<Set<String>> pairs = pairs(raidp);
    return blocks(raidp, outside).stream()
        .filter(block -> block.getLocations().length == 2 && !pairs.contains(storages(block)))
        .map(LocatedBlock::toString)
        .toList();
  }

  /** The two volumes of each superchunk: two volumes share at most one. */
  static Set<Set<String>> pairs(MiniRaidp raidp) throws Exception {
    Set<Set<String>> pairs = new HashSet<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      Set<String> sides = Set.copyOf(chunk.path("replicas").findValuesAsText("storageId"));
      if (sides.size() == 2) {
        assertThat(pairs.add(sides)).as("they share one superchunk only: %s", chunk).isTrue();
      }
    }
    return pairs;
  }

  static Set<String> storages(LocatedBlock block) {
    return Set.copyOf(List.of(block.getStorageIDs()));
  }

  /** Units that the rows of a block hold, a number for each side. */
  static List<Integer> unitsOf(MiniRaidp raidp, long blockId) throws IOException {
    List<Integer> units = new ArrayList<>();
    for (ParityTwin.Verdict verdict : verdicts(raidp)) {
      verdict.rows().stream()
          .filter(row -> row.blockId() == blockId)
          .forEach(row -> units.add(row.units()));
    }
    return units;
  }

  /** The rows of a block, with their nodes. */
  static List<String> rowsOf(MiniRaidp raidp, long blockId) throws IOException {
    List<String> rows = new ArrayList<>();
    List<ParityTwin.Verdict> verdicts = verdicts(raidp);
    for (int disk = 0; disk < verdicts.size(); disk++) {
      for (SlotEntry row : verdicts.get(disk).rows()) {
        if (row.blockId() == blockId) {
          rows.add("disk " + disk + ": " + row);
        }
      }
    }
    return rows;
  }

  /** Bytes of a block that the parities cover, a number for each side. */
  static List<Long> coveredOf(MiniRaidp raidp, long blockId) throws IOException {
    List<Long> covered = new ArrayList<>();
    for (ParityTwin.Verdict verdict : verdicts(raidp)) {
      verdict.rows().stream()
          .filter(row -> row.blockId() == blockId)
          .forEach(row -> covered.add(row.coveredBytes()));
    }
    return covered;
  }

  /** Bytes that are covered of each block with rows, the least of its sides, by block. */
  static Map<Long, Long> coveredBytes(MiniRaidp raidp) throws IOException {
    Map<Long, Long> covered = new HashMap<>();
    for (ParityTwin.Verdict verdict : verdicts(raidp)) {
      verdict.rows().forEach(row -> covered.merge(row.blockId(), row.coveredBytes(), Math::min));
    }
    return covered;
  }

  /** Parities that differ from what is recomputed. */
  static List<String> parityProblems(MiniRaidp raidp) throws IOException {
    return verdicts(raidp).stream().flatMap(verdict -> verdict.problems().stream()).toList();
  }

  /** What the dumb twin finds on each live disk. */
  private static List<ParityTwin.Verdict> verdicts(MiniRaidp raidp) throws IOException {
    String cluster = raidp.clusterId();
    List<ParityTwin.Verdict> verdicts = new ArrayList<>();
    for (int node = 0; node < raidp.shape().nodes(); node++) {
      for (int disk = 0; disk < raidp.shape().disks(); disk++) {
        Path diskRoot = MiniRaidp.diskRoot(raidp.root(), node, disk);
        if (Files.isDirectory(diskRoot)) {
          Path lstorDir = MiniRaidp.lstorDir(raidp.root(), node, disk);
          String diskId =
              ParityTwin.lstorFile(lstorDir).getFileName().toString().substring("lstor-".length());
          verdicts.add(
              ParityTwin.check(
                  diskRoot,
                  lstorDir,
                  raidp.root().resolve("scratch"),
                  new LstorExpectation(cluster, diskId)));
        }
      }
    }
    return verdicts;
  }

  /** A volume's part in a superchunk. */
  private record Side(String storageId, long superchunkId) {}

  /**
   * Parity against recomputation on every live disk, extents of one side against the other, and the
   * sides that have rows of a block against the locations that the NameNode knows.
   */
  private static List<String> disagreements(MiniRaidp raidp, Set<String> outside)
      throws IOException {
    List<String> problems = new ArrayList<>();
    Map<Side, Map<Long, List<Run>>> live = new HashMap<>();
    Map<Side, Side> partners = new HashMap<>();
    for (ParityTwin.Verdict verdict : verdicts(raidp)) {
      problems.addAll(verdict.problems());
      Map<Integer, Side> sides = new HashMap<>();
      for (FrameRow frame : verdict.frames()) {
        Side side = new Side(frame.storageId(), frame.superchunkId());
        sides.put(frame.frameIndex(), side);
        if (frame.isAssigned()) {
          Side partner = new Side(frame.partnerStorageId(), frame.superchunkId());
          if (partners.put(side, partner) != null) {
            problems.add("two frames of a volume in one superchunk: " + side);
          }
        }
      }
      for (SlotEntry row : verdict.rows()) {
        if (row.state() == SlotState.LIVE) {
          live.computeIfAbsent(sides.get(row.frameIndex()), k -> new HashMap<>())
              .put(row.blockId(), row.runs());
        } else {
          problems.add("not quiet yet: " + row);
        }
      }
    }
    live.forEach(
        (side, rows) -> {
          Side partner = partners.get(side);
          Map<Long, List<Run>> other =
              partner == null ? Map.of() : live.getOrDefault(partner, Map.of());
          if (!rows.equals(other)) {
            problems.add("slots of " + side + " and its partner differ: " + rows + " and " + other);
          }
        });
    problems.addAll(misplaced(blocks(raidp, outside), live));
    return problems;
  }

  /** Blocks without rows on exactly the two sides of one superchunk, where their replicas are. */
  private static List<String> misplaced(
      List<LocatedBlock> blocks, Map<Side, Map<Long, List<Run>>> live) {
    Map<Long, List<Side>> sidesOf = new HashMap<>();
    live.forEach(
        (side, rows) ->
            rows.keySet()
                .forEach(id -> sidesOf.computeIfAbsent(id, k -> new ArrayList<>()).add(side)));
    List<String> problems = new ArrayList<>();
    for (LocatedBlock block : blocks) {
      List<Side> sides = sidesOf.getOrDefault(block.getBlock().getBlockId(), List.of());
      Set<String> covered = sides.stream().map(Side::storageId).collect(Collectors.toSet());
      long superchunks = sides.stream().mapToLong(Side::superchunkId).distinct().count();
      if (sides.size() != 2 || superchunks != 1 || !covered.equals(storages(block))) {
        problems.add("rows of " + block + ", expected on both sides of one superchunk: " + sides);
      }
    }
    return problems;
  }
}
