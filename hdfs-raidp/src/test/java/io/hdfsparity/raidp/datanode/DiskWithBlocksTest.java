/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.lstord.LstorFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that was HDFS's alone gets an Lstor, with the blocks that are on it. */
class DiskWithBlocksTest {
  private static final String STORAGE = "DS-1";

  @TempDir Path base;
  private Path root;
  private Path lstorDir;
  private Path volume;
  private List<NodeOptions.Disk> others = List.of();

  @BeforeEach
  void writeBlock() throws IOException {
    root = base.resolve("data");
    lstorDir = Files.createDirectories(base.resolve("lstor"));
    volume = root.resolve("hdfs");
    Path finalized =
        Files.createDirectories(volume.resolve("current/BP-1/current/finalized/subdir0/subdir0"));
    Files.write(finalized.resolve("blk_1073741825"), new byte[100]);
    Files.write(finalized.resolve("blk_1073741825_1001.meta"), new byte[11]);
  }

  private List<NodeOptions.Disk> disks() {
    List<NodeOptions.Disk> disks = new ArrayList<>(others);
    disks.add(new NodeOptions.Disk(root, lstorDir));
    return disks;
  }

  private DiskContext context() {
    NodeOptions options =
        new NodeOptions(
            disks(),
            new NodeOptions.Frames(1 << 20, 1 << 16, 1 << 18, 4),
            new NodeOptions.LstorLimits(1L << 40, 1000, 2 << 20),
            new NodeOptions.Settling(Mode.IDLE, Granularity.BLOCK, 10),
            100,
            600_000,
            1000);
    return new DiskContext(
        options,
        Clock.system(),
        new SimNet(new Random(1), 0).partners(),
        new BlockPool(),
        2,
        0,
        (storageId, block) -> {});
  }

  /** Opens the disk and its volume as a DataNode does at its start, and lets go of it. */
  private int framesWhenOpened() throws IOException {
    DiskOpener opener =
        new DiskOpener(
            context(),
            "CID",
            "node",
            4,
            () -> disks().stream().map(NodeOptions.Disk::root).toList());
    try (DiskEngine disk = opener.open(root, lstorDir, List.of(volume))) {
      return opener
          .addVolume(disk, volume, STORAGE, List.of("BP-1"), () -> {}, FrameChoice.none())
          .engines()
          .size();
    }
  }

  @Test
  void isTakenWithItsBlocks() throws IOException {
    assertThat(framesWhenOpened()).isEqualTo(4);
    assertThat(FrameTable.isIn(volume)).isTrue();
    assertThat(LstorFiles.in(lstorDir)).hasSize(1);
    assertThat(framesWhenOpened()).as("again").isEqualTo(4);
  }

  /** The last step before the crash wrote the disk's identity. */
  @Test
  void goesOnAfterACrash() throws IOException {
    new DiskFile("CID", "11111111-2222-3333-4444-555555555555").write(root);
    assertThat(framesWhenOpened()).isEqualTo(4);
  }

  /** Blocks may be covered by it. */
  @Test
  void isRefusedBesideAnotherLstor() throws IOException {
    Files.createFile(lstorDir.resolve("lstor-11111111-2222-3333-4444-555555555555"));
    assertThatThrownBy(() -> framesWhenOpened())
        .hasMessageContaining("expected a disk file, or frames that were never used");
  }

  /** The directory may serve several disks, one of which was there before. */
  @Test
  void isTakenBesideTheLstorOfAnotherDiskOfTheNode() throws IOException {
    String id = "11111111-2222-3333-4444-555555555555";
    Path other = Files.createDirectories(base.resolve("other"));
    others = List.of(new NodeOptions.Disk(other, lstorDir));
    Path lstor = Files.createFile(lstorDir.resolve("lstor-" + id));
    assertThatThrownBy(() -> framesWhenOpened())
        .as("no disk says that it is its own")
        .hasMessageContaining("expected a disk file, or frames that were never used");
    new DiskFile("CID", id).write(other);
    assertThat(framesWhenOpened()).isEqualTo(4);
    assertThat(LstorFiles.in(lstorDir)).hasSize(2).contains(lstor);
  }

  @Test
  void isRefusedWithoutTheLstorThatItHad() throws IOException {
    framesWhenOpened();
    for (Path lstor : LstorFiles.in(lstorDir)) {
      Files.delete(lstor);
    }
    assertThatThrownBy(() -> framesWhenOpened()).hasMessageContaining("lstor=missing");
  }

  @Test
  void isRefusedWithoutTheFrameTableThatItHad() throws IOException {
    framesWhenOpened();
    Files.delete(volume.resolve(FrameTable.NAME));
    assertThatThrownBy(() -> framesWhenOpened()).hasMessageContaining("frameTable=missing");
  }
}
