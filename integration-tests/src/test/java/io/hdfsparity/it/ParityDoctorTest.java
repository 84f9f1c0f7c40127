/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.admin.ParityAdmin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.izs.config.RepairKey;
import io.hdfsparity.izs.config.VerifyKey;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs parity} at clusters with two NameNodes, one in which all is well, and one not. */
@Tag("full")
@Timeout(300)
class ParityDoctorTest {
  private static final int DATANODES = 3;

  /** What such a cluster has by design: no policy of codec izs, and no client of CASO. */
  private static final Set<String> NOTES = Set.of("PARITY-501 cluster", "PARITY-701 this host");

  /** What a command has said. */
  private record Answer(int exit, String out, String err) {
    JsonNode json() throws Exception {
      return new ObjectMapper().readTree(out);
    }

    /** Codes with their places. */
    Set<String> findings() throws Exception {
      Set<String> found = new TreeSet<>();
      json()
          .get("findings")
          .forEach(each -> found.add(each.get("code").asText() + " " + each.get("place").asText()));
      return found;
    }
  }

  private static Configuration conf() {
    Configuration conf = UpdateKeys.storage(MiniUpdates.CELL_BYTES);
    UpdateKeys.sessions("60s").forEach(conf::set);
    conf.set(SuiteKey.FEATURES.key(), "izs,ecupdate,caso");
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    // A node that is slow to start is not to be taken for dead.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 60_000);
    for (String nameNode : new String[] {"nn1", "nn2"}) {
      conf.set(
          SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".minidfs-ns." + nameNode,
          "127.0.0.1:" + FreePorts.next());
    }
    return conf;
  }

  /**
   * Two NameNodes, the first active.
   *
   * @param overlays of the DataNodes
   */
  private static MiniDFSCluster start(Configuration conf, Path root, Configuration[] overlays)
      throws Exception {
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    topology
        .getNameservices()
        .forEach(each -> each.getNNs().forEach(node -> node.setIpcPort(FreePorts.next())));
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .nnTopology(topology)
            .numDataNodes(DATANODES)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(overlays)
            .build();
    cluster.waitActive();
    cluster.transitionToActive(0);
    return cluster;
  }

  /** Of an administrator's host. */
  private static Configuration client(MiniDFSCluster cluster, Configuration conf) {
    Configuration client = new Configuration(conf);
    HATestUtil.setFailoverConfigurations(cluster, client, "minidfs-ns");
    return client;
  }

  private static Answer run(Configuration conf, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        ToolRunner.run(
            new ParityAdmin(
                conf,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            args);
    return new Answer(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Waits until the NameNodes know where all DataNodes that serve updates are asked. */
  private static void awaitFindings(Configuration client, Set<String> expected) {
    Awaitility.await("DataNodes report, and parity is verified")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(run(client, "doctor", "-json").findings()).isEqualTo(expected));
  }

  private static String nameNode(Configuration conf, String id) {
    return "NameNode " + conf.get(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".minidfs-ns." + id);
  }

  @Test
  void aSoundClusterHasNoProblems(@TempDir Path root) throws Exception {
    Configuration conf = conf();
    try (MiniDFSCluster cluster = start(conf, root, DataNodeAddresses.overlays(DATANODES))) {
      Configuration client = client(cluster, conf);
      awaitFindings(client, NOTES);

      Answer doctor = run(client, "doctor");
      assertThat(doctor.exit()).as(doctor.out()).isZero();
      assertThat(doctor.out())
          .contains("INFO PARITY-501", "To do:", "2 of 2 NameNodes and 3 of 3 DataNodes answered");

      Answer status = run(client, "status");
      assertThat(status.exit()).as(status.out()).isZero();
      assertThat(status.out())
          .contains(
              "active, minidfs-ns nn1",
              "standby, minidfs-ns nn2",
              "DataNodes: 3 live, 0 stale, 0 dead, 0 out of service; 3 of 3 asked answer",
              "openSessions=0, capableNodes=3",
              "unverified=0",
              "DataNodes: 3 in service",
              "Healthy");
      JsonNode json = run(client, "-status", "-json").json();
      assertThat(json.get("healthy").booleanValue()).isTrue();
      assertThat(json.get("nameNodes")).hasSize(2);

      onlyAdministratorsGetAnswers(client);
      usageHasAnExitCodeOfItsOwn(client);

      cluster.transitionToStandby(0);
      Answer none = run(client, "doctor", "-json");
      assertThat(none.exit()).isEqualTo(ParityAdmin.PROBLEMS);
      assertThat(none.findings()).contains("PARITY-301 cluster");
      assertThat(run(client, "status").out()).contains("NOT HEALTHY");
    }
  }

  private static void onlyAdministratorsGetAnswers(Configuration client) throws Exception {
    UserGroupInformation.createUserForTesting("mallory", new String[] {"people"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  for (String command : new String[] {"status", "doctor"}) {
                    Answer answer = run(client, command);
                    assertThat(answer.exit()).isEqualTo(-1);
                    assertThat(answer.out()).isEmpty();
                    assertThat(answer.err())
                        .contains("user=mallory, expected a superuser or an administrator");
                  }
                  return null;
                });
  }

  private static void usageHasAnExitCodeOfItsOwn(Configuration client) throws Exception {
    assertThat(run(client).exit()).isEqualTo(ParityAdmin.MISUSED);
    assertThat(run(client, "stat").exit()).isEqualTo(ParityAdmin.MISUSED);
    assertThat(run(client, "doctor", "-jason").exit()).isEqualTo(ParityAdmin.MISUSED);
    assertThat(run(client, "doctor", "-datanodes", "dn1").exit()).isEqualTo(ParityAdmin.MISUSED);
    Answer help = run(client, "help");
    assertThat(help.exit()).isZero();
    assertThat(help.out()).contains("doctor [-json]", "status [-json]", "Exit code 1");
  }

  @Test
  void whatIsBrokenIsFoundWithItsPlace(@TempDir Path root) throws Exception {
    Configuration conf = conf();
    // An overlay takes effect only where the configuration itself has no value.
    conf.unset(SuiteKey.DATANODE_RPC_ADDRESS.key());
    String plugin = conf.get(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY);
    conf.unset(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY);
    Configuration[] overlays = DataNodeAddresses.overlays(DATANODES);
    int[] ports = new int[DATANODES];
    for (int i = 0; i < DATANODES; i++) {
      ports[i] = FreePorts.next();
      overlays[i].set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:" + ports[i]);
    }
    overlays[0].set(RepairKey.MEMORY.key(), "much");
    overlays[0].set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, plugin);
    overlays[1].set(VerifyKey.ENABLED.key(), "false");
    overlays[1].set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, plugin);
    try (MiniDFSCluster cluster = start(conf, root, overlays)) {
      Configuration client = client(cluster, conf);
      // Nobody knows the port of a DataNode without the plugin.
      client.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "0.0.0.0:" + ports[2]);
      client.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, plugin);
      client.set("dfs.parity.izs.levels", "2");
      Set<String> expected = new TreeSet<>(NOTES);
      expected.add("PARITY-121 DataNode 127.0.0.1:" + ports[0]);
      expected.add("PARITY-201 DataNode 127.0.0.1:" + ports[1]);
      expected.add("PARITY-104 DataNode 127.0.0.1:" + ports[2]);
      expected.add("PARITY-202 this host");
      awaitFindings(client, expected);

      Answer doctor = run(client, "doctor");
      assertThat(doctor.exit()).isEqualTo(ParityAdmin.PROBLEMS);
      assertThat(doctor.out())
          .contains(
              "feature=izs, failed closed",
              RepairKey.MEMORY.key() + "=much",
              VerifyKey.ENABLED.key() + "=false, expected true as in " + nameNode(conf, "nn1"),
              "dfs.parity.izs.levels=2",
              "2 of 2 NameNodes and 2 of 3 DataNodes answered");
      Answer status = run(client, "status");
      assertThat(status.exit()).isEqualTo(ParityAdmin.PROBLEMS);
      assertThat(status.out())
          .contains("NO ANSWER: 127.0.0.1:" + ports[2], "1 in service, 1 failed closed");

      cluster.shutdownNameNode(1);
      expected.add("PARITY-101 " + nameNode(conf, "nn2"));
      awaitFindings(client, expected);

      Answer one = run(client, "doctor", "-json", "-datanodes", "127.0.0.1:" + ports[1]);
      assertThat(one.json().get("dataNodes").get("asked").intValue()).isEqualTo(1);
      assertThat(one.findings()).doesNotContain("PARITY-121 DataNode 127.0.0.1:" + ports[0]);
      aFeatureThatFailsEverywhereIsStillDescribed(cluster, client);
    }
  }

  /** A list that cannot be used fails all features, and the daemon says why. */
  private static void aFeatureThatFailsEverywhereIsStillDescribed(
      MiniDFSCluster cluster, Configuration client) throws Exception {
    cluster.getConfiguration(1).set(SuiteKey.FEATURES.key(), "izs,ecupdate,casso");
    cluster.restartNameNode(1, /* waitActive= */ false);
    Awaitility.await("the NameNode answers")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              Answer answer = run(client, "doctor", "-json");
              JsonNode failed =
                  Arrays.stream(
                          new ObjectMapper()
                              .treeToValue(answer.json().get("findings"), JsonNode[].class))
                      .filter(each -> each.get("code").asText().equals("PARITY-121"))
                      .filter(each -> each.get("place").asText().equals(nameNode(client, "nn2")))
                      .findFirst()
                      .orElseThrow(() -> new AssertionError(answer.out()));
              assertThat(failed.get("detail").asText()).contains("not casso");
            });
  }
}
