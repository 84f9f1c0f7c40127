/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Damages files behind the back of those who have them open. */
final class Damage {
  private Damage() {}

  /** The two files of a replica, and the node that holds it. */
  record Replica(int node, Path data, Path meta) {}

  /** Changes one bit. */
  static void flip(Path path, long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(offset);
      int was = file.read();
      file.seek(offset);
      file.write(was ^ 1);
    }
  }

  static void cut(Path path, long length) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(length);
    }
  }

  /** Replicas of the only block of a file, in the order of nodes. */
  static List<Replica> replicas(MiniRaidp raidp, String file) throws IOException {
    LocatedBlock block = raidp.fs().getClient().getLocatedBlocks(file, 0).get(0);
    String name = "blk_" + block.getBlock().getBlockId();
    List<Replica> found = new ArrayList<>();
    for (int node = 0; node < raidp.shape().nodes(); node++) {
      for (int disk = 0; disk < raidp.shape().disks(); disk++) {
        Path root = MiniRaidp.diskRoot(raidp.root(), node, disk);
        Path data = find(root, name);
        if (data != null) {
          found.add(
              new Replica(
                  node,
                  data,
                  data.resolveSibling(
                      name + "_" + block.getBlock().getGenerationStamp() + ".meta")));
        }
      }
    }
    return found;
  }

  /** Whether HDFS' directories of a node hold a replica; limbo is none. */
  static boolean holds(MiniRaidp raidp, int node, long blockId) throws IOException {
    for (int disk = 0; disk < raidp.shape().disks(); disk++) {
      if (find(MiniRaidp.diskRoot(raidp.root(), node, disk), "blk_" + blockId) != null) {
        return true;
      }
    }
    return false;
  }

  private static Path find(Path root, String name) throws IOException {
    if (!Files.isDirectory(root)) {
      return null;
    }
    return LiveFiles.under(root).stream()
        .filter(file -> file.getFileName().toString().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Places inside an Lstor's file, as docs/formats/lstor.md gives them. */
  record LstorPlaces(
      Path file, long slotTable, int maxEntries, long journal, long dataParity, long fileBytes) {
    static final int BLOCK = 4096;
    static final int CELL = 65536;

    static LstorPlaces of(Path lstorDir) throws IOException {
      Path file = ParityTwin.lstorFile(lstorDir);
      ByteBuffer header = ByteBuffer.allocate(BLOCK);
      try (FileChannel in = FileChannel.open(file)) {
        in.read(header, 0);
      }
      int frames = header.getInt(40);
      int units = header.getInt(44);
      long dataBytes = (long) units * header.getInt(48);
      long metaBytes = up((long) units * header.getInt(52), BLOCK);
      long journalBytes = header.getLong(56);
      int maxEntries = header.getInt(72);
      long slotTable = 2L * BLOCK + up(512L * frames, BLOCK);
      long crcs = slotTable + up(256L * maxEntries, BLOCK);
      long journal =
          crcs + up(4 * (up(dataBytes, CELL) / CELL), BLOCK) + up(4 * (metaBytes / BLOCK), BLOCK);
      return new LstorPlaces(
          file, slotTable, maxEntries, journal, up(journal + journalBytes, CELL), Files.size(file));
    }

    private static long up(long value, long multiple) {
      return (value + multiple - 1) / multiple * multiple;
    }
  }
}
