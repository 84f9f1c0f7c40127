/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A tree of files of codecs rs and izs in a cluster of processes, and what it must be. */
final class LevelTree {
  private static final List<String> CODECS = List.of("rs", "izs");
  private static final int GROUP_BYTES = MiniLevels.K << 20;

  private final LocalCluster cluster;
  private final String root;
  private final Map<String, byte[]> files = new LinkedHashMap<>();

  /** What a command printed. */
  record Answer(int code, String text) {}

  /**
   * Writes files at level 1, one of each codec of two groups.
   *
   * @param root of the tree
   * @param perCodec files of each codec
   */
  LevelTree(LocalCluster cluster, String root, int perCodec, Random random) throws IOException {
    this.cluster = cluster;
    this.root = root;
    try (DistributedFileSystem fs = fileSystem()) {
      for (String codec : CODECS) {
        MiniLevels.makeDirectory(fs, root + "/" + codec, MiniLevels.policy(codec, 1));
        for (int i = 0; i < perCodec; i++) {
          int length = i == 0 ? GROUP_BYTES + 12_345 : 1 + random.nextInt(200_000);
          byte[] bytes = new byte[length];
          random.nextBytes(bytes);
          String path = root + "/" + codec + "/d" + i % 3 + "/f" + i;
          MiniLevels.write(fs, path, bytes);
          files.put(path, bytes);
        }
      }
    }
  }

  static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .pollInterval(Duration.ofMillis(100))
        // A NameNode that was killed leaves a connection behind, whose next call fails.
        .ignoreExceptionsInstanceOf(IOException.class);
  }

  int size() {
    return files.size();
  }

  DistributedFileSystem fileSystem() throws IOException {
    return (DistributedFileSystem) cluster.newFileSystem();
  }

  /** Adds and enables the policies of all levels of all codecs. */
  static void addPolicies(LocalCluster cluster) throws IOException {
    try (DistributedFileSystem fs = (DistributedFileSystem) cluster.newFileSystem()) {
      for (String codec : CODECS) {
        MiniLevels.addPolicies(fs, codec);
      }
    }
  }

  /** Runs {@code hdfs izs -setLevel <level> <root> -R} once. */
  Answer setLevel(int level) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      int code =
          ToolRunner.run(
              new IzsAdmin(cluster.conf(), out, out),
              new String[] {"-setLevel", String.valueOf(level), root, "-R"});
      return new Answer(code, text.toString(StandardCharsets.UTF_8));
    } catch (Exception e) {
      return new Answer(-1, text.toString(StandardCharsets.UTF_8) + e);
    }
  }

  /** Runs it again until every file has the level; DataNodes report in full in between. */
  void finish(int level) {
    await("all at level " + level)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              Answer answer = setLevel(level);
              if (answer.code() != 0) {
                reportBlocks();
              }
              assertThat(answer.code()).as(answer.text()).isZero();
            });
  }

  void reportBlocks() throws Exception {
    try (DistributedFileSystem fs = fileSystem()) {
      reportBlocks(cluster.conf(), fs);
    }
  }

  /** Full reports, which lowering needs after a failover ({@code dfsadmin -triggerBlockReport}). */
  static void reportBlocks(Configuration conf, DistributedFileSystem fs) throws Exception {
    for (DatanodeInfo node : fs.getDataNodeStats()) {
      int code =
          ToolRunner.run(
              new DFSAdmin(conf), new String[] {"-triggerBlockReport", node.getIpcAddr(false)});
      assertThat(code).isZero();
    }
  }

  /** How many files have a level. */
  int count(int level) throws IOException {
    int count = 0;
    try (DistributedFileSystem fs = fileSystem()) {
      for (String codec : CODECS) {
        for (int i = 0; i < 3; i++) {
          for (FileStatus each : fs.listStatus(new Path(root + "/" + codec + "/d" + i))) {
            count += levelOf(each) == level ? 1 : 0;
          }
        }
      }
    }
    return count;
  }

  private static int levelOf(FileStatus file) {
    return ((HdfsFileStatus) file).getErasureCodingPolicy().getNumParityUnits();
  }

  /**
   * Waits until nothing is torn, and each file has exactly the units of one of the two levels;
   * refuses any other level at once.
   */
  void awaitWhole(Set<Integer> levels) {
    await("files are whole at " + levels)
        .untilAsserted(
            () -> {
              try (DistributedFileSystem fs = fileSystem()) {
                assertThat(openFiles(fs)).isEmpty();
                List<String> notWhole = new ArrayList<>();
                for (String path : files.keySet()) {
                  FileStatus status = fs.getFileStatus(new Path(path));
                  int level = levelOf(status);
                  if (!levels.contains(level) || status.getLen() != files.get(path).length) {
                    throw new IllegalStateException(path + " at level " + level + ": " + status);
                  }
                  notWhole.addAll(wrongGroups(fs, path, level));
                }
                assertThat(notWhole).isEmpty();
              }
            });
  }

  private static List<String> openFiles(DistributedFileSystem fs) throws IOException {
    List<String> open = new ArrayList<>();
    RemoteIterator<OpenFileEntry> entries =
        fs.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/");
    while (entries.hasNext()) {
      open.add(entries.next().getFilePath());
    }
    return open;
  }

  private static List<String> wrongGroups(DistributedFileSystem fs, String path, int level)
      throws IOException {
    List<String> wrong = new ArrayList<>();
    for (LocatedBlock group :
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      Set<Integer> want = new TreeSet<>();
      long cells = (group.getBlockSize() - 1) / MiniLevels.CELL_BYTES + 1;
      for (int unit = 0; unit < MiniLevels.K + level; unit++) {
        if (unit < cells || unit >= MiniLevels.K) {
          want.add(unit);
        }
      }
      Set<Integer> has = new TreeSet<>();
      for (byte unit : ((LocatedStripedBlock) group).getBlockIndices()) {
        has.add((int) unit);
      }
      if (!has.equals(want)) {
        wrong.add(path + " level=" + level + " units=" + has + ", expected " + want);
      }
    }
    return wrong;
  }

  /** All bytes are as written. */
  void assertBytes(String when) throws IOException {
    try (DistributedFileSystem fs = fileSystem()) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        byte[] read = new byte[file.getValue().length];
        try (FSDataInputStream in = fs.open(new Path(file.getKey()))) {
          in.readFully(read);
        }
        assertThat(Arrays.equals(read, file.getValue())).as(file.getKey() + " " + when).isTrue();
      }
    }
  }

  /** All bytes are as written, while as many DataNodes are dead as the level promises. */
  void assertBytesWithout(int nodes, Random random) throws IOException {
    List<String> dead = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      order.add(node);
    }
    Collections.shuffle(order, random);
    for (int node : order.subList(0, nodes)) {
      dead.add("dn" + node);
      cluster.kill("dn" + node);
    }
    assertBytes("without " + dead);
    cluster.restart(dead);
  }

  /** Writes an image, so that the next start reads no edits of the changes before. */
  void saveImage() throws IOException {
    try (DistributedFileSystem fs = fileSystem()) {
      fs.setSafeMode(SafeModeAction.ENTER);
      fs.saveNamespace();
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }
}
