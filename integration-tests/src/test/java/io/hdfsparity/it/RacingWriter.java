/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Appends to, overwrites, replaces and renames a few files, reads each back at once, and remembers
 * what it was told is stored. For one thread.
 */
final class RacingWriter {
  private static final int FILES = 3;

  private final DistributedFileSystem fs;
  private final String directory;
  private final Random random;
  private final Map<String, byte[]> acknowledged = new TreeMap<>();

  RacingWriter(DistributedFileSystem fs, String directory, long seed) {
    this.fs = fs;
    this.directory = directory;
    this.random = new Random(seed);
  }

  void begin() throws IOException {
    for (int i = 0; i < FILES; i++) {
      overwrite(directory + "/f" + i);
    }
  }

  private byte[] some() {
    return MiniLevels.bytes(1 + random.nextInt(2 * MiniLevels.GROUP_BYTES), random.nextLong());
  }

  private void overwrite(String path) throws IOException {
    byte[] bytes = some();
    MiniLevels.write(fs, path, bytes);
    acknowledged.put(path, bytes);
  }

  void step() throws IOException {
    String path = directory + "/f" + random.nextInt(FILES);
    switch (random.nextInt(4)) {
      case 0 -> overwrite(path);
      case 1 -> {
        String aside = directory + "-aside";
        byte[] bytes = some();
        MiniLevels.write(fs, aside, bytes);
        fs.rename(new Path(aside), new Path(path), Rename.OVERWRITE);
        acknowledged.put(path, bytes);
      }
      default -> append(path);
    }
    assertReads(path);
  }

  /** HDFS does not append to coded files; such a file is overwritten. */
  private void append(String path) throws IOException {
    FSDataOutputStream out;
    try {
      out = fs.append(new Path(path));
    } catch (IOException | UnsupportedOperationException coded) {
      assertReads(path);
      overwrite(path);
      return;
    }
    byte[] before = acknowledged.get(path);
    byte[] more = MiniLevels.bytes(1 + random.nextInt(1000), random.nextLong());
    try (out) {
      out.write(more);
      out.hflush();
      // Acknowledged from here on, though nobody has closed the file.
      byte[] all = Arrays.copyOf(before, before.length + more.length);
      System.arraycopy(more, 0, all, before.length, more.length);
      acknowledged.put(path, all);
    }
  }

  private void assertReads(String path) throws IOException {
    byte[] wanted = acknowledged.get(path);
    byte[] read;
    try {
      read = MiniLevels.read(fs, path, wanted.length);
    } catch (IOException swappedMeanwhile) {
      // Opened before the swap, read after the old blocks were gone: an error, and then not again.
      read = MiniLevels.read(fs, path, wanted.length);
    }
    assertThat(Arrays.equals(read, wanted)).as(path).isTrue();
  }

  void assertAll(String where) throws IOException {
    for (Map.Entry<String, byte[]> each : acknowledged.entrySet()) {
      assertThat(fs.getFileStatus(new Path(each.getKey())).getLen())
          .as("%s %s", where, each.getKey())
          .isEqualTo(each.getValue().length);
      assertReads(each.getKey());
    }
  }
}
