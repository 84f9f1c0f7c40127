/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityFilesTest {
  private static final DiskFile DISK = new DiskFile("CID-golden", "disk-0123456789abcdef");
  private static final FrameTable FRAMES =
      FrameTable.spare("CID-golden", "disk-0123456789abcdef", "DS-volume-a", List.of(3, 4, 9))
          .paired(3, new Pairing(42, 7, "DS-volume-b", "node-b", 2))
          .paired(9, Pairing.alone(43, 8));
  private static final NodesFile NODES =
      new NodesFile("CID-golden", Map.of("node-b", "10.0.0.2", "node-a", "2001:db8::1"));
  @TempDir Path dir;

  private static byte[] golden(String name) throws IOException {
    try (InputStream in =
        IdentityFilesTest.class.getResourceAsStream(
            Path.of("/golden/v1").resolve(name).normalize().toString())) {
      return in.readAllBytes();
    }
  }

  @Test
  void bytesAreGolden() throws IOException {
    assertThat(DISK.encode()).isEqualTo(golden("raidp-disk"));
    assertThat(FRAMES.encode()).isEqualTo(golden("../v3/raidp-frame"));
    assertThat(
            FrameTable.spare("CID-golden", "disk-0123456789abcdef", "DS-spare", List.of(0))
                .encode())
        .isEqualTo(golden("../v3/raidp-frame-spare"));
  }

  @Test
  void nodesAreThoseOfVersion2() throws IOException {
    assertThat(NODES.encode()).isEqualTo(golden("../v2/raidp-nodes"));
    Files.write(dir.resolve(NodesFile.NAME), golden("../v2/raidp-nodes"));
    assertThat(NodesFile.read(dir)).isEqualTo(NODES);
    Files.write(dir.resolve(NodesFile.NAME), golden("raidp-nodes"));
    assertThatThrownBy(() -> NodesFile.read(dir))
        .isInstanceOf(IdentityFileException.class)
        .hasMessageContaining("version=1");
  }

  @Test
  void goldenFilesAreRead() throws IOException {
    Files.write(dir.resolve(DiskFile.NAME), golden("raidp-disk"));
    Files.write(dir.resolve(FrameTable.NAME), golden("../v3/raidp-frame"));
    assertThat(DiskFile.read(dir)).isEqualTo(DISK);
    assertThat(FrameTable.read(dir)).isEqualTo(FRAMES);
    Files.write(dir.resolve(FrameTable.NAME), golden("../v3/raidp-frame-spare"));
    assertThat(FrameTable.read(dir).frames()).containsExactly(Map.entry(0, Optional.empty()));
    for (int version = 1; version <= 2; version++) {
      Files.write(dir.resolve(FrameTable.NAME), golden("../v" + version + "/raidp-frame"));
      assertThatThrownBy(() -> FrameTable.read(dir))
          .isInstanceOf(IdentityFileException.TooOld.class)
          .hasMessageContaining("version=" + version + ", expected 3..3");
    }
  }

  @Test
  void thousandsOfNodesAreRead() throws IOException {
    NodesFile many =
        new NodesFile(
            "CID-golden",
            IntStream.range(0, 10_000)
                .mapToObj(i -> "7c8f0c8e-3d5e-4b0c-9c39-" + i)
                .collect(Collectors.toMap(uuid -> uuid, uuid -> "10.0.0.1")));
    many.write(dir);
    assertThat(NodesFile.read(dir)).isEqualTo(many);
  }

  @Test
  void replacingLeavesNoTemporaryFile() throws IOException {
    FRAMES.write(dir);
    FRAMES.paired(4, new Pairing(44, 8, "DS-c", "node-c", 1)).write(dir);
    assertThat(FrameTable.read(dir).frames())
        .containsOnlyKeys(3, 4, 9)
        .containsEntry(3, FRAMES.frames().get(3))
        .containsEntry(4, Optional.of(new Pairing(44, 8, "DS-c", "node-c", 1)));
    try (var files = Files.list(dir)) {
      assertThat(files.map(p -> p.getFileName().toString())).containsExactly(FrameTable.NAME);
    }
  }

  @Test
  void thousandsOfFramesAreRead() throws IOException {
    SortedMap<Integer, Optional<Pairing>> frames = new TreeMap<>();
    for (int i = 0; i < 4096; i++) {
      String uuid = "-7c8f0c8e-3d5e-4b0c-9c39-" + i;
      frames.put(i, Optional.of(new Pairing(i, 1, "DS" + uuid, uuid, 1 + i % 2)));
    }
    FrameTable many = new FrameTable("CID-golden", "disk", "DS", frames);
    many.write(dir);
    assertThat(FrameTable.read(dir)).isEqualTo(many);
  }

  @Test
  void documentedByteBoxIsTheOneOfTheClass() throws IOException {
    assertThat(ByteBoxes.of(FrameTable.class)).contains("payload, version 3");
    assertThat(ByteBoxes.page("frame-file.md")).contains(ByteBoxes.of(FrameTable.class));
  }

  @Test
  void everyDamagedByteIsFound() throws IOException {
    byte[] good = FRAMES.encode();
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      Files.write(dir.resolve(FrameTable.NAME), bad);
      assertThatThrownBy(() -> FrameTable.read(dir))
          .as("byte " + at)
          .isInstanceOf(IdentityFileException.Corrupt.class)
          .hasMessageContaining(dir.resolve(FrameTable.NAME).toString());
    }
    for (int length = 0; length < good.length; length++) {
      Files.write(dir.resolve(FrameTable.NAME), java.util.Arrays.copyOf(good, length));
      assertThatThrownBy(() -> FrameTable.read(dir))
          .as("length " + length)
          .isInstanceOf(IdentityFileException.Corrupt.class);
    }
  }

  @Test
  void otherVersionsHaveErrorsOfTheirOwn() throws IOException {
    Files.write(dir.resolve(DiskFile.NAME), withVersion(DISK.encode(), 2));
    assertThatThrownBy(() -> DiskFile.read(dir))
        .isInstanceOf(IdentityFileException.TooNew.class)
        .hasMessageContaining("version=2");
    Files.write(dir.resolve(DiskFile.NAME), withVersion(DISK.encode(), 0));
    assertThatThrownBy(() -> DiskFile.read(dir)).isInstanceOf(IdentityFileException.TooOld.class);
  }

  private static byte[] withVersion(byte[] file, int version) {
    java.nio.ByteBuffer b = java.nio.ByteBuffer.wrap(file.clone());
    b.putInt(8, version);
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, file.length - 4);
    b.putInt(file.length - 4, (int) crc.getValue());
    return b.array();
  }

  @Test
  void foreignFramesAreNamed() {
    assertThatThrownBy(
            () -> FRAMES.requireOwner(dir, new DiskFile("CID-other", DISK.diskId()), "DS-volume-a"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("clusterId=CID-golden, expected CID-other");
    assertThatThrownBy(
            () -> FRAMES.requireOwner(dir, new DiskFile("CID-golden", "disk-x"), "DS-volume-a"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("diskId=");
    assertThatThrownBy(() -> FRAMES.requireOwner(dir, DISK, "DS-swapped"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("expected DS-swapped");
  }
}
