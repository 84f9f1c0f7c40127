/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The dumb twin of the parity engine: looks at a disk and its Lstor from outside, with plain
 * arrays. It opens a copy of the Lstor file, finds the file of every row in the row's volume, adds
 * up the images, each times its coefficient, and compares with the parity.
 */
final class ParityTwin {
  private static final int META_HEADER = 7;
  private static final int PIECE_BYTES = 1 << 20;

  private final Path diskRoot;
  private final Lstor lstor;

  /** The directory of each frame's volume. */
  private final Map<Integer, Path> volumeDirs = new HashMap<>();

  private final List<String> problems = new ArrayList<>();

  private ParityTwin(Path diskRoot, Lstor lstor) {
    this.diskRoot = diskRoot;
    this.lstor = lstor;
  }

  /** What was found on one disk. */
  record Verdict(List<SlotEntry> rows, List<FrameRow> frames, List<String> problems) {}

  /**
   * Copies the Lstor of a disk aside, opens the copy (which replays its journal) and checks it
   * against the disk's files.
   */
  static Verdict check(Path diskRoot, Path lstorDir, Path scratch, LstorExpectation expectation)
      throws IOException {
    Path copy = Files.createTempFile(Files.createDirectories(scratch), "lstor", ".copy");
    try {
      Files.copy(lstorFile(lstorDir), copy, StandardCopyOption.REPLACE_EXISTING);
      try (Lstor lstor = Lstor.open(FileByteStore.open(copy), expectation)) {
        ParityTwin twin = new ParityTwin(diskRoot, lstor);
        twin.compare();
        return new Verdict(lstor.entries(), lstor.frames(), twin.problems);
      }
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  static Path lstorFile(Path lstorDir) throws IOException {
    try (Stream<Path> files = Files.list(lstorDir)) {
      return files
          .filter(
              f ->
                  f.getFileName().toString().startsWith("lstor-")
                      && !f.getFileName().toString().contains("."))
          .findFirst()
          .orElseThrow(() -> new IOException("no Lstor in " + lstorDir));
    }
  }

  private void compare() throws IOException {
    findVolumes();
    LstorGeometry g = lstor.geometry();
    byte[] data = new byte[Math.toIntExact(g.frameBytes())];
    byte[] meta = new byte[Math.toIntExact(g.metaRegionBytes())];
    for (SlotEntry row : lstor.entries()) {
      if (row.metaCovered()) {
        addImage(row, data, meta);
      }
    }
    compareRegion(ParityKind.DATA, data);
    compareRegion(ParityKind.META, meta);
  }

  private void compareRegion(ParityKind kind, byte[] expected) throws IOException {
    // In pieces: the JVM of the tests has a small heap, and the expected bytes take much of it.
    byte[] actual = new byte[Math.min(PIECE_BYTES, expected.length)];
    for (int from = 0; from < expected.length; from += actual.length) {
      int length = Math.min(actual.length, expected.length - from);
      lstor.readParity(kind, from, ByteBuffer.wrap(actual, 0, length));
      int at = Arrays.mismatch(expected, from, from + length, actual, 0, length);
      if (at >= 0) {
        problems.add(
            diskRoot
                + ": "
                + kind
                + " parity differs from its recomputation at offset "
                + (from + at)
                + ", rows "
                + lstor.entries());
        return;
      }
    }
  }

  private void addImage(SlotEntry row, byte[] data, byte[] meta) throws IOException {
    Path volume = volumeDirs.get(row.frameIndex());
    if (volume == null) {
      problems.add(diskRoot + ": no volume for row " + row);
      return;
    }
    Path block = findFile(volume, "blk_" + row.blockId(), false);
    Path checksums = findFile(volume, "blk_" + row.blockId() + "_", true);
    if (block == null || checksums == null || Files.size(block) < row.coveredBytes()) {
      problems.add(
          diskRoot
              + ": files of row "
              + row
              + " are missing or too short: "
              + block
              + ", "
              + checksums);
      return;
    }
    byte[] content = Arrays.copyOf(Files.readAllBytes(block), Math.toIntExact(row.coveredBytes()));
    add(row, lstor.geometry().unitBytes(), content, data);
    add(
        row,
        lstor.geometry().metaBytesPerUnit(),
        metaImage(row, content, Files.readAllBytes(checksums)),
        meta);
  }

  private static byte[] metaImage(SlotEntry row, byte[] content, byte[] file) {
    int chunk = row.bytesPerChecksum();
    int length = META_HEADER + (content.length + chunk - 1) / chunk * 4;
    byte[] image = Arrays.copyOf(file, length);
    int partial = content.length % chunk;
    if (partial > 0) {
      Checksum crc = row.checksumTypeId() == 1 ? new CRC32() : new CRC32C();
      crc.update(content, content.length - partial, partial);
      ByteBuffer.wrap(image).putInt(length - 4, (int) crc.getValue());
    }
    return image;
  }

  private static void add(SlotEntry row, int unit, byte[] image, byte[] region) {
    int at = 0;
    for (Run run : row.runs()) {
      for (int u = run.start(); u < run.end() && at < image.length; u++) {
        for (int i = 0; i < unit && at < image.length; i++, at++) {
          region[u * unit + i] ^= row.coefficient() == 2 ? times2(image[at]) : image[at];
        }
      }
    }
    if (at < image.length) {
      throw new AssertionError("image of " + image.length + " bytes does not fit " + row.runs());
    }
  }

  /** In GF(2^8) with polynomial 0x11d. */
  private static byte times2(byte element) {
    return (byte) (element << 1 ^ (element < 0 ? 0x1d : 0));
  }

  private void findVolumes() throws IOException {
    Map<String, Path> byStorage = new HashMap<>();
    try (Stream<Path> dirs = Files.list(diskRoot)) {
      for (Path dir : dirs.filter(Files::isDirectory).toList()) {
        Path version = dir.resolve("current").resolve("VERSION");
        if (Files.exists(version)) {
          Properties p = new Properties();
          try (var in = Files.newInputStream(version)) {
            p.load(in);
          }
          byStorage.put(p.getProperty("storageID"), dir);
        }
      }
    }
    for (FrameRow row : lstor.frames()) {
      if (byStorage.containsKey(row.storageId())) {
        volumeDirs.put(row.frameIndex(), byStorage.get(row.storageId()));
      }
    }
  }

  /** Live files win over files in limbo. */
  private static Path findFile(Path volume, String name, boolean meta) throws IOException {
    try (Stream<Path> all = Files.walk(volume)) {
      // What HDFS keeps for a way back is no replica.
      return all.filter(
              f -> !f.toString().contains("/previous/") && !f.toString().contains("/trash/"))
          .filter(
              p -> {
                String n = p.getFileName().toString();
                return meta
                    ? n.startsWith(name) && n.endsWith(".meta")
                    : n.equals(name) || n.startsWith(name + "_") && n.endsWith(".data");
              })
          .min(
              (a, b) ->
                  Boolean.compare(a.toString().contains("limbo"), b.toString().contains("limbo")))
          .orElse(null);
    }
  }
}
