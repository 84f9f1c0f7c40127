/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.BridgeCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Marked;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode without DataNodes, and a pair of them. */
class ProtectionMarksTest {
  @TempDir java.nio.file.Path dir;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;

  private HdfsConfiguration conf() {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.setInt("fs.trash.interval", 60);
    return conf;
  }

  private ProtectionMarks start() throws IOException {
    cluster = new MiniDFSCluster.Builder(conf()).numDataNodes(0).build();
    fs = cluster.getFileSystem();
    return marks();
  }

  private ProtectionMarks marks() {
    return new ProtectionMarks(cluster.getNamesystem());
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  private String file(String path) throws IOException {
    fs.create(new Path(path), (short) 2).close();
    return path;
  }

  @Test
  void theNearestMarkCounts() throws Exception {
    ProtectionMarks marks = start();
    file("/a/b/c/f");
    file("/a/g");
    assertThat(marks.isProtected("/a/b/c/f")).isFalse();
    assertThat(marks.of("/a/b/c/f")).isEmpty();
    marks.set("/a", Mark.PROTECTED);
    assertThat(marks.isProtected("/a/b/c/f")).isTrue();
    assertThat(marks.of("/a/b/c/f")).contains(new Marked("/a", Mark.PROTECTED));
    marks.set("/a/b", Mark.PLAIN);
    assertThat(marks.isProtected("/a/b/c/f")).isFalse();
    assertThat(marks.of("/a/b/c/f")).contains(new Marked("/a/b", Mark.PLAIN));
    assertThat(marks.isProtected("/a/g")).isTrue();
    marks.set("/a/b/c/f", Mark.PROTECTED);
    assertThat(marks.isProtected("/a/b/c/f")).as("its own").isTrue();
    assertThat(marks.isProtected("/a/b/c")).isFalse();
    marks.clear("/a/b/c/f");
    assertThat(marks.isProtected("/a/b/c/f")).isFalse();
    marks.clear("/a/b");
    marks.clear("/a/b");
    assertThat(marks.isProtected("/a/b/c/f")).isTrue();
    marks.set("/", Mark.PROTECTED);
    marks.clear("/a");
    assertThat(marks.of("/a/b/c/f")).contains(new Marked("/", Mark.PROTECTED));
    assertThat(marks.isProtected(file("/new"))).isTrue();
  }

  @Test
  void aPathThatLeadsNowhereIsNotProtectedAndCannotBeMarked() throws Exception {
    ProtectionMarks marks = start();
    file("/a/f");
    marks.set("/", Mark.PROTECTED);
    assertThat(marks.isProtected("/a/gone")).isFalse();
    assertThat(marks.isNoFile("/a/gone")).isTrue();
    assertThat(marks.isNoFile("/a/f")).isFalse();
    long inode = fs.getClient().getFileInfo("/a/f").getFileId();
    assertThat(marks.isProtected("/.reserved/.inodes/" + inode)).as("by its inode").isTrue();
    assertThat(marks.isProtected("/.reserved/.inodes/" + (inode + 99))).isFalse();
    assertThat(marks.isProtected("/gone/gone")).isFalse();
    assertThat(marks.isProtected("/a/f/below-a-file")).isFalse();
    assertThatThrownBy(() -> marks.of("/a/gone")).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> marks.set("/gone", Mark.PROTECTED))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("path=/gone");
    assertThatThrownBy(() -> marks.clear("/gone")).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void aMarkStaysThroughRenamesTheTrashAndSnapshots() throws Exception {
    ProtectionMarks marks = start();
    file("/a/b/f");
    marks.set("/a/b", Mark.PROTECTED);
    fs.rename(new Path("/a/b"), new Path("/moved"), Options.Rename.NONE);
    assertThat(marks.isProtected("/moved/f")).isTrue();
    assertThat(marks.of("/a")).isEmpty();
    // A file that is moved out of it belongs where it is.
    fs.rename(new Path("/moved/f"), new Path("/a/f"), Options.Rename.NONE);
    assertThat(marks.isProtected("/a/f")).isFalse();
    file("/moved/f");

    assertThat(new Trash(fs, conf()).moveToTrash(new Path("/moved"))).isTrue();
    Path trash = new Path(fs.getTrashRoot(new Path("/moved")), "Current/moved");
    assertThat(marks.isProtected(trash.toUri().getPath() + "/f")).isTrue();
    fs.rename(trash, new Path("/back"), Options.Rename.NONE);
    assertThat(marks.isProtected("/back/f")).isTrue();

    fs.mkdirs(new Path("/s"));
    fs.allowSnapshot(new Path("/s"));
    fs.rename(new Path("/back"), new Path("/s/d"), Options.Rename.NONE);
    fs.createSnapshot(new Path("/s"), "one");
    marks.clear("/s/d");
    assertThat(marks.isProtected("/s/d/f")).isFalse();
    marks.set("/s/d", Mark.PLAIN);
    assertThat(marks.of("/s/d/f")).contains(new Marked("/s/d", Mark.PLAIN));
    fs.rename(new Path("/s/d"), new Path("/out"), Options.Rename.NONE);
    marks.set("/out", Mark.PROTECTED);
    assertThat(marks.isProtected("/out/f")).as("also in a snapshot").isTrue();
    fs.deleteSnapshot(new Path("/s"), "one");
    assertThat(marks.isProtected("/out/f")).isTrue();
    cluster.restartNameNode(false);
    assertThat(marks().of("/out/f")).contains(new Marked("/out", Mark.PROTECTED));
  }

  @Test
  void itIsInTheLogAndInTheImage() throws Exception {
    ProtectionMarks marks = start();
    file("/a/b/f");
    file("/c/f");
    marks.set("/a", Mark.PROTECTED);
    marks.set("/a/b", Mark.PLAIN);
    marks.set("/c", Mark.PROTECTED);
    marks.clear("/c");
    cluster.restartNameNode(false);
    assertMarks();
    cluster.getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    cluster.getNameNodeRpc().saveNamespace(0, 0);
    cluster.getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    cluster.restartNameNode(false);
    assertMarks();
  }

  private void assertMarks() throws IOException {
    assertThat(marks().of("/a")).contains(new Marked("/a", Mark.PROTECTED));
    assertThat(marks().of("/a/b/f")).contains(new Marked("/a/b", Mark.PLAIN));
    assertThat(marks().of("/c/f")).isEmpty();
  }

  @Test
  void noClientSeesOrChangesIt() throws Exception {
    ProtectionMarks marks = start();
    file("/a/f");
    marks.set("/a", Mark.PROTECTED);
    Path path = new Path("/a");
    String name = "system.parity.protection";
    assertThat(fs.getXAttrs(path)).isEmpty();
    assertThat(fs.listXAttrs(path)).isEmpty();
    assertThat(fs.getXAttrs(new Path("/.reserved/raw/a"))).isEmpty();
    for (Path each : new Path[] {path, new Path("/.reserved/raw/a")}) {
      assertThatThrownBy(() -> fs.getXAttr(each, name)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> fs.removeXAttr(each, name)).isInstanceOf(IOException.class);
      assertThatThrownBy(
              () -> fs.setXAttr(each, name, new byte[] {0}, EnumSet.of(XAttrSetFlag.REPLACE)))
          .isInstanceOf(IOException.class);
    }
    assertThat(marks.isProtected("/a/f")).isTrue();
  }

  @Test
  void aFolderOfCopiesIsProtectedItself() throws Exception {
    ProtectionMarks marks = start();
    file("/w/p/f");
    marks.set("/", Mark.PROTECTED);
    marks.set("/w", Mark.PLAIN);
    assertThatThrownBy(() -> marks.protectFolder("/w/p/f"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("path=/w/p/f, expected a directory");
    assertThatThrownBy(() -> marks.protectFolder("/gone"))
        .isInstanceOf(FileNotFoundException.class);
    marks.protectFolder("/w/p");
    marks.protectFolder("/w/p");
    assertThat(marks.of("/w/p/f")).contains(new Marked("/w/p", Mark.PROTECTED));
    marks.set("/w/p", Mark.PLAIN);
    marks.protectFolder("/w/p");
    cluster.restartNameNode(false);
    assertThat(marks().of("/w/p/f")).contains(new Marked("/w/p", Mark.PROTECTED));
  }

  @Test
  void onlySuperusersMark() throws Exception {
    ProtectionMarks marks = start();
    file("/a/f");
    fs.setOwner(new Path("/a"), "bob", "bob");
    UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
    PrivilegedExceptionAction<Void> set =
        () -> {
          marks.set("/a", Mark.PROTECTED);
          return null;
        };
    PrivilegedExceptionAction<Void> clear =
        () -> {
          marks.clear("/a");
          return null;
        };
    PrivilegedExceptionAction<Void> protectFolder =
        () -> {
          marks.protectFolder("/a");
          return null;
        };
    assertThatThrownBy(() -> bob.doAs(set)).isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> bob.doAs(protectFolder)).isInstanceOf(AccessControlException.class);
    assertThat(marks.isProtected("/a/f")).isFalse();
    marks.set("/a", Mark.PROTECTED);
    assertThatThrownBy(() -> bob.doAs(clear)).isInstanceOf(AccessControlException.class);
    assertThat(bob.doAs((PrivilegedExceptionAction<Boolean>) () -> marks.isProtected("/a/f")))
        .isTrue();
  }

  @Test
  void inSafeModeNothingChanges() throws Exception {
    ProtectionMarks marks = start();
    file("/a/f");
    marks.set("/a", Mark.PROTECTED);
    fs.setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    assertThatThrownBy(() -> marks.set("/a", Mark.PLAIN)).isInstanceOf(SafeModeException.class);
    assertThatThrownBy(() -> marks.clear("/a")).isInstanceOf(SafeModeException.class);
    assertThat(marks.isProtected("/a/f")).isTrue();
  }

  @Test
  void aStandbyHasItToo() throws Exception {
    HdfsConfiguration conf = conf();
    conf.setInt("dfs.ha.tail-edits.period", 1);
    cluster =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(0)
            .build();
    cluster.transitionToActive(0);
    fs = HATestUtil.configureFailoverFs(cluster, conf);
    file("/a/b/f");
    ProtectionMarks first = new ProtectionMarks(cluster.getNamesystem(0));
    ProtectionMarks second = new ProtectionMarks(cluster.getNamesystem(1));
    first.set("/a", Mark.PROTECTED);
    first.set("/a/b", Mark.PLAIN);
    HATestUtil.waitForStandbyToCatchUp(cluster.getNameNode(0), cluster.getNameNode(1));
    assertThat(second.of("/a")).contains(new Marked("/a", Mark.PROTECTED));
    assertThatThrownBy(() -> second.set("/a", Mark.PLAIN)).isInstanceOf(StandbyException.class);
    first.clear("/a/b");
    cluster.transitionToStandby(0);
    cluster.transitionToActive(1);
    assertThat(second.of("/a/b/f")).contains(new Marked("/a", Mark.PROTECTED));
    second.set("/a/b", Mark.PLAIN);
    assertThat(second.isProtected("/a/b/f")).isFalse();
    assertThat(second.isProtected("/a")).isTrue();
  }
}
