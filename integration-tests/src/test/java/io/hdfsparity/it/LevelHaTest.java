/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.wire.LevelManagers;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil.CouldNotCatchUpException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NameNodes with shared edits: the standby follows changes, and takes over before and after.
 */
@Tag("full")
class LevelHaTest {
  private static final int[] LENGTHS = {MiniLevels.GROUP_BYTES + 999, MiniLevels.CELL_BYTES};

  @Test
  void standbyFollowsAndTakesOver(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    // So that the standby lags until the test lets it catch up.
    conf.setInt("dfs.ha.log-roll.period", 3600);
    conf.setLong("dfs.blockreport.intervalMsec", 3_600_000);
    // As with Kerberos; then whose token it is counts, and not the caller's name.
    conf.setBoolean("dfs.namenode.delegation.token.always-use", true);
    try (MiniLevels levels = MiniLevels.startHa(conf, root, MiniLevels.K + 3)) {
      MiniDFSCluster cluster = levels.cluster();
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(cluster, conf);
      MiniLevels.addPolicies(fs, "rs");
      MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", 1));
      for (int i = 0; i < LENGTHS.length; i++) {
        MiniLevels.write(fs, "/rs/" + i, MiniLevels.bytes(LENGTHS[i], i));
        MiniLevels.awaitUnits(fs, "/rs/" + i, 1);
      }
      catchUp(cluster, 0, 1);
      assertThatThrownBy(() -> levels.setLevel(1, 2, "/rs/0")).isInstanceOf(StandbyException.class);

      // The standby hears of the new units before it knows of the change.
      change(levels, fs, 0, 3);
      assertStandbyKnows(levels, fs, 0, 1, 3);
      assertTokenIsTaken(fs, conf);
      failOver(cluster, 0, 1);
      assertServes(fs, 3);
      assertTokenIsTaken(fs, conf);

      assertThat(levels.setLevel(1, 1, "/rs/0").refusal().orElseThrow().kind()).isEqualTo("stale");
      cluster.triggerBlockReports();
      change(levels, fs, 1, 1);
      assertStandbyKnows(levels, fs, 1, 0, 1);
      failOver(cluster, 1, 0);
      assertServes(fs, 1);

      change(levels, fs, 0, 2);
      assertStandbyKnows(levels, fs, 0, 1, 2);
      assertThat(levels.status(1).changes().restoredLocations()).isPositive();
      cluster.restartNameNode(1);
      assertStandbyKnows(levels, fs, 0, 1, 2);
      assertThat(ExitUtil.terminateCalled()).isFalse();
    }
  }

  /** A token of the nameservice is one for the active level manager, whichever that is. */
  private static void assertTokenIsTaken(DistributedFileSystem fs, Configuration cluster)
      throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    for (String nameNode : List.of("nn1", "nn2")) {
      String address = cluster.get(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".minidfs-ns." + nameNode);
      conf.set(
          SuiteKey.NAMENODE_RPC_ADDRESS.key() + "." + fs.getUri().getHost() + "." + nameNode,
          address);
    }
    LevelManagers managers = LevelManagers.of(conf, fs.getUri());
    assertThat(refusal(UserGroupInformation.createRemoteUser("nobody"), managers))
        .contains("not-owner");
    // Another login has another connection.
    UserGroupInformation user = UserGroupInformation.createRemoteUser("nobody");
    user.addToken(fs.getDelegationToken("yarn"));
    assertThat(refusal(user, managers)).isEmpty();
  }

  /** Asks for the level that the file has. */
  private static Optional<String> refusal(UserGroupInformation user, LevelManagers managers)
      throws Exception {
    PrivilegedExceptionAction<List<FileOutcome>> ask =
        () -> managers.callActive(manager -> manager.setLevel(3, List.of("/rs/0")));
    return user.doAs(ask).get(0).refusal().map(Refusal::kind);
  }

  @Test
  void everyNameNodeMustBeGuarded(@TempDir Path root) throws Exception {
    try (MiniLevels levels = MiniLevels.startHa(MiniLevels.conf(), root, 0)) {
      assertThat(levels.setLevel(0, 2, "/absent").refusal().orElseThrow().kind()).isEqualTo("path");
    }
  }

  @Test
  void nameNodeWithoutTheGuard(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.unset(DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY);
    try (MiniLevels unguarded = MiniLevels.start(conf, root, 0)) {
      assertThatThrownBy(() -> unguarded.setLevel(0, 2, "/x"))
          .hasMessageContaining("guarded=false, expected true");
      assertThat(unguarded.status(0).readiness().guarded()).isFalse();
    }
  }

  @Test
  void nothingIsChangedWhileANameNodeDoesNotAnswer(@TempDir Path root) throws Exception {
    try (MiniLevels levels = MiniLevels.startHa(MiniLevels.conf(), root, 0)) {
      levels.cluster().shutdownNameNode(1);
      assertThatThrownBy(() -> levels.setLevel(0, 2, "/absent"))
          .hasMessageContaining("guarded=unknown")
          .hasMessageContaining("dfs.parity.izs.level.peers.check");
    }
  }

  private static void change(MiniLevels levels, DistributedFileSystem fs, int nameNode, int level)
      throws Exception {
    for (int i = 0; i < LENGTHS.length; i++) {
      levels.changeLevel(nameNode, level, "/rs/" + i);
    }
    for (int i = 0; i < LENGTHS.length; i++) {
      MiniLevels.awaitUnits(fs, "/rs/" + i, level);
    }
  }

  private static void catchUp(MiniDFSCluster cluster, int active, int standby) throws Exception {
    cluster.getNameNode(active).getRpcServer().rollEditLog();
    // It waits for ten seconds only.
    await("the standby has caught up")
        .ignoreExceptionsInstanceOf(CouldNotCatchUpException.class)
        .until(
            () -> {
              HATestUtil.waitForStandbyToCatchUp(
                  cluster.getNameNode(active), cluster.getNameNode(standby));
              return true;
            });
  }

  /** The places of all units, without a full report of any DataNode. */
  private static void assertStandbyKnows(
      MiniLevels levels, DistributedFileSystem fs, int active, int standby, int level)
      throws Exception {
    catchUp(levels.cluster(), active, standby);
    for (int i = 0; i < LENGTHS.length; i++) {
      List<Set<Integer>> want = MiniLevels.units(fs, "/rs/" + i);
      List<LocatedBlock> groups =
          fs.getClient().getLocatedBlocks("/rs/" + i, 0, Long.MAX_VALUE).getLocatedBlocks();
      await("units at the standby")
          .untilAsserted(
              () ->
                  assertThat(unitsAt(levels.cluster().getNamesystem(standby), groups))
                      .isEqualTo(want));
    }
    assertThat(ExitUtil.terminateCalled()).as("a NameNode died at level %d", level).isFalse();
  }

  private static List<Set<Integer>> unitsAt(FSNamesystem namesystem, List<LocatedBlock> groups) {
    List<Set<Integer>> all = new ArrayList<>();
    NameNodeLock.BLOCKS.readLock(namesystem);
    try {
      for (LocatedBlock each : groups) {
        Set<Integer> units = new TreeSet<>();
        BlockInfoStriped group =
            (BlockInfoStriped)
                namesystem
                    .getBlockManager()
                    .getStoredBlock(new Block(each.getBlock().getBlockId()));
        group.getStorageAndIndexInfos().forEach(unit -> units.add((int) unit.getBlockIndex()));
        all.add(units);
      }
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem, "test");
    }
    return all;
  }

  private static void failOver(MiniDFSCluster cluster, int from, int to) throws Exception {
    cluster.transitionToStandby(from);
    cluster.transitionToActive(to);
  }

  private static void assertServes(DistributedFileSystem fs, int level) throws Exception {
    for (int i = 0; i < LENGTHS.length; i++) {
      MiniLevels.awaitUnits(fs, "/rs/" + i, level);
      assertThat(MiniLevels.read(fs, "/rs/" + i, LENGTHS[i]))
          .isEqualTo(MiniLevels.bytes(LENGTHS[i], i));
    }
  }
}
