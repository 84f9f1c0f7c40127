/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.config.AccessKey;
import io.hdfsparity.izs.namenode.access.AccessAuditLogger;
import io.hdfsparity.izs.namenode.access.AccessFeature;
import io.hdfsparity.izs.wire.access.AccessClient;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accesses go from the audit stream into the history, and from there into advice. */
@Tag("full")
class IzsAdviseTest {
  private static final String TABLE =
      """
      mapping 1
      window 1h
      settle 1m
      class important tolerates 1
      frequency high from 1
      frequency low from 0
      rule important high Mirroring -> replication 2
      rule important low RS(k+1,k) -> ec RS-6-3-1024k
      """;

  private static final long PERIOD_MS = 1000;

  @TempDir java.nio.file.Path dir;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Configuration conf() throws Exception {
    java.nio.file.Path table = dir.resolve("table.conf");
    Files.writeString(table, TABLE);
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
        "default," + AccessAuditLogger.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), AccessFeature.class.getName());
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    conf.set(AccessKey.DIRECTORY.key(), dir.resolve("history").toString());
    conf.set(AccessKey.FLUSH.key(), "100ms");
    conf.set(AccessKey.PERIOD.key(), PERIOD_MS + "ms");
    conf.set(AccessKey.PERIODS.key(), "3600");
    conf.set(AccessKey.MAPPING_FILE.key(), table.toString());
    return conf;
  }

  private int run(Configuration conf, ByteArrayOutputStream out, String... args) {
    err.reset();
    return new IzsAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(args);
  }

  private JsonNode advice(Configuration conf, String path) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = run(conf, out, "-advise", path, "-json");
    assertThat(code).as("%s", err).isZero();
    return new ObjectMapper().readTree(out.toByteArray()).at("/files/0");
  }

  private static void read(DistributedFileSystem fs, Path path) throws Exception {
    try (FSDataInputStream in = fs.open(path)) {
      assertThat(in.read()).isGreaterThanOrEqualTo(0);
    }
  }

  /** Accesses count of periods that began after a file was written. */
  private static void awaitNextPeriod() {
    long writtenIn = System.currentTimeMillis() / PERIOD_MS;
    await().until(() -> System.currentTimeMillis() / PERIOD_MS > writtenIn);
  }

  private static long counted(Configuration conf, Path file) throws Exception {
    String path = file.toString();
    InetSocketAddress address =
        NetUtils.createSocketAddr(conf.get(SuiteKey.NAMENODE_RPC_ADDRESS.key()));
    try (AccessClient client = new AccessClient(address, conf, 30_000)) {
      return client.counts(List.of(path)).counts().getOrDefault(path, List.of()).stream()
          .mapToLong(Integer::longValue)
          .sum();
    }
  }

  @Test
  void accessesBecomeAdviceAndOutliveARestart() throws Exception {
    Configuration conf = conf();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, new File(dir.toFile(), "dfs"))
            .nameNodePort(FreePorts.next())
            .numDataNodes(3)
            .build()) {
      DistributedFileSystem fs = cluster.getFileSystem();
      Configuration client = new Configuration(conf);
      client.set("fs.defaultFS", fs.getUri().toString());
      Path file = new Path("/archive/a/file");
      DFSTestUtil.createFile(fs, file, 100_000, (short) 3, 1);
      ByteArrayOutputStream out = new ByteArrayOutputStream();

      assertThat(run(client, out, "-importance", "dear", "/archive")).isEqualTo(-1);
      assertThat(run(client, out, "-importance", "important", "/archive")).isZero();
      awaitNextPeriod();
      for (int i = 0; i < 20; i++) {
        read(fs, file);
      }
      // One for the creation.
      await().until(() -> counted(client, file) == 21);
      assertThat(advice(client, file.toString()).path("accesses").asInt()).isBetween(20, 21);
      JsonNode undecided = advice(client, file.toString());
      assertThat(undecided.path("verdict").asText()).isEqualTo("UNDECIDED");
      assertThat(undecided.path("why").asText()).contains("accesses were watched for");
      assertThat(undecided.path("importanceFrom").asText()).isEqualTo("/archive");

      cluster.restartNameNode(0);
      // The connection that is kept from before the restart ends with an EOFException, once.
      await()
          .until(() -> run(client, new ByteArrayOutputStream(), "-advise", file.toString()) == 0);
      fs.rename(new Path("/archive/a"), new Path("/archive/b"));
      Path moved = new Path("/archive/b/file");
      await().ignoreException(EOFException.class).until(() -> counted(client, moved) == 21);
      // Watched for a minute at last: hot enough for two copies.
      await()
          .until(
              () ->
                  advice(client, moved.toString())
                      .path("verdict")
                      .asText()
                      .equals("SET_REPLICATION"));
      JsonNode decided = advice(client, moved.toString());
      assertThat(decided.path("should").asText()).isEqualTo("replication 2");
      assertThat(decided.path("rawBytesNow").asLong()).isEqualTo(300_000);
      assertThat(decided.path("rawBytesThen").asLong()).isEqualTo(200_000);

      fs.setXAttr(moved, "user.parity.importance", "nonsense".getBytes(StandardCharsets.UTF_8));
      assertThat(run(client, out, "-advise", "/archive", "-R")).isEqualTo(-1);
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("importance=nonsense, expected one of");
      assertThat(run(client, out, "-importance", "none", moved.toString())).isZero();
      fs.delete(moved, false);
      DFSTestUtil.createFile(fs, moved, 10, (short) 3, 1);
      await().until(() -> counted(client, moved) == 1);
    }
  }
}
