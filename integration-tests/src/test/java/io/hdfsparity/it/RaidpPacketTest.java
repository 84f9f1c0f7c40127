/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The parity follows every packet: what a writer has flushed survives two disks. */
@Tag("full")
@Timeout(1200)
class RaidpPacketTest {
  private static final int BLOCK = 1 << 20;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 16L << 20, 1 << 16, BLOCK);

  private static MiniRaidp start(Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.granularity", "packet");
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    // Less than the blocks that are open on a disk at a time.
    extra.setLong("dfs.parity.raidp.journal.size", BLOCK + BLOCK / 4);
    MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  @Test
  void flushedBytesOfAnOpenBlockSurviveBothOfItsDisks(@TempDir Path root) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/open/f");
    byte[] content = MiniRaidp.bytes(17, BLOCK + 400_321);
    try (MiniRaidp raidp = start(root);
        DistributedFileSystem writer =
            (DistributedFileSystem) FileSystem.newInstance(raidp.conf())) {
      raidp.write("/other", MiniRaidp.bytes(18, BLOCK + 5));
      FSDataOutputStream out = writer.create(file);
      out.write(content, 0, BLOCK + 200_000);
      out.hflush();
      out.write(content, BLOCK + 200_000, content.length - BLOCK - 200_000);
      out.hsync();
      LocatedBlock open =
          raidp.fs().getClient().getLocatedBlocks(file.toString(), 0).getLastLocatedBlock();
      long flushed = content.length - BLOCK;
      AtomicReference<List<Long>> covered = new AtomicReference<>();
      // The copy of an Lstor that is in use may be torn, which its reader finds; then another one.
      MiniRaidp.await("a copy of the Lstors")
          .ignoreExceptions()
          .until(
              () -> {
                covered.set(Soundness.coveredOf(raidp, open.getBlock().getBlockId()));
                return true;
              });
      assertThat(covered.get())
          .as("in both parities when hsync returns")
          .isEqualTo(List.of(flushed, flushed));
      for (String storageId : open.getStorageIDs()) {
        raidp.failDisk(nodeOf(raidp, storageId), 0);
      }
      writer.getClient().getLeaseRenewer().interruptAndJoin();
      MiniRaidp.await("failure noticed")
          .until(
              () ->
                  raidp.admin("-status", "-json").json().path("superchunks").path("lost").asInt()
                      == 1);
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      MiniRaidp.await("lease recovered").until(() -> raidp.fs().recoverLease(file));
      assertThat(raidp.read(file.toString())).isEqualTo(content);
      assertThat(raidp.read("/other")).isEqualTo(MiniRaidp.bytes(18, BLOCK + 5));
      Soundness.assertSound(raidp);
    }
  }

  @Test
  void fourWritersSyncAndAppend(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      try (LedgerLoad load = new LedgerLoad(raidp.conf(), 4, BLOCK + BLOCK / 2, 30L * BLOCK, 23)) {
        MiniRaidp.await("writes").until(() -> load.acks() > 20);
        load.pause();
        assertThat(load.causes()).isEmpty();
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/sync");
        byte[] content = MiniRaidp.bytes(3, BLOCK + 77_777);
        try (FSDataOutputStream out = raidp.fs().create(file)) {
          for (int at = 0; at < content.length; at += 123_457) {
            out.write(content, at, Math.min(123_457, content.length - at));
            out.hsync();
          }
        }
        byte[] more = MiniRaidp.bytes(4, 70_001);
        try (FSDataOutputStream out = raidp.fs().append(file)) {
          out.write(more);
          out.hflush();
        }
        byte[] all = Arrays.copyOf(content, content.length + more.length);
        System.arraycopy(more, 0, all, content.length, more.length);
        assertThat(raidp.read(file.toString())).isEqualTo(all);
        Soundness.assertSound(raidp);
        assertThat(load.verify()).isEmpty();
      }
    }
  }

  private static int nodeOf(MiniRaidp raidp, String storageId) throws Exception {
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      for (JsonNode replica : chunk.path("replicas")) {
        if (replica.path("storageId").asText().equals(storageId)) {
          return Integer.parseInt(
              replica.path("node").asText().replaceAll("^host([0-9]+)\\..*", "$1"));
        }
      }
    }
    throw new AssertionError("no such volume: " + storageId);
  }
}
