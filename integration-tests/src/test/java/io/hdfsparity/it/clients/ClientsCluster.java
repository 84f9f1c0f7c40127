/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A cluster with files of some kinds. */
interface ClientsCluster extends AutoCloseable {
  List<FileKind> kinds();

  MiniDFSCluster dfs();

  /** What its servers run with. */
  Configuration conf();

  /** The file that all clients read. */
  TestFile read(FileKind kind);

  /** A file that one client appends to, once. */
  TestFile append(FileKind kind, int number);

  /** Stops a DataNode that every file which is read needs; nobody starts it again. */
  void loseNode() throws IOException;

  @Override
  void close() throws Exception;

  /** Writes a file by a client that knows all kinds. */
  static TestFile write(Configuration conf, String path, int lengthBytes) throws IOException {
    TestFile file = new TestFile(path, TestFile.content(path, lengthBytes));
    java.nio.file.Path local = java.nio.file.Files.createTempFile("clients", ".bytes");
    try (SuiteClient suite = new SuiteClient(conf)) {
      java.nio.file.Files.write(local, file.bytes());
      Answer answer = suite.run(Operation.WRITE, path, local);
      if (!answer.isDone()) {
        throw new IOException(answer.message());
      }
    } finally {
      java.nio.file.Files.delete(local);
    }
    return file;
  }
}
