/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MovePoints.Point;
import io.hdfsparity.izs.config.AccessKey;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.namenode.access.AccessAuditLogger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** A cluster whose files get other forms by {@code -apply}: each class of importance is a form. */
final class MiniApply implements AutoCloseable {
  static final String WORK = "/.izs-apply";

  /** Length of the files of most tests: a group and a part of one. */
  static final int BYTES = MiniLevels.GROUP_BYTES + 54_321;

  private static final String TABLE =
      """
      mapping 1
      class code tolerates 1
      class strong tolerates 2
      class copies tolerates 1
      class pair tolerates 2
      class absent tolerates 1
      frequency any-number from 0
      rule code any RS(k+1,k) -> ec RS-4-1-16k
      rule strong any RS(k+2,k) -> ec RS-4-2-16k
      rule copies any Mirroring -> replication 2
      rule pair any Mirroring+RS(k+1,k) -> raidp
      rule absent any RS(k+1,k) -> ec XOR-2-1-1024k
      """;

  private final MiniDFSCluster cluster;
  private final Configuration client;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Optional<MiniLevels> levels = Optional.empty();

  private MiniApply(MiniDFSCluster cluster, Configuration client) {
    this.cluster = cluster;
    this.client = new Configuration(client);
  }

  /**
   * @param levelManager class of the feature
   */
  static MiniApply start(java.nio.file.Path root, Class<?> levelManager) throws IOException {
    return start(root, levelManager, Map.of());
  }

  /**
   * @param levelManager class of the feature
   * @param more keys of the configuration
   */
  static MiniApply start(java.nio.file.Path root, Class<?> levelManager, Map<String, String> more)
      throws IOException {
    Configuration conf = MiniLevels.conf();
    more.forEach(conf::set);
    configure(conf, root, "RS", levelManager);
    MiniLevels levels = MiniLevels.start(conf, root.resolve("dfs"), MiniLevels.K + 2);
    MiniApply apply = on(levels.cluster(), conf);
    apply.levels = Optional.of(levels);
    MiniLevels.addPolicies(apply.fs(), "rs");
    return apply;
  }

  /**
   * The commands on a cluster that somebody else has started and will end.
   *
   * @param conf of clients, with what {@link #configure} sets
   */
  static MiniApply on(MiniDFSCluster cluster, Configuration conf) throws IOException {
    MiniApply apply = new MiniApply(cluster, conf);
    apply.client.set("fs.defaultFS", cluster.getFileSystem().getUri().toString());
    return apply;
  }

  /**
   * What NameNode and commands need.
   *
   * @param codec of the policies in the rule table, in upper case
   * @param levelManager class of the feature
   */
  static void configure(
      Configuration conf, java.nio.file.Path root, String codec, Class<?> levelManager)
      throws IOException {
    java.nio.file.Path table = root.resolve("table.conf");
    Files.writeString(table, TABLE.replace("ec RS-", "ec " + codec + "-"));
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
        "default," + AccessAuditLogger.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "izs," + levelManager.getName());
    conf.set(AccessKey.DIRECTORY.key(), root.resolve("history").toString());
    conf.set(AccessKey.MAPPING_FILE.key(), table.toString());
    conf.set(ApplyKey.SETTLE_TIMEOUT.key(), "60s");
    conf.set(LevelKey.ADMIN_TIMEOUT.key(), "60s");
  }

  MiniLevels levels() {
    return levels.orElseThrow();
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** What a client is configured with. */
  Configuration conf() {
    return client;
  }

  @Override
  public void close() {
    levels.ifPresent(MiniLevels::close);
  }

  /** Sets the class of a path, and with it the form that it should have. */
  void want(String path, String form) throws IOException {
    fs().setXAttr(new Path(path), "user.parity.importance", form.getBytes(StandardCharsets.UTF_8));
  }

  /** What a run printed. */
  record Run(int code, JsonNode doc, String err) {
    String result(String path) {
      for (JsonNode each : doc.path("files")) {
        if (each.path("path").asText().equals(path)) {
          return each.path("result").asText() + " " + each.path("reason").asText();
        }
      }
      return "nothing";
    }

    long refusals(String kind) {
      for (JsonNode each : doc.at("/summary/refusals")) {
        if (each.path("kind").asText().equals(kind)) {
          return each.path("files").asLong();
        }
      }
      return 0;
    }

    long changed(String verdict) {
      return doc.at("/summary/changed/" + verdict).asLong();
    }
  }

  /** Runs -apply with JSON, where no stream is open since before that matters. */
  Run apply(Configuration conf, MovePoints points, String... args) throws IOException {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("-acceptStaleReaders");
    return applyAsAsked(conf, points, all);
  }

  /** Runs -apply with JSON, as one does who has not read of streams that are open. */
  Run applyAsAsked(Configuration conf, MovePoints points, List<String> args) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> all = new ArrayList<>(List.of("-apply"));
    all.addAll(args);
    all.add("-json");
    int code = run(conf, points, out, all.toArray(new String[0]));
    return new Run(
        code, new ObjectMapper().readTree(out.toByteArray()), err.toString(StandardCharsets.UTF_8));
  }

  Run apply(String... args) throws IOException {
    return apply(client, MovePoints.NONE, args);
  }

  int run(Configuration conf, MovePoints points, ByteArrayOutputStream out, String... args) {
    err.reset();
    return new IzsAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            points)
        .run(args);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Policy of a file, or its number of copies. */
  String form(String path) throws IOException {
    HdfsFileStatus status = (HdfsFileStatus) fs().getFileStatus(new Path(path));
    return status.getErasureCodingPolicy() == null
        ? "replication " + status.getReplication()
        : "ec " + status.getErasureCodingPolicy().getName();
  }

  void assertBytes(String path, byte[] bytes) throws IOException {
    assertThat(fs().getFileStatus(new Path(path)).getLen()).as(path).isEqualTo(bytes.length);
    assertThat(MiniLevels.read(fs(), path, bytes.length)).as(path).isEqualTo(bytes);
  }

  /** Writes a file of {@link #BYTES} and with so many copies. */
  byte[] write(String path, int replication, long seed) throws IOException {
    byte[] bytes = MiniLevels.bytes(BYTES, seed);
    try (FSDataOutputStream out = fs().create(new Path(path), (short) replication)) {
      out.write(bytes);
    }
    return bytes;
  }

  static byte[] append(byte[] bytes, int more) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    longer[bytes.length] = (byte) more;
    return longer;
  }

  /** What a test does at a point of a move. */
  interface Doing {
    void run() throws Exception;
  }

  /** Does something once, when a move comes to a point. */
  static MovePoints at(Point wanted, Doing doing) {
    AtomicBoolean done = new AtomicBoolean();
    return point -> {
      if (point == wanted && done.compareAndSet(false, true)) {
        try {
          doing.run();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    };
  }

  /** Copies in the work folder. */
  List<String> leftovers() throws IOException {
    List<String> names = new ArrayList<>();
    // The place of copies of form raidp stays.
    for (String folder : List.of(WORK, WORK + "/protected")) {
      if (fs().exists(new Path(folder))) {
        for (FileStatus each : fs().listStatus(new Path(folder))) {
          String name = each.getPath().getName();
          if (!name.equals("lock") && !(name.equals("protected") && each.isDirectory())) {
            names.add(name);
          }
        }
      }
    }
    return names;
  }
}
