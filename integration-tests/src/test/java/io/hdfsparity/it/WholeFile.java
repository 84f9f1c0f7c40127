/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads of all of a file by any client. */
final class WholeFile {
  private WholeFile() {}

  static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  /** Whether all of a file is read; wrong bytes are never right. */
  static boolean isReadable(FileSystem fs, String path, byte[] expected) {
    byte[] read;
    try {
      read = read(fs, path);
    } catch (IOException | RuntimeException e) {
      // DFSStripedInputStream reads again after a refusal, and then finds its decoder gone.
      return false;
    }
    assertThat(Arrays.equals(read, expected)).as("bytes of %s by %s", path, fs.getClass()).isTrue();
    return true;
  }
}
