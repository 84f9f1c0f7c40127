/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.fs.OrderedFiles;
import io.hdfsparity.caso.layout.LayoutIndex;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** One cluster, with files that change the order of their cells. */
abstract class CasoOrganizeFixture {
  static final int LENGTH = MiniCaso.LENGTH;
  @TempDir static java.nio.file.Path root;
  static MiniCaso cluster;
  static DistributedFileSystem stock;
  static FileSystem caso;
  static String trace;

  /** Ends a run as a crash does: nothing catches it. */
  static final class Crash extends Error {
    static final long serialVersionUID = 1;
  }

  @BeforeAll
  static void start() throws IOException {
    cluster = MiniCaso.start(root);
    stock = cluster.stock();
    caso = cluster.client();
    trace = cluster.trace(0);
  }

  @AfterAll
  static void stop() throws IOException {
    caso.close();
    cluster.close();
  }

  static byte[] read(FileSystem fs, String path) throws IOException {
    byte[] bytes = new byte[LENGTH];
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(bytes);
      assertThat(in.read()).isEqualTo(-1);
    }
    return bytes;
  }

  static void assertNothingLeft(String directory) throws IOException {
    cluster.assertNothingLeft(directory);
  }

  static void restore(String path) {
    cluster.run("-restore", path);
  }

  static LayoutIndex index(String path) throws IOException {
    return OrderedFiles.index(stock, stock.getClient().getFileInfo(path), path).orElseThrow();
  }

  static byte[] bytes(Path file) throws IOException {
    try (FSDataInputStream in = stock.open(file)) {
      return in.readAllBytes();
    }
  }

  static void replace(Path index, byte[] bytes) throws IOException {
    try (OutputStream to = stock.createFile(index).overwrite(true).replicate().build()) {
      to.write(bytes);
    }
  }
}
