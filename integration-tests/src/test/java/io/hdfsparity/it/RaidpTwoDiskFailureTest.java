/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every pair of disks that shares a superchunk dies, with data of odd sizes, appended files, cut files, and deletes in
 * flight; a pair that shares nothing and a single disk too. All bytes come back, checksum files too (the client verifies them).
 */
@Tag("full")
class RaidpTwoDiskFailureTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE = new MiniRaidp.Shape(5, 1, 1, 8, 6L << 20, 1 << 16, BLOCK);

  private static org.apache.hadoop.fs.Path path(String s) {
    return new org.apache.hadoop.fs.Path(s);
  }

  @Test
  void everyPairOfDisks(@TempDir Path root) throws Exception {
    List<String> failures = new ArrayList<>();
    for (int a = 0; a < SHAPE.nodes(); a++) {
      for (int b = a + 1; b < SHAPE.nodes(); b++) {
        Path run = root.resolve(a + "-" + b);
        try (MiniRaidp raidp = MiniRaidp.start(run, SHAPE)) {
          Daemons.startLstors(raidp);
          Map<String, byte[]> files = fill(raidp, a * 31 + b);
          raidp.failDisk(a, 0);
          raidp.failDisk(b, 0);
          recoverAndCompare(raidp, files);
        } catch (AssertionError | Exception e) {
          failures.add(a + "-" + b + ": " + e);
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void oneDisk(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE)) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = fill(raidp, 4711);
      raidp.failDisk(2, 0);
      recoverAndCompare(raidp, files);
    }
  }

  @Test
  void thenTwoMoreDisksAfterRecovery(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(7, 1, 1, 8, 6L << 20, 1 << 16, BLOCK);
    try (MiniRaidp raidp = MiniRaidp.start(root, shape)) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = fill(raidp, 12);
      raidp.failDisk(0, 0);
      raidp.failDisk(1, 0);
      recoverAndCompare(raidp, files);
      raidp.failDisk(2, 0);
      recoverAndCompare(raidp, files);
    }
  }

  private static Map<String, byte[]> fill(MiniRaidp raidp, long seed) throws Exception {
    Random random = new Random(seed);
    DistributedFileSystem fs = raidp.fs();
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      String name = "/d/" + i;
      byte[] content = MiniRaidp.bytes(seed * 100 + i, random.nextInt(2 * BLOCK));
      raidp.write(name, content);
      files.put(name, content);
    }
    for (int i = 0; i < 10; i++) {
      String name = "/d/" + i;
      byte[] more = MiniRaidp.bytes(seed + i, 1 + random.nextInt(BLOCK / 2));
      try (OutputStream out = fs.append(path(name))) {
        out.write(more);
      }
      byte[] all = java.util.Arrays.copyOf(files.get(name), files.get(name).length + more.length);
      System.arraycopy(more, 0, all, all.length - more.length, more.length);
      files.put(name, all);
    }
    for (int i = 10; i < 14; i++) {
      String name = "/d/" + i;
      int keep = files.get(name).length / 2;
      if (keep < files.get(name).length) {
        fs.truncate(path(name), keep);
        MiniRaidp.await("truncate").until(() -> fs.isFileClosed(path(name)));
        files.put(name, java.util.Arrays.copyOf(files.get(name), keep));
      }
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    for (int i = 20; i < 26; i++) {
      fs.delete(path("/d/" + i), false);
      files.remove("/d/" + i);
    }
    return files;
  }

  private static void recoverAndCompare(MiniRaidp raidp, Map<String, byte[]> files) throws Exception {
    MiniRaidp.await("failure noticed").until(() -> {
      JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
      boolean gone = false;
      for (JsonNode chunk : chunks) {
        gone |= !chunk.path("state").asText().equals("ACTIVE");
      }
      return gone;
    });
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    Soundness.assertSound(raidp);
  }
}
