/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.doctor.CallFailure.Cause;
import io.hdfsparity.bridge.doctor.Doctor;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.DirectorySpace;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.FeatureState;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every finding is made by a change of a cluster in which all is well, and by no other. */
class DoctorFindingsTest {
  private static final Doctor DOCTOR = Doctor.ofClassPath();

  /** A check that cannot be made is tested where such a check can be. */
  private static final String CHECK_FAILED = "PARITY-100";

  /** What is changed, and what is found then. */
  private record Row(String name, Set<String> codes, Consumer<ClusterFixture> change) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row finds(String code, Consumer<ClusterFixture> change) {
    return new Row(code, Set.of(code), change);
  }

  /** The first is the one that is meant; the others cannot be without it. */
  private static Row finds(List<String> codes, Consumer<ClusterFixture> change) {
    return new Row(codes.get(0), Set.copyOf(codes), change);
  }

  private static Row findsNothing(String name, Consumer<ClusterFixture> change) {
    return new Row(name, Set.of(), change);
  }

  static Stream<Row> rows() {
    return Stream.of(answers(), features(), keys(), security(), cluster(), ofFeatures(), silent())
        .flatMap(each -> each);
  }

  private static Stream<Row> answers() {
    return Stream.of(
        finds("PARITY-101", c -> c.nameNode(1).fails(Cause.REFUSED)),
        finds("PARITY-102", c -> c.nameNode(1).fails(Cause.TIMEOUT)),
        finds("PARITY-103", c -> c.nameNode(1).fails(Cause.NOT_SERVED)),
        finds("PARITY-104", c -> c.dataNode(3).fails(Cause.REFUSED)),
        finds("PARITY-105", c -> c.dataNode(3).fails(Cause.TIMEOUT)),
        finds("PARITY-106", c -> c.dataNode(3).fails(Cause.NOT_SERVED)),
        finds("PARITY-107", c -> c.dataNode(3).fails(Cause.DENIED)),
        finds("PARITY-108", c -> c.dataNode(3).fails(Cause.OTHER)),
        finds("PARITY-109", c -> c.problem = "no NameNode has answered"),
        finds("PARITY-111", c -> c.dataNode(0).suiteVersion = "0.9"),
        finds("PARITY-112", c -> c.dataNode(0).hadoopVersion = "3.3.6"),
        finds("PARITY-113", c -> c.dataNode(0).clockMs = DaemonFixture.ANSWERED_MS + 5_001),
        finds("PARITY-113", c -> c.nameNode(0).clockMs = DaemonFixture.ASKED_MS - 5_001));
  }

  private static Stream<Row> features() {
    return Stream.of(
        finds("PARITY-121", c -> c.dataNode(1).feature("izs", FeatureState.FAILED, "no memory")),
        finds("PARITY-122", c -> c.dataNode(1).feature("izs", FeatureState.STARTING, "")),
        finds(
            "PARITY-123",
            c -> c.dataNode(1).feature("ecupdate", FeatureState.IN_SERVICE, "port is taken")),
        finds("PARITY-124", c -> c.nameNode(1).key("dfs.parity.features", "raidp,izs,ecupdate")),
        finds("PARITY-125", c -> c.everywhere("dfs.parity.features", "")));
  }

  private static Stream<Row> keys() {
    return Stream.of(
        finds("PARITY-201", c -> c.dataNode(1).key("dfs.parity.raidp.max.block.size", "64m")),
        finds("PARITY-201", c -> c.dataNode(0).key("hadoop.rpc.protection", "integrity")),
        finds("PARITY-202", c -> c.local.put("dfs.parity.raipd.unit.size", "1m")),
        finds("PARITY-203", c -> c.dataNode(1).key("dfs.parity.izs.levels", "3")),
        finds("PARITY-204", c -> c.nameNode(1).key("dfs.parity.izs.verify.rs", "true")),
        finds(
            "PARITY-205",
            c ->
                c.local.put(
                    "dfs.datanode.plugins",
                    "io.hdfsparity.ParityDataNodePlugin,"
                        + "io.hdfsparity.izs.datanode.IzsDataNodePlugin")),
        finds(
            "PARITY-206",
            c ->
                c.local.put(
                    "dfs.namenode.plugins",
                    "io.hdfsparity.ParityNameNodePlugin, io.hdfsparity.ParityNameNodePlugin")),
        finds("PARITY-207", c -> c.local.remove("dfs.datanode.plugins")));
  }

  private static Stream<Row> security() {
    return Stream.of(
        finds("PARITY-211", c -> c.everywhere("hadoop.security.authentication", "kerberos")),
        finds(
            List.of("PARITY-212", "PARITY-601"),
            c ->
                c.everywhere("hadoop.security.authentication", "kerberos")
                    .everywhere("hadoop.security.authorization", "true")
                    .everywhere("dfs.block.access.token.enable", "false")),
        finds("PARITY-213", c -> c.dataNode(0).key("fs.hdfs.impl", "any.Class")),
        finds("PARITY-214", c -> c.fileSystemProblem = "ClassNotFoundException"),
        finds(
            "PARITY-215",
            c -> c.nameNodes.forEach(n -> n.key("dfs.permissions.enabled", "false"))));
  }

  private static Stream<Row> cluster() {
    return Stream.of(
        finds("PARITY-301", c -> c.nameNode(0).haState = "standby"),
        finds(
            List.of("PARITY-302", "PARITY-502", "PARITY-604"),
            c -> c.nameNode(1).haState = "active"),
        finds("PARITY-303", c -> c.nameNode(0).safeMode = true),
        finds(List.of("PARITY-304", "PARITY-307"), c -> c.registered(0, DataNodeAvailability.DEAD)),
        finds(
            List.of("PARITY-305", "PARITY-307"), c -> c.registered(0, DataNodeAvailability.STALE)),
        finds("PARITY-306", c -> c.dataNode(0).space = new DirectorySpace("/d", 1_000, 49)),
        finds("PARITY-307", c -> c.policy(new EnabledPolicy("RS-5-5-64k", "rs", 5, 5))),
        finds("PARITY-308", c -> c.policy(new EnabledPolicy("RS-3-2-64k", "rs", 3, 2))),
        finds("PARITY-309", c -> c.dataNode(0).nativeCode = "libisal.so.2 is missing"),
        finds(
            "PARITY-310",
            c ->
                c.everywhere(
                    "dfs.block.placement.ec.classname", "a.BlockPlacementPolicyRackFaultTolerant")),
        finds(
            "PARITY-311",
            c ->
                c.everywhere("dfs.namenode.audit.loggers", "io.hdfsparity.izs.AccessAuditLogger")));
  }

  private static Stream<Row> ofFeatures() {
    return Stream.of(
        finds(
            List.of("PARITY-401", "PARITY-122"),
            c -> c.nameNode(0).feature("raidp", FeatureState.STOPPED, "")),
        finds(
            List.of("PARITY-402", "PARITY-122"),
            c -> c.dataNode(0).feature("raidp", FeatureState.OFF, "no hooks")),
        finds("PARITY-403", c -> c.everywhere("dfs.replication", "2")),
        finds("PARITY-404", c -> c.dataNode(0).figure("raidp", "lstorsOnDiskDevice", "/l1")),
        finds("PARITY-405", c -> c.dataNode(0).figure("raidp", "lstorsOpenToOthers", "/l1")),
        finds("PARITY-406", c -> c.local.put("dfs.encrypt.data.transfer", "true")),
        finds(
            List.of("PARITY-406", "PARITY-211"),
            c ->
                c.everywhere("hadoop.security.authentication", "kerberos")
                    .everywhere("dfs.data.transfer.protection", "privacy, integrity")),
        finds("PARITY-407", c -> c.nameNode(0).figure("raidp", "superchunksDegraded", "3")),
        finds("PARITY-408", c -> c.nameNode(0).figure("raidp", "superchunksLost", "1")),
        finds("PARITY-409", c -> c.dataNode(1).key("dfs.parity.raidp.frame.size", "512m")),
        finds("PARITY-410", c -> c.nameNode(0).figure("raidp", "problems", "1")),
        finds("PARITY-411", c -> c.dataNode(0).figure("raidp", "lstorsOnOtherDisk", "/d1/l2")),
        finds("PARITY-412", c -> c.dataNode(0).figure("raidp", "lstorsOnEachOther", "/a+/b")),
        finds("PARITY-413", c -> c.nameNode(0).figure("raidp", "nodesWithoutPlugin", "1")),
        finds("PARITY-414", c -> c.nameNode(0).figure("raidp", "nodesWithoutLstorDaemon", "1")),
        finds(
            "PARITY-415",
            c -> c.nameNode(0).figure("raidp", "protectedRoomLow", "5 of 100 units free")),
        finds("PARITY-501", c -> c.nameNodes.forEach(each -> each.policies.clear())),
        finds("PARITY-502", c -> c.nameNode(0).figure("izs", "verifying", "false")),
        finds("PARITY-503", c -> c.nameNode(0).figure("izs", "verifyProblem", "disk is full")),
        finds("PARITY-504", c -> c.nameNode(0).figure("izs", "suspectedData", "2")),
        finds("PARITY-505", c -> c.nameNode(1).figure("izs", "guarded", "false")),
        finds("PARITY-506", c -> c.nameNode(1).figure("izs", "replayAsserts", "true")),
        finds(
            List.of("PARITY-507", "PARITY-402"),
            c -> {
              c.dataNode(0).key("dfs.parity.features", "ecupdate");
              c.dataNode(0).feature("raidp", FeatureState.OFF, "not listed");
              c.dataNode(0).feature("izs", FeatureState.OFF, "not listed");
            }),
        finds("PARITY-508", c -> c.nameNode(0).figure("izs", "givenUp", "1")),
        finds("PARITY-601", c -> c.everywhere("dfs.block.access.token.enable", "false")),
        finds(
            List.of("PARITY-602", "PARITY-402"),
            c -> {
              c.dataNode(0).key("dfs.parity.features", "izs");
              c.dataNode(0).feature("raidp", FeatureState.OFF, "not listed");
              c.dataNode(0).feature("ecupdate", FeatureState.OFF, "not listed");
            }),
        finds(
            List.of("PARITY-603", "PARITY-211"),
            c -> {
              c.everywhere("hadoop.security.authentication", "kerberos");
              c.dataNode(0).key("dfs.parity.ecupdate.channel.allow-clear", "true");
            }),
        finds(
            List.of("PARITY-406", "PARITY-211"),
            c -> {
              c.everywhere("hadoop.security.authentication", "kerberos");
              c.everywhere("dfs.data.transfer.protection", "privacy");
              c.dataNode(0).key("dfs.parity.ecupdate.channel.allow-clear", "true");
            }),
        finds("PARITY-604", c -> c.nameNode(0).figure("ecupdate", "capableNodes", "0")),
        finds("PARITY-701", c -> c.local.remove("fs.hdfs.impl")));
  }

  /** What comes near to a finding and is none. */
  private static Stream<Row> silent() {
    return Stream.of(
        findsNothing("all is well", c -> {}),
        findsNothing(
            "a DataNode of RAIDP alone",
            c -> {
              c.dataNode(0).key("dfs.parity.features", "raidp");
              c.dataNode(0).feature("izs", FeatureState.OFF, "not listed");
              c.dataNode(0).feature("ecupdate", FeatureState.OFF, "not listed");
            }),
        findsNothing(
            "a clock within bounds",
            c -> c.dataNode(0).clockMs = DaemonFixture.ANSWERED_MS + 5_000),
        findsNothing(
            "a value written in another way",
            c -> c.dataNode(0).key("dfs.parity.raidp.unit.size", "1024k")),
        findsNothing(
            "a default that is set",
            c -> c.nameNode(0).key("dfs.parity.raidp.max.block.size", "262144k")),
        findsNothing(
            "features in another order",
            c -> c.dataNode(0).key("dfs.parity.features", "caso, ecupdate, izs, raidp")),
        findsNothing(
            "an address of each NameNode",
            c -> c.local.put("dfs.parity.namenode.rpc-address.ns.nn1", "nn1:9000")),
        findsNothing(
            "plugins of others",
            c ->
                c.local.put(
                    "dfs.namenode.plugins",
                    "org.example.Plugin,io.hdfsparity.ParityNameNodePlugin")),
        findsNothing(
            "a directory with just enough space",
            c -> c.dataNode(0).space = new DirectorySpace("/d", 1_000, 50)),
        findsNothing(
            "a directory of unknown size",
            c -> c.dataNode(0).space = new DirectorySpace("/d", 0, 0)),
        findsNothing(
            "a policy that HDFS enables by itself",
            c -> c.policy(new EnabledPolicy("RS-6-3-1024k", "rs", 6, 3))),
        findsNothing(
            "an audit log beside the access history",
            c -> c.everywhere("dfs.namenode.audit.loggers", "default,io.hdfsparity.Any")),
        findsNothing(
            "DataNodes whose directories differ",
            c -> c.dataNode(0).key("dfs.parity.raidp.lstor.dirs", "/mnt/l1")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aChangeIsFoundForWhatItIs(Row row) {
    ClusterFixture cluster = new ClusterFixture();
    row.change().accept(cluster);
    Set<String> found =
        DOCTOR.examine(cluster.facts()).stream()
            .map(each -> each.kind().code())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(row.codes());
  }

  @Test
  void eachKindIsInTheTable() {
    List<String> codes = DOCTOR.kinds().stream().map(FindingKind::code).toList();
    assertThat(codes).doesNotHaveDuplicates().contains(CHECK_FAILED).hasSizeGreaterThan(20);
    Set<String> inTable =
        rows()
            .map(Row::name)
            .filter(each -> each.startsWith("PARITY-"))
            .collect(Collectors.toCollection(TreeSet::new));
    inTable.add(CHECK_FAILED);
    assertThat(inTable).isEqualTo(new TreeSet<>(codes));
  }

  @Test
  void theWorstComesFirstWithItsPlace() {
    ClusterFixture cluster = new ClusterFixture();
    cluster.local.remove("fs.hdfs.impl");
    cluster.dataNode(4).fails(Cause.REFUSED);
    cluster.dataNode(1).nativeCode = "missing";
    assertThat(DOCTOR.examine(cluster.facts()))
        .extracting(each -> each.kind().code() + " " + each.place())
        .containsExactlyElementsOf(
            Arrays.asList(
                "PARITY-104 DataNode dn5:9877",
                "PARITY-309 DataNode dn2:9877",
                "PARITY-701 this host"));
  }

  /** Each nameservice for itself: the other one's active NameNode is no help to its clients. */
  @Test
  void eachNameserviceNeedsOneActiveNameNode() {
    ClusterFixture cluster = new ClusterFixture();
    assertThat(cluster.facts().hasOneActiveEach()).isTrue();
    cluster.nameNode(1).nameservice = "other";
    assertThat(cluster.facts().actives()).containsEntry("other", List.of());
    assertThat(cluster.facts().hasOneActiveEach()).isFalse();
  }
}
