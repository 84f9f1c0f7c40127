/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.LiveFolder;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/**
 * The two files of a replica of a DataNode that does not write meanwhile. Immutable.
 *
 * @param data its bytes
 * @param meta their checksums
 */
record StoredBlock(Path data, Path meta) {
  private static final Pattern META = Pattern.compile("(blk_-?\\d+)_\\d+\\.meta");
  private static final String FINALIZED = "finalized";
  private static final String BEING_WRITTEN = "rbw";

  /** Whether nobody writes it: HDFS counts it as complete on its node. */
  boolean isFinalized() {
    return has(data, FINALIZED);
  }

  /**
   * Those of a storage directory by their names, finalized ones and ones that are being written.
   *
   * @param storage an entry of {@code dfs.datanode.data.dir}
   */
  static Map<String, StoredBlock> in(Path storage) throws IOException {
    List<Path> files = new ArrayList<>();
    LiveFolder.visit(
        storage.resolve("current"),
        (file, attributes) -> {
          if (has(file, FINALIZED) || has(file, BEING_WRITTEN)) {
            files.add(file);
          }
        });
    Map<String, Path> metas = new HashMap<>();
    for (Path file : files) {
      Matcher meta = META.matcher(file.getFileName().toString());
      if (meta.matches()) {
        metas.put(meta.group(1), file);
      }
    }
    Map<String, StoredBlock> found = new TreeMap<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      Path meta = metas.get(name);
      if (meta != null) {
        found.put(name, new StoredBlock(file, meta));
      }
    }
    return found;
  }

  private static boolean has(Path file, String folder) {
    for (Path part : file) {
      if (part.toString().equals(folder)) {
        return true;
      }
    }
    return false;
  }

  /** Number of bytes. */
  long lengthBytes() throws IOException {
    return Files.size(data);
  }

  /** Whether the chunk that a byte is in has the checksum that is stored for it. */
  boolean matches(long offset) throws IOException {
    try (FileChannel bytes = FileChannel.open(data);
        FileChannel sums = FileChannel.open(meta);
        DataInputStream in = new DataInputStream(Files.newInputStream(meta))) {
      DataChecksum checksum = BlockMetadataHeader.readHeader(in).getChecksum();
      long chunk = offset / checksum.getBytesPerChecksum();
      ByteBuffer stored = ByteBuffer.allocate(checksum.getChecksumSize());
      ByteBuffer found = ByteBuffer.allocate(checksum.getBytesPerChecksum());
      fill(sums, stored, BlockMetadataHeader.getHeaderSize() + chunk * checksum.getChecksumSize());
      fill(bytes, found, chunk * checksum.getBytesPerChecksum());
      if (stored.hasRemaining() || found.position() <= offset % checksum.getBytesPerChecksum()) {
        return false;
      }
      checksum.update(found.array(), 0, found.position());
      return (int) checksum.getValue() == stored.flip().getInt();
    }
  }

  private static void fill(FileChannel from, ByteBuffer to, long position) throws IOException {
    while (to.hasRemaining()) {
      int count = from.read(to, position + to.position());
      if (count < 0) {
        return;
      }
    }
  }

  /**
   * Changes a bit to its opposite.
   *
   * @param bit 0 to 7
   * @throws IOException if the file is not that long
   */
  void flip(long offset, int bit) throws IOException {
    try (FileChannel file =
        FileChannel.open(data, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      if (file.read(one, offset) != 1) {
        throw new IOException(
            "Cannot flip a bit: offset=" + offset + ", expected less than " + file.size());
      }
      one.put(0, (byte) (one.get(0) ^ (1 << bit))).flip();
      file.write(one, offset);
    }
  }
}
