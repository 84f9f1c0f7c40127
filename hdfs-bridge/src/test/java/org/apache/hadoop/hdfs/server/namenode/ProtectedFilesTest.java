/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.update.FileRule;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles.FileView;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles.Trait;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles.Walk;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.util.Time;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The walk of the namespace: each file once, wherever a call ends, and what it tells of a file. */
@Timeout(300)
class ProtectedFilesTest {
  @TempDir static Path root;

  private static BridgeCluster cluster;
  private static DistributedFileSystem fs;
  private static ProtectedFiles files;

  @BeforeAll
  static void start() throws Exception {
    cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 2);
    fs = cluster.fs;
    files = new ProtectedFiles(cluster.cluster.getNamesystem());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void touch(String path) throws Exception {
    fs.create(path(path)).close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** HDFS throws what nobody expects where its path is looked up. */
  @Test
  void aFileThatWasRenamedAndDeletedUnderASnapshotIsNoFile() throws Exception {
    fs.mkdirs(path("/snapped"));
    fs.allowSnapshot(path("/snapped"));
    touch("/snapped/f");
    INode inode = cluster.cluster.getNamesystem().getFSDirectory().getINode("/snapped/f");
    fs.createSnapshot(path("/snapped"), "s");
    fs.rename(path("/snapped/f"), path("/renamed"));
    assertThat(files.look(inode.getId())).isPresent();
    fs.delete(path("/renamed"), false);
    assertThat(inode.getFullPathName()).isEqualTo("renamed");

    assertThat(files.look(inode.getId())).isEmpty();
    assertThat(new ReplicationCap(cluster.cluster.getNamesystem()).raise(inode.getId(), (short) 3))
        .isEqualTo(ReplicationCap.Raising.GONE);
    ProtectionMarks marks = new ProtectionMarks(cluster.cluster.getNamesystem());
    assertThat(marks.isProtected(inode.getFullPathName())).isFalse();
    assertThat(marks.isNoFile(inode.getFullPathName())).isTrue();
    assertThat(
            new UpdateFiles(cluster.cluster.getNameNode())
                .look(
                    inode.getId(),
                    "test",
                    new FileRule<Boolean>() {
                      @Override
                      public Boolean notAFile(String path) {
                        return false;
                      }

                      @Override
                      public Boolean decide(io.hdfsparity.bridge.update.FileView view) {
                        return true;
                      }
                    }))
        .isEmpty();
  }

  private static List<String> rest(Walk walk, int inodes) {
    List<String> found = new ArrayList<>();
    while (!walk.isOver()) {
      List<FileView> next = walk.next(inodes, 1);
      assertThat(next).hasSizeLessThanOrEqualTo(inodes);
      next.forEach(file -> found.add(file.path()));
    }
    return found;
  }

  @Test
  void eachFileIsSeenOnceInOrderWhereverACallEnds() throws Exception {
    Random random = new Random(7);
    TreeSet<String> made = new TreeSet<>(Comparator.comparing(name -> name.replace('/', '\0')));
    for (int i = 0; i < 60; i++) {
      StringBuilder name = new StringBuilder("/tree");
      for (int depth = random.nextInt(4); depth >= 0; depth--) {
        name.append("/d").append(random.nextInt(3));
      }
      name.append("/f").append(random.nextInt(9));
      touch(name.toString());
      made.add(name.toString());
    }
    fs.mkdirs(path("/tree/empty/below"));
    for (int inodes = 1; inodes < 9; inodes++) {
      assertThat(rest(files.walk("/tree"), inodes)).containsExactlyElementsOf(made);
    }
    Walk counted = files.walk("/tree");
    long sum = 0;
    while (!counted.isOver()) {
      sum += counted.count(7).files();
    }
    assertThat(sum).isEqualTo(made.size());
  }

  @Test
  void itGoesOnWhereTheTreeHasChanged() throws Exception {
    for (String name : List.of("/c/a/1", "/c/a/2", "/c/b/1", "/c/b/2", "/c/c/1")) {
      touch(name);
    }
    Walk walk = files.walk("/c");
    assertThat(walk.next(2, 1)).extracting(FileView::path).containsExactly("/c/a/1");
    fs.delete(path("/c/a"), true);
    touch("/c/b/0");
    assertThat(walk.next(2, 1)).extracting(FileView::path).containsExactly("/c/b/0");
    fs.rename(path("/c"), path("/moved"));
    fs.delete(path("/moved/b/1"), true);
    assertThat(rest(walk, 1)).containsExactly("/moved/b/2", "/moved/c/1");
    Walk gone = files.walk("/moved");
    fs.delete(path("/moved"), true);
    assertThat(rest(gone, 1)).isEmpty();
  }

  @Test
  void filesWrittenOfLateAreFoundWhereTheyMayHaveLostTheirParity() throws Exception {
    fs.mkdirs(path("/late"));
    new ProtectionMarks(cluster.cluster.getNamesystem()).set("/late", Mark.PROTECTED);
    touch("/late/two");
    touch("/late/old");
    fs.setTimes(path("/late/old"), 1_000, -1);
    touch("/late/three");
    fs.setReplication(path("/late/three"), (short) 3);
    touch("/other");
    List<Long> expected = new ArrayList<>(List.of(look("/late/two").inodeId()));
    try (var open = fs.create(path("/late/open"))) {
      open.write(1);
      open.hflush();
      fs.setReplication(path("/late/open"), (short) 3);
      expected.add(look("/late/open").inodeId());
      List<Long> found = new ArrayList<>();
      Walk walk = files.walk("/");
      while (!walk.isOver()) {
        found.addAll(walk.writtenSince(3, 2_000));
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void aFileIsARootToo() throws Exception {
    touch("/alone");
    assertThat(rest(files.walk("/alone"), 1)).containsExactly("/alone");
    assertThatThrownBy(() -> files.walk("/nowhere"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("/nowhere");
  }

  @Test
  void whatIsToldOfAFile() throws Exception {
    fs.mkdirs(path("/p"));
    new ProtectionMarks(cluster.cluster.getNamesystem()).set("/p", ProtectionMarks.Mark.PROTECTED);
    cluster.write("/p/two", new byte[BridgeCluster.BLOCK_BYTES + 10], 2);
    FileView two = files.walk("/p").next(9, 9).get(0);
    assertThat(two.traits()).containsExactly(Trait.PROTECTED);
    assertThat(two.replication()).isEqualTo(2);
    assertThat(two.bytes()).isEqualTo(BridgeCluster.BLOCK_BYTES + 10);
    assertThat(two.blocks()).hasSize(2).allMatch(block -> block.complete());
    assertThat(two.blocks().get(0).storageIds())
        .containsExactlyInAnyOrderElementsOf(cluster.storages("/p/two"));
    assertThat(two.blocks().get(1).lengthBytes()).isEqualTo(10);
    assertThat(two.blocks().get(0).generationStamp())
        .isEqualTo(cluster.block("/p/two").getGenerationStamp());

    try (FSDataOutputStream out = fs.create(path("/p/open"))) {
      out.write(1);
      out.hflush();
      FileView open = look("/p/open");
      assertThat(open.traits()).contains(Trait.OPEN);
      assertThat(open.blocks()).allMatch(block -> !block.complete());
    }
    assertThat(look("/p/open").traits()).doesNotContain(Trait.OPEN);
    touch("/outside");
    assertThat(look("/outside").traits()).isEmpty();
  }

  /** It may have been stopped: HDFS counts it as alive for ten minutes. */
  @Test
  void aNodeWithoutHeartbeatsIsToldOf() throws Exception {
    cluster.write("/silent", new byte[10], 2);
    assertThat(look("/silent").traits()).isEmpty();
    DataNode silent = cluster.cluster.getDataNodes().get(0);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(silent, true);
    DatanodeDescriptor node =
        cluster
            .cluster
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(silent.getDatanodeUuid());
    // A heartbeat may be on its way.
    Awaitility.await()
        .until(
            () -> {
              node.setLastUpdateMonotonic(Time.monotonicNow() - 60_000);
              return look("/silent").traits().equals(Set.of(Trait.STALE_REPORTS));
            });
    assertThat(look("/silent").blocks().get(0).storageIds()).hasSize(2);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(silent, false);
    Awaitility.await().until(() -> look("/silent").traits().isEmpty());
  }

  @Test
  void aSnapshotHoldsThreeReplicasAndAFileThatItAloneHasIsGone() throws Exception {
    fs.mkdirs(path("/s"));
    fs.create(path("/s/three"), (short) 3).close();
    fs.create(path("/s/two"), (short) 2).close();
    fs.create(path("/s/gone"), (short) 3).close();
    long gone = fs.getClient().getFileInfo("/s/gone").getFileId();
    fs.allowSnapshot(path("/s"));
    assertThat(look("/s/three").traits()).isEmpty();
    fs.createSnapshot(path("/s"), "one");
    fs.create(path("/s/later"), (short) 3).close();
    assertThat(look("/s/three").traits()).containsExactly(Trait.HELD_BY_SNAPSHOT);
    assertThat(look("/s/two").traits()).isEmpty();
    assertThat(look("/s/later").traits()).isEmpty();
    fs.setReplication(path("/s/three"), (short) 2);
    assertThat(look("/s/three").traits()).containsExactly(Trait.HELD_BY_SNAPSHOT);
    fs.delete(path("/s/gone"), false);
    assertThat(files.look(gone)).isEmpty();
    assertThat(files.look(1 << 30)).isEmpty();
  }

  private static FileView look(String path) throws Exception {
    return files.look(fs.getClient().getFileInfo(path).getFileId()).orElseThrow();
  }
}
