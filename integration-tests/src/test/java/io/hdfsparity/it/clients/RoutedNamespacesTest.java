/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.admin.IzsAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of two namespaces through one Router, which sends all paths by inode to the first: ids of
 * files and of block groups begin at the same number in both.
 */
@Tag("full")
@Tag("clients")
@Timeout(600)
class RoutedNamespacesTest {
  private static final String REORDERED = "/b/reordered";
  private static final String STRIPED = "/b/striped";
  private static final String LATE = "/b/late";

  @TempDir static java.nio.file.Path root;
  private static TwoNamespaces clusters;
  private static DistributedFileSystem routed;
  private static TestFile reordered;
  private static TestFile striped;
  private static TestFile late;

  /** Of the first namespace, with inode, form and block groups of {@link #STRIPED}. */
  private static TestFile twin;

  /** Of the first namespace, with groups that have the ids of others, and another form. */
  private static TestFile otherForm;

  @BeforeAll
  static void start() throws Exception {
    clusters = new TwoNamespaces(root);
    DistributedFileSystem first = clusters.first();
    DistributedFileSystem second = clusters.second();
    striped = TwoNamespaces.write(second, STRIPED, TwoNamespaces.POLICY, "striped");
    reordered = TwoNamespaces.write(second, REORDERED, TwoNamespaces.POLICY, "reordered");
    clusters.organize(REORDERED);
    assertThat(second.getXAttrs(new Path(REORDERED))).containsKey(LayoutPointer.XATTR);
    clusters.advanceTo(TwoNamespaces.inode(second, STRIPED));
    twin = TwoNamespaces.write(first, "/twin", TwoNamespaces.POLICY, "twin");
    assertThat(TwoNamespaces.inode(first, "/twin")).isEqualTo(TwoNamespaces.inode(second, STRIPED));
    assertThat(group(first, "/twin")).isEqualTo(group(second, STRIPED));
    otherForm = TwoNamespaces.write(first, "/xor", TwoNamespaces.OTHER_POLICY, "xor");
    clusters.advanceTo(TwoNamespaces.inode(second, REORDERED) + 1);
    late = TwoNamespaces.write(second, LATE, TwoNamespaces.POLICY, "late");
    routed = clusters.routed();
  }

  @AfterAll
  static void stop() throws Exception {
    routed.close();
    clusters.close();
  }

  private static long group(DistributedFileSystem fs, String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0).get(0).getBlock().getBlockId();
  }

  private static byte[] read(DistributedFileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  private static byte[] readPositional(DistributedFileSystem fs, String path) throws IOException {
    byte[] bytes = new byte[TwoNamespaces.LENGTH];
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(0, bytes);
    }
    return bytes;
  }

  /** Else streams at a NameNode would lose their path by inode, or cost a call more. */
  @Test
  void aNameNodeIsKnownFromARouter() throws Exception {
    assertThat(InodePaths.of(clusters.second().getClient()).isOneNamespace()).isTrue();
    assertThat(InodePaths.of(routed.getClient()).isOneNamespace()).isFalse();
  }

  @Test
  void aReorderedFileIsReadInItsOwnOrder() throws Exception {
    assertThat(read(routed, REORDERED)).isEqualTo(reordered.bytes());
    assertThat(readPositional(routed, REORDERED)).isEqualTo(reordered.bytes());
  }

  @Test
  void aFileOfManyBlockGroupsIsReadToItsEnd() throws Exception {
    assertThat(read(routed, STRIPED)).isEqualTo(striped.bytes());
    assertThat(readPositional(routed, STRIPED)).isEqualTo(striped.bytes());
  }

  @Test
  void aFileWhoseInodeTheFirstNamespaceDoesNotHaveIsRead() throws Exception {
    assertThat(read(routed, LATE)).isEqualTo(late.bytes());
  }

  /** One client, by turns. */
  @Test
  void filesOfBothNamespacesAreReadWhateverIdsTheirGroupsHave() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThat(read(routed, STRIPED)).isEqualTo(striped.bytes());
      assertThat(read(routed, "/xor")).isEqualTo(otherForm.bytes());
      assertThat(read(routed, "/twin")).isEqualTo(twin.bytes());
      assertThat(read(routed, REORDERED)).isEqualTo(reordered.bytes());
    }
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    TestFile file = TwoNamespaces.write(routed, "/b/written", TwoNamespaces.POLICY, "written");
    assertThat(read(routed, file.path())).isEqualTo(file.bytes());
    assertThat(read(clusters.second(), file.path())).isEqualTo(file.bytes());
  }

  /** It was opened before another file came to its path, and has not located all its blocks. */
  @Test
  void aStreamStaysWithItsFile() throws Exception {
    DistributedFileSystem second = clusters.second();
    String path = "/b/replaced";
    TestFile file = TwoNamespaces.write(second, path, TwoNamespaces.POLICY, "before");
    try (FSDataInputStream in = routed.open(new Path(path))) {
      assertThat(in.readNBytes(10)).isEqualTo(java.util.Arrays.copyOf(file.bytes(), 10));
      second.rename(new Path(path), new Path("/b/elsewhere"));
      TwoNamespaces.write(second, path, TwoNamespaces.POLICY, "after");
      byte[] bytes = new byte[TwoNamespaces.LENGTH];
      in.readFully(0, bytes);
      assertThat(bytes).isEqualTo(file.bytes());
    }
  }

  /** Then it asks for locations again, and would find the first namespace's. */
  @Test
  void aStreamThatLosesADataNodeStaysWithItsFile() throws Exception {
    try (FSDataInputStream in = routed.open(new Path(STRIPED))) {
      MiniDFSCluster.DataNodeProperties stopped = clusters.stopDataNode();
      try {
        byte[] bytes = new byte[TwoNamespaces.LENGTH];
        in.readFully(0, bytes);
        assertThat(bytes).isEqualTo(striped.bytes());
      } finally {
        clusters.startAgain(stopped);
      }
    }
  }

  @Test
  void whatDoesNotGoWithAReorderedFileIsRefused() throws Exception {
    Path path = new Path(REORDERED);
    assertThat(routed.getFileChecksum(path)).isNull();
    assertThat(routed.getFileChecksum(new Path(STRIPED))).isNotNull();
    assertThatThrownBy(() -> routed.append(path).close()).hasMessageContaining("order=stored");
    assertThatThrownBy(() -> routed.truncate(path, 1)).hasMessageContaining("order=stored");
  }

  @Test
  void aHandleThatCannotBeFollowedSaysWhy() throws Exception {
    assertThatThrownBy(
            () ->
                routed.open(
                    routed.getPathHandle(
                        routed.getFileStatus(new Path(REORDERED)), HandleOpt.exact())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Router");
    try (FSDataInputStream in =
        routed.open(
            routed.getPathHandle(routed.getFileStatus(new Path("/twin")), HandleOpt.exact()))) {
      assertThat(in.readAllBytes()).isEqualTo(twin.bytes());
    }
  }

  /** Else they would be about whatever file the NameNode has at that path or inode. */
  @Test
  void commandsAreRefusedThatNeedTheNameNode() throws Exception {
    assertThat(clusters.organize(clusters.routedConf(), STRIPED)).contains("Router");
    assertThatThrownBy(() -> FileUpdates.open(routed, new Path(STRIPED), UpdaterOptions.standard()))
        .hasMessageContaining("Router");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    new IzsAdmin(clusters.routedConf(), out, out).run(new String[] {"-setLevel", "1", STRIPED});
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("Router");
  }
}
