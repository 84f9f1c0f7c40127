/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityFilesTest {
  private static final DiskFile DISK = new DiskFile("CID-golden", "disk-0123456789abcdef");
  private static final FrameFile FRAME =
      new FrameFile(
          "CID-golden",
          "disk-0123456789abcdef",
          3,
          "DS-frame-a",
          Optional.of(new Pairing(42, 7, "DS-frame-b", "node-b", 2)));
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
    assertThat(FRAME.encode()).isEqualTo(golden("../v2/raidp-frame"));
    assertThat(
            new FrameFile("CID-golden", "disk-0123456789abcdef", 0, "DS-spare", Optional.empty())
                .encode())
        .isEqualTo(golden("../v2/raidp-frame-spare"));
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
    Files.write(dir.resolve(FrameFile.NAME), golden("../v2/raidp-frame"));
    assertThat(DiskFile.read(dir)).isEqualTo(DISK);
    assertThat(FrameFile.read(dir)).isEqualTo(FRAME);
    Files.write(dir.resolve(FrameFile.NAME), golden("../v2/raidp-frame-spare"));
    assertThat(FrameFile.read(dir).pairing()).isEmpty();
    Files.write(dir.resolve(FrameFile.NAME), golden("raidp-frame"));
    assertThatThrownBy(() -> FrameFile.read(dir))
        .isInstanceOf(IdentityFileException.TooOld.class)
        .hasMessageContaining("version=1");
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
    FRAME.write(dir);
    FRAME.paired(new Pairing(43, 8, "DS-c", "node-c", 1)).write(dir);
    assertThat(FrameFile.read(dir).pairing()).contains(new Pairing(43, 8, "DS-c", "node-c", 1));
    try (var files = Files.list(dir)) {
      assertThat(files.map(p -> p.getFileName().toString())).containsExactly(FrameFile.NAME);
    }
  }

  @Test
  void everyDamagedByteIsFound() throws IOException {
    byte[] good = FRAME.encode();
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      Files.write(dir.resolve(FrameFile.NAME), bad);
      assertThatThrownBy(() -> FrameFile.read(dir))
          .as("byte " + at)
          .isInstanceOf(IdentityFileException.Corrupt.class)
          .hasMessageContaining(dir.resolve(FrameFile.NAME).toString());
    }
    for (int length = 0; length < good.length; length++) {
      Files.write(dir.resolve(FrameFile.NAME), java.util.Arrays.copyOf(good, length));
      assertThatThrownBy(() -> FrameFile.read(dir))
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
            () -> FRAME.requireOwner(dir, new DiskFile("CID-other", DISK.diskId()), "DS-frame-a"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("clusterId=CID-golden, expected CID-other");
    assertThatThrownBy(
            () -> FRAME.requireOwner(dir, new DiskFile("CID-golden", "disk-x"), "DS-frame-a"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("diskId=");
    assertThatThrownBy(() -> FRAME.requireOwner(dir, DISK, "DS-swapped"))
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("expected DS-swapped");
  }
}
