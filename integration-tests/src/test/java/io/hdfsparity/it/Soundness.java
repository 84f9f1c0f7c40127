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
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    MiniRaidp.await("two replicas of every block")
        .untilAsserted(() -> assertThat(blocksWithoutTwoReplicas(raidp)).isEmpty());
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
              assertThat(disagreements(raidp)).isEmpty();
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
    return blocks(raidp).stream().filter(block -> block.getLocations().length != 2).toList();
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
      // Erasure-coded files lie elsewhere.
      raidp.fs().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
          .filter(block -> !block.isStriped())
          .forEach(blocks::add);
    }
    return blocks;
  }

  /** 1-mirroring, from what the NameNode and the superchunk map say. */
  private static List<String> strays(MiniRaidp raidp, Set<String> outside) throws Exception {
    Map<String, String> partner = new HashMap<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      String a = chunk.path("replicas").path(0).path("storageId").asText();
      String b = chunk.path("replicas").path(1).path("storageId").asText();
      partner.put(a, b);
      partner.put(b, a);
    }
    List<String> strays = new ArrayList<>();
    for (LocatedBlock block : blocks(raidp, outside)) {
      String[] ids = block.getStorageIDs();
      if (ids.length == 2 && !ids[1].equals(partner.get(ids[0]))) {
        strays.add(block.toString());
      }
    }
    return strays;
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

  /** Parity against recomputation on every live disk, and extents of one side against the other. */
  private static List<String> disagreements(MiniRaidp raidp) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Map<Long, List<Run>>> live = new HashMap<>();
    Map<String, String> partners = new HashMap<>();
    for (ParityTwin.Verdict verdict : verdicts(raidp)) {
      problems.addAll(verdict.problems());
      Map<Integer, String> storageIds = new HashMap<>();
      for (FrameRow frame : verdict.frames()) {
        storageIds.put(frame.frameIndex(), frame.storageId());
        if (frame.isAssigned()) {
          partners.put(frame.storageId(), frame.partnerStorageId());
        }
      }
      for (SlotEntry row : verdict.rows()) {
        if (row.state() == SlotState.LIVE) {
          live.computeIfAbsent(storageIds.get(row.frameIndex()), k -> new HashMap<>())
              .put(row.blockId(), row.runs());
        } else {
          problems.add("not quiet yet: " + row);
        }
      }
    }
    live.forEach(
        (storage, rows) -> {
          Map<Long, List<Run>> other =
              live.getOrDefault(partners.getOrDefault(storage, ""), Map.of());
          if (!rows.equals(other)) {
            problems.add(
                "slots of " + storage + " and its partner differ: " + rows + " and " + other);
          }
        });
    return problems;
  }
}
