/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.verify.VerifiableGroup;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.ParityGroups;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Parity is verified after a file is closed, and what does not fit is encoded from the data. */
@Tag("full")
class VerifiedParityTest {
  private static final int CELL = 64 * 1024;
  private static final int LENGTH = 3 * 4 * CELL - 999;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static RepairCluster cluster;
  private static Configuration conf;
  private static int port;
  private static DistributedFileSystem suite;
  private static DistributedFileSystem foreign;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 16L * CELL);
    port = FreePorts.next();
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + port);
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(VerifyKey.INTERVAL.key(), "100ms");
    conf.set(VerifyKey.POLL.key(), "100ms");
    conf.set(VerifyKey.RETRY.key(), "500ms");
    conf.set(VerifyKey.SAVE_INTERVAL.key(), "200ms");
    // One more than units at level 2, none at level 3.
    cluster = RepairCluster.start(root, conf, 7);
    Configuration client = new Configuration(conf);
    client.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    suite = (DistributedFileSystem) FileSystem.newInstance(cluster.cluster().getURI(), client);
    foreign =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.cluster().getURI(), ForeignCoders.use(conf));
  }

  @AfterAll
  static void stop() throws IOException {
    foreign.close();
    suite.close();
    cluster.close();
  }

  private static org.apache.hadoop.fs.Path directory(int level) throws IOException {
    return cluster.directory("izs", 4, level, CELL);
  }

  private static VerifyStatus status() throws IOException {
    try (LevelClient client =
        new LevelClient(new InetSocketAddress("127.0.0.1", port), conf, 30_000)) {
      return client.status().verification();
    }
  }

  /** Nothing is left to be verified, and so many groups more than before were. */
  private static VerifyStatus awaitVerified(VerifyStatus before, int groups) {
    VerifyStatus[] now = new VerifyStatus[1];
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              now[0] = status();
              assertThat(now[0].problem()).isEmpty();
              assertThat(now[0].isRunning()).isTrue();
              assertThat(now[0].verified() - before.verified()).isEqualTo(groups);
              assertThat(now[0].unverified()).isZero();
              assertThat(now[0].idsLeft()).isZero();
            });
    return now[0];
  }

  private static void writeForeign(Kind kind, org.apache.hadoop.fs.Path file, byte[] content)
      throws IOException {
    try (OutputStream out = ForeignCoders.as(kind, () -> foreign.create(file))) {
      out.write(content);
    }
  }

  private static Map<Integer, byte[]> stored(Group group) throws IOException {
    Map<Integer, byte[]> units = new HashMap<>();
    for (var each : group.nodes().entrySet()) {
      units.put(each.getKey(), group.stored(each.getKey(), each.getValue()).data());
    }
    return units;
  }

  private static void assertUnits(Group group, Group as) {
    await(group.file().toString())
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              Map<Integer, byte[]> expected = stored(as);
              Map<Integer, byte[]> found = stored(group);
              assertThat(found).hasSameSizeAs(expected);
              expected.forEach(
                  (unit, bytes) ->
                      assertThat(found.get(unit)).as("unit %s", unit).isEqualTo(bytes));
            });
  }

  private static byte[] read(org.apache.hadoop.fs.Path file) throws IOException {
    byte[] bytes = new byte[LENGTH];
    try (FSDataInputStream in = suite.open(file)) {
      in.readFully(0, bytes);
    }
    return bytes;
  }

  /** Moves no data at level 1, where checksums say everything. */
  @Test
  void soundParityIsVerifiedAndLeftAlone() throws IOException {
    VerifyStatus before = status();
    long bytes = cluster.repairMetric("VerifiedBytes");
    Group simple = cluster.write(directory(1), "sound", LENGTH);
    VerifyStatus after = awaitVerified(before, 1);
    assertThat(cluster.repairMetric("VerifiedBytes")).isEqualTo(bytes);
    Group other = cluster.write(directory(3), "sound", LENGTH);
    after = awaitVerified(after, 1);
    assertThat(cluster.repairMetric("VerifiedBytes")).isGreaterThan(bytes + LENGTH);
    assertThat(after.wrongParity()).isEqualTo(before.wrongParity());
    assertThat(after.unitsReencoded()).isEqualTo(before.unitsReencoded());
    simple.assertAsWritten();
    other.assertAsWritten();
  }

  private record Wrong(int level, Kind kind, List<Integer> units) {}

  private static final List<Wrong> WRONG =
      List.of(
          new Wrong(1, Kind.REED_SOLOMON, List.of(4)),
          new Wrong(2, Kind.REED_SOLOMON, List.of(4, 5)),
          new Wrong(2, Kind.LAST_WRONG, List.of(5)),
          new Wrong(3, Kind.REED_SOLOMON, List.of(4, 5, 6)),
          new Wrong(3, Kind.LAST_WRONG, List.of(6)));

  @Test
  void wrongParityIsFoundAndEncodedFromTheData() throws Exception {
    for (Wrong wrong : WRONG) {
      VerifyStatus before = status();
      String name = wrong.kind() + "-" + wrong.level();
      Group sound = cluster.write(directory(wrong.level()), "twin-of-" + name, LENGTH);
      before = awaitVerified(before, 1);
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(directory(wrong.level()), name);
      LogCapturer log =
          LogCapturer.captureLogs(
              LoggerFactory.getLogger("io.hdfsparity.izs.namenode.verify.WrongParity"));
      try {
        writeForeign(wrong.kind(), file, sound.content());
        VerifyStatus after = awaitVerified(before, 1);
        assertThat(after.wrongParity() - before.wrongParity()).as(name).isEqualTo(1);
        assertThat(after.unitsReencoded() - before.unitsReencoded())
            .as(name)
            .isEqualTo(wrong.units().size());
        assertThat(log.getOutput())
            .contains("Parity units " + wrong.units() + " of block group")
            .contains("file=" + file.toUri().getPath())
            .contains("writer=DFSClient_NONMAPREDUCE_")
            .contains(" of " + UserGroupInformation.getCurrentUser().getShortUserName() + "@127.");
      } finally {
        log.stopCapturing();
      }
      Group group = cluster.new Group(file, sound.content());
      assertUnits(group, sound);
      group.lose(1);
      assertThat(read(file)).as("without unit 1").isEqualTo(sound.content());
      group.awaitAsWritten();
    }
  }

  /**
   * Two parity units agree that a data unit is another one: whoever is right, nothing is changed.
   */
  @Test
  void dataThatIsSuspectedStays() throws IOException {
    VerifyStatus before = status();
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory(2), "suspected");
    byte[] content = cluster.write(directory(2), "for-suspected", LENGTH).content();
    VerifyStatus twin = awaitVerified(before, 1);
    LogCapturer log =
        LogCapturer.captureLogs(
            LoggerFactory.getLogger("io.hdfsparity.izs.namenode.verify.WrongParity"));
    try {
      writeForeign(Kind.OTHER_DATA, file, content);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(status().suspectedData()).isEqualTo(twin.suspectedData() + 1));
      assertThat(log.getOutput()).contains("data unit [1]", "file=" + file.toUri().getPath());
    } finally {
      log.stopCapturing();
    }
    assertThat(status().unitsReencoded()).isEqualTo(twin.unitsReencoded());
    assertThat(cluster.new Group(file, content).nodes()).hasSize(6);
  }

  @Test
  void statusShowsHowManyAreUnverified() throws IOException {
    VerifyStatus before = status();
    cluster.write(directory(2), "shown", LENGTH);
    awaitVerified(before, 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    Configuration client = new Configuration(cluster.cluster().getConfiguration(0));
    assertThat(new IzsAdmin(client, print, print).run(new String[] {"-status"})).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("parity: 0 groups unverified")
        .contains("wrong");
    out.reset();
    assertThat(new IzsAdmin(client, print, print).run(new String[] {"-status", "-json"})).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).replace(" ", ""))
        .contains("\"verification\":{", "\"unverified\":0", "\"running\":true");
  }

  @Test
  void onlyDataNodesTakeAndReportAndOnlyWhatTheyWereGiven() throws Exception {
    String uuid = cluster.cluster().getDataNodes().get(0).getDatanodeUuid();
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"people"});
    mallory.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (LevelClient client =
                  new LevelClient(new InetSocketAddress("127.0.0.1", port), conf, 30_000)) {
                assertThatThrownBy(() -> client.takeGroups(uuid))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.reportGroups(uuid, List.of()))
                    .isInstanceOf(AccessControlException.class);
              }
              return null;
            });
    VerifyStatus before = status();
    Group group = cluster.write(directory(2), "hostile", LENGTH);
    VerifyStatus verified = awaitVerified(before, 1);
    try (LevelClient client =
        new LevelClient(new InetSocketAddress("127.0.0.1", port), conf, 30_000)) {
      assertThatThrownBy(() -> client.takeGroups("nobody"))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("uuid=nobody");
      VerifyReport forged =
          new VerifyReport(
              1,
              group.block(0).getBlockId(),
              VerifyReport.Finding.WRONG_PARITY,
              true,
              List.of(4, 5),
              0,
              "forged");
      client.reportGroups(uuid, List.of(forged));
      List<VerifyReport> many = Collections.nCopies(101, forged);
      assertThatThrownBy(() -> client.reportGroups(uuid, many))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reports=101");
    }
    assertThat(Metrics.value("IzsVerify", "LateReports")).isPositive();
    assertThat(status().unitsReencoded()).isEqualTo(verified.unitsReencoded());
    group.assertAsWritten();
  }

  /** A DataNode of a registered id that reports data units, or units that there are not. */
  @Test
  void noReportMakesTheNameNodeDropData() throws Exception {
    VerifyStatus before = status();
    Group group = cluster.write(directory(2), "liar", LENGTH);
    awaitVerified(before, 1);
    ParityGroups groups = new ParityGroups(cluster.cluster().getNameNode());
    VerifiableGroup found = groups.describe(group.block(0).getBlockId()).orElseThrow();
    assertThat(found.obstacle()).isEmpty();
    for (List<Integer> units : List.of(List.of(0), List.of(3, 4), List.of(6), List.of(-1))) {
      assertThatThrownBy(() -> groups.drop(found, units))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot drop parity: unit=");
    }
    cluster.fs().setTimes(group.file(), 12_345, -1);
    assertThat(groups.drop(found, List.of(5))).as("of a file that was changed").isEmpty();
    group.assertAsWritten();
  }

  @Test
  void filesThatAreDeletedOrMadeAgainMeanwhileAreForgotten() throws IOException {
    for (int i = 0; i < 30; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory(2), "gone" + i);
      writeForeign(Kind.REED_SOLOMON, file, new byte[] {1, 2, 3});
      if (i % 2 == 0) {
        assertThat(cluster.fs().delete(file, false)).isTrue();
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              VerifyStatus now = status();
              assertThat(now.unverified() + now.idsLeft()).isZero();
              assertThat(now.problem()).isEmpty();
            });
  }
}
