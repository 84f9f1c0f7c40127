/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NameNodes change places under write load, once in order and once because the active one is
 * shut down: the other one knows the superchunks from reports, no write fails, and the
 * administrator's command finds the active one.
 */
@Tag("full")
@Timeout(1200)
class RaidpFailoverTest {
  @Test
  void writesGoOnWhenTheOtherNameNodeBecomesActive(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setInt("dfs.ha.log-roll.period", 1);
    try (MiniRaidp raidp = MiniRaidp.startHighlyAvailable(root, MiniRaidp.Shape.small(), extra)) {
      Map<String, String> before = superchunks(raidp);
      try (LedgerLoad load = new LedgerLoad(raidp.conf(), 4, 2 << 20, 60L << 20, 5)) {
        progress(load);
        raidp.dfs().transitionToStandby(0);
        raidp.dfs().transitionToActive(1);
        progress(load);
        awaitSuperchunks(raidp, before);
        raidp.dfs().shutdownNameNode(1);
        raidp.dfs().transitionToActive(0);
        progress(load);
        awaitSuperchunks(raidp, before);
        load.pause();
        assertThat(load.causes()).as("failed writes").isEmpty();
        // Not waiting for it: a standby may stay in safe mode until the next edits are tailed.
        raidp.dfs().restartNameNode(1, false);
        Soundness.assertSound(raidp);
        assertThat(load.verify()).isEmpty();
      }
    }
  }

  /** It may have come back meanwhile, and its DataNode would take it out of service. */
  @Test
  void aDiskThatWasDeclaredFailedBeforeAFailoverIsNoMoreAfterTheNext(@TempDir Path root)
      throws Exception {
    try (MiniRaidp raidp =
        MiniRaidp.startHighlyAvailable(root, MiniRaidp.Shape.small(), new Configuration(false))) {
      Map<String, String> before = superchunks(raidp);
      MiniDFSCluster.DataNodeProperties away = raidp.dfs().stopDataNode(0);
      String disk = diskOf(raidp, away.getDatanode().getDatanodeUuid());
      assertThat(raidp.admin("-failDisk", disk, "-force").exitCode()).isZero();
      assertThat(superchunks(raidp)).isNotEqualTo(before);
      raidp.dfs().transitionToStandby(0);
      raidp.dfs().transitionToActive(1);
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      awaitSuperchunks(raidp, before);
      raidp.dfs().transitionToStandby(1);
      raidp.dfs().transitionToActive(0);
      awaitSuperchunks(raidp, before);
    }
  }

  private static String diskOf(MiniRaidp raidp, String nodeUuid) throws Exception {
    for (JsonNode node : raidp.admin("-status", "-json").json().path("nodes")) {
      if (node.path("uuid").asText().equals(nodeUuid)) {
        return node.path("disks").path(0).path("id").asText();
      }
    }
    throw new AssertionError("No such node: " + nodeUuid);
  }

  private static void progress(LedgerLoad load) {
    long acks = load.acks();
    MiniRaidp.await("writes go on").until(() -> load.acks() > acks + 12);
  }

  /** The new active NameNode may not have heard yet from a DataNode that was slow to report. */
  private static void awaitSuperchunks(MiniRaidp raidp, Map<String, String> expected) {
    MiniRaidp.await("the same superchunks are known")
        .untilAsserted(() -> assertThat(superchunks(raidp)).isEqualTo(expected));
  }

  /** Epoch and frames of every superchunk as the active manager tells. */
  private static Map<String, String> superchunks(MiniRaidp raidp) throws Exception {
    MiniRaidp.Printed status = raidp.admin("-status", "-json");
    assertThat(status.exitCode()).as(status.toString()).isZero();
    assertThat(status.json().path("active").asBoolean()).as(status.toString()).isTrue();
    Map<String, String> superchunks = new TreeMap<>();
    for (JsonNode s : raidp.admin("-layout", "-json").json().path("superchunks")) {
      superchunks.put(
          s.path("id").asText(),
          s.path("epoch").asText()
              + s.path("usable")
              + s.path("replicas").findValuesAsText("storageId"));
    }
    return superchunks;
  }
}
