/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.verify.VerifiableGroup;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.verify.ProgressFormat;
import io.hdfsparity.izs.verify.VerifyProgress;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
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
  private static final int LENGTH =
      3 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES - 999;

  private static final String ATTRIBUTE = "trusted.parity.izs.verified";

  private static VerifyingCluster verifying;
  private static RepairCluster cluster;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    // One more than units at level 2, none at level 3.
    // Over when a test asks: it is not why contradictory parity is not believed.
    verifying = VerifyingCluster.start(root, 7, Map.of(VerifyKey.REBUILD_WAIT.key(), "1s"));
    cluster = verifying.repair();
  }

  @AfterAll
  static void stop() throws IOException {
    verifying.close();
  }

  private static org.apache.hadoop.fs.Path directory(int level) throws IOException {
    return verifying.directory("izs", level);
  }

  private static VerifyStatus status() throws IOException {
    return verifying.status();
  }

  private static VerifyStatus awaitVerified(VerifyStatus before, int groups) {
    return verifying.awaitVerified(before, groups);
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
    assertThat(after.results().wrongParity()).isEqualTo(before.results().wrongParity());
    assertThat(after.results().unitsReencoded()).isEqualTo(before.results().unitsReencoded());
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
        verifying.writeForeign(wrong.kind(), file, sound.content());
        VerifyStatus after = awaitVerified(before, 1);
        assertThat(after.results().wrongParity() - before.results().wrongParity())
            .as(name)
            .isEqualTo(1);
        assertThat(after.results().unitsReencoded() - before.results().unitsReencoded())
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
      VerifyingCluster.awaitUnits(group, sound);
      group.lose(1);
      assertThat(verifying.read(file)).as("without unit 1").isEqualTo(sound.content());
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
      verifying.writeForeign(Kind.OTHER_DATA, file, content);
      await()
          .atMost(VerifyingCluster.TIMEOUT)
          .untilAsserted(
              () ->
                  assertThat(status().results().suspectedData())
                      .isEqualTo(twin.results().suspectedData() + 1));
      assertThat(log.getOutput()).contains("data unit [1]", "file=" + file.toUri().getPath());
    } finally {
      log.stopCapturing();
    }
    assertThat(status().results().unitsReencoded()).isEqualTo(twin.results().unitsReencoded());
    assertThat(cluster.new Group(file, content).nodes()).hasSize(6);
    directory(1); // adds the policy
    try (LevelClient client = verifying.client()) {
      FileOutcome outcome = client.setLevel(1, List.of(file.toUri().getPath())).get(0);
      assertThat(outcome.refusal()).as(outcome.toString()).isPresent();
      assertThat(outcome.refusal().get().kind()).isEqualTo("contradiction");
      String uuid = cluster.cluster().getDataNodes().get(0).getDatanodeUuid();
      String pool = cluster.cluster().getNamesystem().getBlockPoolId();
      long id = cluster.new Group(file, content).block(0).getBlockId();
      assertThat(client.mayBelieveParity(uuid, pool, id)).isFalse();
    }
    assertThat(status().unverified()).isZero();
  }

  /** Before they are loaded, or where some are not listed, any group may be contradictory. */
  @Test
  void noLevelIsLoweredUnlessAllDoubtsAreKnown() throws IOException {
    VerifyStatus before = status();
    Group group = cluster.write(directory(2), "lowered", LENGTH);
    String path = group.file().toUri().getPath();
    awaitVerified(before, 1);
    directory(1); // adds the policy
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    byte[][] saved = new byte[1][];
    await("saved")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .pollDelay(Duration.ofMillis(500))
        .until(
            () -> {
              byte[] last = saved[0];
              saved[0] = cluster.fs().getXAttr(root, ATTRIBUTE);
              return Arrays.equals(last, saved[0]);
            });
    cluster.fs().setXAttr(root, ATTRIBUTE, new byte[] {1, 2, 3});
    cluster.cluster().restartNameNode(0);
    cluster.cluster().waitActive();
    // After the reports of the DataNodes.
    await().atMost(VerifyingCluster.TIMEOUT).until(() -> isRefused(path, "doubts-unknown"));
    assertThat(status().problem()).isNotEmpty();
    assertThat(status().isRunning()).isFalse();

    String pool = cluster.cluster().getNamesystem().getBlockPoolId();
    VerifyProgress last = ProgressFormat.decode(saved[0], pool, ATTRIBUTE);
    VerifyProgress more = new VerifyProgress(last.nextId(), true, last.doubted(), last.open());
    cluster.fs().setXAttr(root, ATTRIBUTE, ProgressFormat.encode(more, pool, 4096));
    await().atMost(VerifyingCluster.TIMEOUT).until(() -> status().isRunning());
    assertThat(refusal(path)).contains("contradiction");
    String uuid = cluster.cluster().getDataNodes().get(0).getDatanodeUuid();
    long id = group.block(0).getBlockId();
    try (LevelClient client = verifying.client()) {
      await("the end of rebuild.wait").until(() -> client.mayBelieveParity(uuid, pool, id));
    }

    cluster.fs().removeXAttr(root, ATTRIBUTE);
    await().atMost(VerifyingCluster.TIMEOUT).until(() -> refusal(path).isEmpty());
    await().atMost(VerifyingCluster.TIMEOUT).until(() -> status().unverified() == 0);
    group.assertReads();
  }

  private static boolean isRefused(String path, String kind) throws IOException {
    return refusal(path).filter(kind::equals).isPresent();
  }

  /** Why a file was not lowered; empty: it was. */
  private static Optional<String> refusal(String path) throws IOException {
    try (LevelClient client = verifying.client()) {
      return client.setLevel(1, List.of(path)).get(0).refusal().map(Refusal::kind);
    }
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
              try (LevelClient client = verifying.client()) {
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
    try (LevelClient client = verifying.client()) {
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
    assertThat(status().results().unitsReencoded()).isEqualTo(verified.results().unitsReencoded());
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
    assertThat(groups.drop(beforeAnUpdate(found), List.of(5)))
        .as("of a file that was updated in place meanwhile")
        .isEmpty();
    group.assertAsWritten();
  }

  private static VerifiableGroup beforeAnUpdate(VerifiableGroup now) {
    VerifiableGroup.Identity is = now.identity();
    VerifiableGroup.Identity was =
        new VerifiableGroup.Identity(
            is.groupId(),
            is.generation(),
            is.lengthBytes(),
            is.policy(),
            is.inodeId(),
            is.updatedMs() - 1);
    return new VerifiableGroup(was, now.path(), now.holders(), now.obstacle());
  }

  @Test
  void filesThatAreDeletedOrMadeAgainMeanwhileAreForgotten() throws IOException {
    for (int i = 0; i < 30; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory(2), "gone" + i);
      verifying.writeForeign(Kind.REED_SOLOMON, file, new byte[] {1, 2, 3});
      if (i % 2 == 0) {
        assertThat(cluster.fs().delete(file, false)).isTrue();
      }
    }
    await()
        .atMost(VerifyingCluster.TIMEOUT)
        .untilAsserted(
            () -> {
              VerifyStatus now = status();
              assertThat(now.unverified() + now.idsLeft()).isZero();
              assertThat(now.problem()).isEmpty();
            });
  }
}
