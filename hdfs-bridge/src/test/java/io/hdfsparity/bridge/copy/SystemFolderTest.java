/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A superuser who is one today, on a NameNode without DataNodes. */
class SystemFolderTest {
  private static final Path FOLDER = new Path("/.system");
  private static final Path INSIDE = new Path(FOLDER, "index");
  private static final String MARK = "trusted.parity.test";

  @TempDir java.nio.file.Path dir;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;

  @BeforeEach
  void start() throws Exception {
    cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), dir.toFile()).numDataNodes(0).build();
    fs = cluster.getFileSystem();
  }

  @AfterEach
  void stop() {
    cluster.shutdown();
  }

  private void prepareAs(UserGroupInformation user) throws Exception {
    try (DistributedFileSystem theirs = fileSystemOf(user)) {
      user.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                SystemFolder.prepare(
                    theirs, FOLDER, new FsPermission((short) 0711), MARK, "test.folder");
                return null;
              });
    }
  }

  private DistributedFileSystem fileSystemOf(UserGroupInformation user) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () -> (DistributedFileSystem) cluster.getNewFileSystemInstance(0));
  }

  @Test
  void whoIsNoSuperuserAnyMoreCannotDeleteInIt() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"supergroup"});
    prepareAs(alice);
    fs.mkdirs(INSIDE);
    assertThat(fs.getFileStatus(FOLDER).getOwner())
        .isEqualTo(fs.getFileStatus(new Path("/")).getOwner());

    UserGroupInformation later =
        UserGroupInformation.createUserForTesting("alice", new String[] {"others"});
    try (DistributedFileSystem hers = fileSystemOf(later)) {
      assertThatThrownBy(() -> hers.delete(INSIDE, false))
          .isInstanceOf(AccessControlException.class);
    }
    assertThat(fs.exists(INSIDE)).isTrue();
  }

  /** What an earlier version made belongs to whoever ran it. */
  @Test
  void whatBelongsToAnotherSuperuserIsTaken() throws Exception {
    prepareAs(UserGroupInformation.getCurrentUser());
    fs.setOwner(FOLDER, "bob", null);
    prepareAs(UserGroupInformation.getCurrentUser());
    assertThat(fs.getFileStatus(FOLDER).getOwner())
        .isEqualTo(fs.getFileStatus(new Path("/")).getOwner());
  }
}
