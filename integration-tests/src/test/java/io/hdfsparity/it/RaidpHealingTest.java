/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.it.Damage.LstorPlaces;
import io.hdfsparity.it.Damage.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetTestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged replicas get their bytes back, whoever finds them: a reading client, a scrub, fsck. In
 * the end two disks die, which shows that the parity was not touched.
 */
@Tag("full")
class RaidpHealingTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);

  /** What can happen to a replica. */
  private enum Kind {
    DATA_BIT,
    META_BIT,
    META_HEADER,
    DATA_CUT,
    META_CUT,
    DATA_GONE,
    META_GONE;

    void strike(Replica replica) throws IOException {
      switch (this) {
        case DATA_BIT -> Damage.flip(replica.data(), Files.size(replica.data()) / 2);
        case META_BIT -> Damage.flip(replica.meta(), Files.size(replica.meta()) - 1);
        case META_HEADER -> Damage.flip(replica.meta(), 0);
        case DATA_CUT -> Damage.cut(replica.data(), Files.size(replica.data()) / 2);
        case META_CUT -> Damage.cut(replica.meta(), 20);
        case DATA_GONE -> Files.delete(replica.data());
        case META_GONE -> Files.delete(replica.meta());
        default -> throw new AssertionError(this);
      }
    }
  }

  private MiniRaidp raidp;
  private final Map<String, byte[]> files = new TreeMap<>();

  @Test
  void damagedReplicasHealAndTheParityStaysRight(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE, extra)) {
      raidp = cluster;
      Daemons.startLstors(raidp);
      for (int i = 0; i < 24; i++) {
        write("/d/" + i, 100_000 + 5_001 * i);
      }
      Soundness.assertSound(raidp);
      aClientFindsThem();
      aScrubFindsThem();
      fsckRepairsThem();
      bothReplicasAreDamaged();
      nothingIsLeftToHealFrom();
      Soundness.assertSound(raidp);
      twoDisksDie();
    }
  }

  /**
   * HDFS hears of it before the block is complete, and only marks it: no replica counts as live
   * then. In a pair there is no other node for the second one.
   */
  @Test
  void aReplicaThatAFailedWriteHasLeftIsMadeAnew(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(4, 2, 1, 2, 4L << 20, 1 << 16, BLOCK);
    try (MiniRaidp cluster = MiniRaidp.start(root, shape, new Configuration(false))) {
      raidp = cluster;
      byte[] content = MiniRaidp.bytes(5, 200_000);
      files.put("/left", content);
      try (FSDataOutputStream out = raidp.fs().create(new org.apache.hadoop.fs.Path("/left"))) {
        out.write(content, 0, 100_000);
        out.hflush();
        LocatedBlock block = raidp.fs().getClient().getLocatedBlocks("/left", 0).get(0);
        DataNode node = raidp.dfs().getDataNode(block.getLocations()[1].getIpcPort());
        ExtendedBlock id = block.getBlock();
        ReplicaInPipeline written =
            (ReplicaInPipeline)
                FsDatasetTestUtil.fetchReplicaInfo(
                    node.getFSDataset(), id.getBlockPoolId(), id.getBlockId());
        written.stopWriter(60_000);
        out.write(content, 100_000, 100_000);
        out.hflush();
        assertThat(raidp.fs().getClient().getLocatedBlocks("/left", 0).get(0).getBlock())
            .as("the pipeline has gone on without it")
            .matches(now -> now.getGenerationStamp() > id.getGenerationStamp());
        DataNodeTestUtils.triggerBlockReport(node);
      }
      Soundness.assertSound(raidp);
      assertReadable();
    }
  }

  private void write(String file, int length) throws IOException {
    byte[] content = MiniRaidp.bytes(file.hashCode(), length);
    raidp.write(file, content);
    files.put(file, content);
  }

  private void assertReadable() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  private boolean isWhole(String file) throws IOException {
    List<Replica> replicas = Damage.replicas(raidp, file);
    for (Replica replica : replicas) {
      try {
        if (!Files.exists(replica.meta())
            || !java.util.Arrays.equals(Files.readAllBytes(replica.data()), files.get(file))) {
          return false;
        }
      } catch (NoSuchFileException replacedMeanwhile) {
        return false;
      }
    }
    return replicas.size() == 2;
  }

  /** Only what HDFS' clients and DataNodes notice in a read is healed without a scrub. */
  private void aClientFindsThem() throws Exception {
    List<Kind> kinds = List.of(Kind.DATA_BIT, Kind.META_BIT, Kind.DATA_GONE);
    for (int i = 0; i < kinds.size(); i++) {
      kinds.get(i).strike(Damage.replicas(raidp, "/d/" + i).get(i % 2));
    }
    for (int i = 0; i < kinds.size(); i++) {
      String file = "/d/" + i;
      Kind kind = kinds.get(i);
      MiniRaidp.await(file + " healed of " + kind)
          .until(
              () -> {
                // Which replica a client takes is chance.
                assertThat(raidp.read(file)).as("%s %s", file, kind).isEqualTo(files.get(file));
                return isWhole(file);
              });
    }
    Soundness.assertSound(raidp);
  }

  private void aScrubFindsThem() throws Exception {
    strikeAll();
    MiniRaidp.Printed scrub = raidp.admin("-scrub", "-json");
    assertThat(scrub.exitCode()).as(scrub.toString()).isNotZero();
    assertReadable();
    // The manager has them healed one after the other.
    Soundness.assertSound(raidp);
    for (String file : files.keySet()) {
      assertThat(isWhole(file)).as(file).isTrue();
    }
    assertReadable();
  }

  private void strikeAll() throws IOException {
    for (Kind kind : Kind.values()) {
      kind.strike(Damage.replicas(raidp, "/d/" + kind.ordinal()).get(kind.ordinal() % 2));
    }
  }

  private void fsckRepairsThem() throws Exception {
    strikeAll();
    MiniRaidp.Printed fsck = raidp.admin("-fsck", "-repair", "-json");
    assertThat(fsck.exitCode()).as(fsck.toString()).isZero();
    assertThat(fsck.json().path("findings"))
        .as(fsck.toString())
        .hasSizeGreaterThanOrEqualTo(Kind.values().length)
        .allMatch(finding -> finding.path("repaired").asBoolean())
        .anyMatch(finding -> finding.path("detail").asText().contains("from the mirror"));
    for (String file : files.keySet()) {
      assertThat(isWhole(file)).as(file).isTrue();
    }
    Soundness.assertSound(raidp);
    assertReadable();
  }

  private void bothReplicasAreDamaged() throws Exception {
    List<Replica> replicas = Damage.replicas(raidp, "/d/9");
    Kind.DATA_BIT.strike(replicas.get(0));
    Kind.DATA_CUT.strike(replicas.get(1));
    MiniRaidp.Printed fsck = raidp.admin("-fsck", "-repair", "-json");
    assertThat(fsck.exitCode()).as(fsck.toString()).isZero();
    assertThat(fsck.out()).contains("from the parity");
    assertThat(isWhole("/d/9")).isTrue();
    Soundness.assertSound(raidp);

    replicas = Damage.replicas(raidp, "/d/10");
    Kind.META_BIT.strike(replicas.get(0));
    Kind.DATA_BIT.strike(replicas.get(1));
    // Found by reading only.
    MiniRaidp.await("healed from the parity")
        .until(
            () -> {
              readRightOrNotAtAll("/d/10");
              return isWhole("/d/10");
            });
    Soundness.assertSound(raidp);
  }

  private boolean readRightOrNotAtAll(String file) {
    byte[] read;
    try {
      read = raidp.read(file);
    } catch (IOException e) {
      return false;
    }
    assertThat(read).as(file).isEqualTo(files.get(file));
    return true;
  }

  private void nothingIsLeftToHealFrom() throws Exception {
    String lost = "/d/11";
    for (Replica replica : Damage.replicas(raidp, lost)) {
      Kind.DATA_BIT.strike(replica);
      LstorPlaces lstor = LstorPlaces.of(MiniRaidp.lstorDir(raidp.root(), replica.node(), 0));
      for (long at = lstor.dataParity(); at < lstor.dataParity() + SHAPE.frameBytes(); ) {
        Damage.flip(lstor.file(), at);
        at += LstorPlaces.CELL;
      }
    }
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> raidp.read(lost)).as("wrong bytes are never served").isNotNull();
    }
    MiniRaidp.Printed fsck = raidp.admin("-fsck", "-repair", "-json");
    assertThat(fsck.exitCode()).as(fsck.toString()).isNotZero();
    assertThat(fsck.json().path("findings"))
        .anyMatch(
            finding ->
                finding.path("kind").asText().equals("corrupt-replica")
                    && finding.path("detail").asText().contains("neither the mirror nor the parity")
                    && !finding.path("repaired").asBoolean());
    assertThatThrownBy(() -> raidp.read(lost)).as("wrong bytes are never served").isNotNull();
    raidp.fs().delete(new org.apache.hadoop.fs.Path(lost), false);
    files.remove(lost);
    MiniRaidp.await("the rest is repaired")
        .until(() -> raidp.admin("-fsck", "-repair", "-json").exitCode() == 0);
    assertReadable();
  }

  private void twoDisksDie() throws Exception {
    JsonNode chunk = raidp.admin("-layout", "-json").json().path("superchunks").path(0);
    long id = chunk.path("id").asLong();
    for (JsonNode replica : chunk.path("replicas")) {
      raidp.failDisk(
          Integer.parseInt(replica.path("node").asText().replaceAll("^host([0-9]+)\\..*", "$1")),
          0);
    }
    MiniRaidp.await("failure of superchunk " + id + " noticed")
        .until(
            () -> {
              for (JsonNode each : raidp.admin("-layout", "-json").json().path("superchunks")) {
                if (each.path("state").asText().equals("LOST")) {
                  return true;
                }
              }
              return false;
            });
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
    assertReadable();
    Soundness.assertSound(raidp);
  }
}
