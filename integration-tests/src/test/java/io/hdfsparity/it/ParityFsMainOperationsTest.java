/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityFs;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's own tests of FileContext, with the suite's file system in it. What is overridden is what
 * Hadoop's TestHDFSFileContextMainOperations overrides: the folder of the tests, the working
 * directory, errors of a server, and that corrupt blocks are listed. No test is left out.
 */
@Tag("full")
class ParityFsMainOperationsTest extends FileContextMainOperationsBaseTest {
  private static MiniDFSCluster cluster;
  private static Path home;

  @BeforeAll
  static void start(@TempDir java.nio.file.Path root) throws IOException {
    Configuration conf = new HdfsConfiguration();
    // As the site file of Hadoop's own tests has it: they write blocks of 1 KiB.
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
    cluster = new MiniDFSCluster.Builder(conf, root.toFile()).numDataNodes(2).build();
    cluster.waitClusterUp();
    Configuration client = new Configuration(conf);
    client.set("fs.AbstractFileSystem.hdfs.impl", ParityFs.class.getName());
    fc = FileContext.getFileContext(cluster.getURI(), client);
    assertThat(fc.getDefaultFileSystem()).isInstanceOf(ParityFs.class);
    home =
        fc.makeQualified(
            new Path("/user/" + UserGroupInformation.getCurrentUser().getShortUserName()));
    fc.mkdir(home, FileContext.DEFAULT_PERM, /* createParent= */ true);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @Override
  protected FileContextTestHelper createFileContextHelper() {
    return new FileContextTestHelper("/tmp/ParityFsMainOperationsTest");
  }

  @Override
  protected Path getDefaultWorkingDirectory() {
    return home;
  }

  @Override
  protected IOException unwrapException(IOException e) {
    return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
  }

  @Override
  protected boolean listCorruptedBlocksSupported() {
    return true;
  }
}
