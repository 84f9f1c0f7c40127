/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.LevelOutcome;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelRules;
import io.hdfsparity.izs.wire.LevelClient;
import io.hdfsparity.izs.wire.LevelProtocols;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that keep their level, and why; and what survives a change of those that do not. */
@Tag("full")
class LevelRefusalTest {
  private static final byte[] BYTES = MiniLevels.bytes(MiniLevels.GROUP_BYTES + 77, 3);

  private static final List<String> AUDITED = new CopyOnWriteArrayList<>();

  /** Keeps what the NameNode audits of changes. */
  public static final class Auditor implements AuditLogger {
    @Override
    public void initialize(Configuration conf) {
      AUDITED.clear();
    }

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String userName,
        InetAddress addr,
        String cmd,
        String src,
        String dst,
        FileStatus stat) {
      if (cmd.startsWith("setErasureCodingLevel")) {
        AUDITED.add(succeeded + " " + userName.split(" ", 2)[0] + " " + cmd + " " + src);
      }
    }
  }

  @TempDir static java.nio.file.Path root;
  private static MiniLevels levels;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(LevelKey.FILE_GROUPS.key(), "3");
    conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, Auditor.class.getName());
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + root.resolve("keys.jceks").toUri().getPath());
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(
        LevelProtocols.LEVEL.getServiceKey(),
        UserGroupInformation.getCurrentUser().getShortUserName() + ",ann,bob");
    levels = MiniLevels.start(conf, root, MiniLevels.K + 3);
    fs = levels.cluster().getFileSystem();
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", 1));
  }

  @AfterAll
  static void stop() {
    levels.close();
  }

  private static String write(String path) throws IOException {
    MiniLevels.write(fs, path, BYTES);
    MiniLevels.awaitUnits(fs, path, 1);
    return path;
  }

  private static void assertRefused(int level, String path, String kind) throws IOException {
    FileOutcome outcome = levels.setLevel(0, level, path);
    assertThat(outcome.refusal()).as(path).isPresent();
    assertThat(outcome.refusal().get().kind()).as(outcome.toString()).isEqualTo(kind);
    assertThat(outcome.refusal().get().reason()).isNotEmpty();
    assertThat(outcome.refusal().get().remedy()).isNotEmpty();
    assertThat(outcome.toPolicy()).isEqualTo(outcome.fromPolicy());
  }

  @Test
  void snapshotsAndReferences() throws Exception {
    MiniLevels.makeDirectory(fs, "/rs/s", MiniLevels.policy("rs", 1));
    fs.allowSnapshot(new Path("/rs/s"));
    write("/rs/s/held");
    fs.createSnapshot(new Path("/rs/s"), "x");
    assertRefused(2, "/rs/s/held", "snapshot");
    assertRefused(2, "/rs/s/.snapshot/x/held", "not-owner");
    fs.rename(new Path("/rs/s/held"), new Path("/rs/renamed"));
    assertRefused(2, "/rs/renamed", "snapshot");
    // A file that is younger than every snapshot is changed, and a snapshot may follow.
    write("/rs/s/younger");
    levels.changeLevel(0, 2, "/rs/s/younger");
    fs.createSnapshot(new Path("/rs/s"), "y");
    MiniLevels.awaitUnits(fs, "/rs/s/younger", 2);
    assertRefused(3, "/rs/s/younger", "snapshot");
    levels.cluster().restartNameNode(true);
    MiniLevels.awaitUnits(fs, "/rs/s/younger", 2);
    for (String path :
        List.of("/rs/s/younger", "/rs/s/.snapshot/y/younger", "/rs/s/.snapshot/x/held")) {
      assertThat(MiniLevels.read(fs, path, BYTES.length)).as(path).isEqualTo(BYTES);
    }
    fs.deleteSnapshot(new Path("/rs/s"), "x");
    fs.deleteSnapshot(new Path("/rs/s"), "y");
    assertThat(MiniLevels.read(fs, "/rs/s/younger", BYTES.length)).isEqualTo(BYTES);
    assertThat(MiniLevels.read(fs, "/rs/renamed", BYTES.length)).isEqualTo(BYTES);
    // The remedy helps.
    levels.changeLevel(0, 3, "/rs/s/younger");
    MiniLevels.awaitUnits(fs, "/rs/s/younger", 3);
    levels.cluster().restartNameNode(true);
    MiniLevels.awaitUnits(fs, "/rs/s/younger", 3);
    assertThat(MiniLevels.read(fs, "/rs/s/younger", BYTES.length)).isEqualTo(BYTES);
  }

  @Test
  void encryptionZone() throws Exception {
    Configuration conf = levels.clientConf();
    KeyProvider keys = levels.cluster().getNamesystem().getProvider();
    KeyProvider.Options options = KeyProvider.options(conf);
    options.setBitLength(128);
    keys.createKey("zone", options);
    keys.flush();
    fs.getClient().setKeyProvider(levels.cluster().getNamesystem().getProvider());
    fs.mkdirs(new Path("/zone"));
    fs.createEncryptionZone(new Path("/zone"), "zone");
    fs.setErasureCodingPolicy(new Path("/zone"), MiniLevels.policy("rs", 1));
    write("/zone/f");
    assertRefused(2, "/zone/f", "encrypted");
    MiniLevels.awaitUnits(fs, "/zone/f", 1);
    assertThat(MiniLevels.read(fs, "/zone/f", BYTES.length)).isEqualTo(BYTES);
  }

  /** A replay of a change would end a NameNode that runs with assertions. */
  @Test
  void assertions() throws Exception {
    write("/rs/asserted");
    long refused = Metrics.value("IzsLevels", "CallsRefused");
    ClassLoader loader = NameNode.class.getClassLoader();
    String replay = "org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader";
    loader.setClassAssertionStatus(replay, true);
    try {
      assertThat(levels.status(0).readiness().replayAsserts()).isTrue();
      assertThatThrownBy(() -> levels.setLevel(0, 2, "/rs/asserted"))
          .hasMessageContaining("assertions=enabled, expected disabled")
          .hasMessageContaining("-da:" + replay);
    } finally {
      loader.setClassAssertionStatus(replay, false);
    }
    assertThat(levels.status(0).readiness().replayAsserts()).isFalse();
    assertThat(MiniLevels.policyOf(fs, "/rs/asserted")).isEqualTo(MiniLevels.policy("rs", 1));
    assertThat(Metrics.value("IzsLevels", "CallsRefused")).isEqualTo(refused + 1);
    long changed = Metrics.value("IzsLevels", "FilesChanged");
    long dropped = Metrics.value("IzsLevels", "UnitsDropped");
    levels.changeLevel(0, 2, "/rs/asserted");
    assertThat(Metrics.value("IzsLevels", "FilesChanged")).isEqualTo(changed + 1);
    MiniLevels.awaitUnits(fs, "/rs/asserted", 2);
    levels.changeLevel(0, 1, "/rs/asserted");
    assertThat(Metrics.value("IzsLevels", "UnitsDropped")).isEqualTo(dropped + 2);
    assertThat(Metrics.value("IzsLevels", "InService")).isEqualTo(1);
    assertThat(Metrics.value("IzsLevels", "Guarded")).isEqualTo(1);
  }

  @Test
  void onlyWhoMayCall() throws Exception {
    write("/rs/guarded");
    fs.setOwner(new Path("/rs/guarded"), "mallory", "people");
    assertThatThrownBy(() -> as("mallory", "/rs/guarded"))
        .hasMessageContaining("mallory")
        .hasMessageContaining("not authorized");
    assertThat(MiniLevels.policyOf(fs, "/rs/guarded")).isEqualTo(MiniLevels.policy("rs", 1));
    assertThat(as("bob", "/rs/guarded").refusal().orElseThrow().kind()).isEqualTo("not-owner");
  }

  @Test
  void openFile() throws Exception {
    try (OutputStream out = fs.create(new Path("/rs/open"))) {
      out.write(BYTES);
      assertRefused(2, "/rs/open", "open");
    }
    MiniLevels.awaitUnits(fs, "/rs/open", 1);
  }

  @Test
  void otherFiles() throws Exception {
    MiniLevels.write(fs, "/replicated", new byte[10]);
    assertRefused(2, "/replicated", "not-striped");
    assertRefused(2, "/rs", "path");
    assertRefused(2, "/rs/absent", "path");
    ErasureCodingPolicy xor =
        new ErasureCodingPolicy(new ECSchema("xor", 2, 1), MiniLevels.CELL_BYTES);
    ErasureCodingPolicy lone =
        new ErasureCodingPolicy(new ECSchema("rs", 3, 1), MiniLevels.CELL_BYTES);
    ErasureCodingPolicy disabled =
        new ErasureCodingPolicy(new ECSchema("rs", 3, 3), MiniLevels.CELL_BYTES);
    fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {xor, lone, disabled});
    fs.enableErasureCodingPolicy(xor.getName());
    fs.enableErasureCodingPolicy(lone.getName());
    MiniLevels.makeDirectory(fs, "/xor", xor.getName());
    MiniLevels.write(fs, "/xor/f", BYTES);
    assertRefused(2, "/xor/f", "codec");
    MiniLevels.makeDirectory(fs, "/lone", lone.getName());
    MiniLevels.write(fs, "/lone/f", BYTES);
    assertRefused(2, "/lone/f", "no-policy");
    assertRefused(3, "/lone/f", "policy-disabled");
    MiniLevels.write(fs, "/rs/large", MiniLevels.bytes(3 * MiniLevels.GROUP_BYTES + 1, 4));
    assertRefused(2, "/rs/large", "too-many-groups");
    assertThatThrownBy(() -> levels.setLevel(0, 4, "/rs/large"))
        .hasMessageContaining("level=4, expected 1..3");
    assertThatThrownBy(
            () -> {
              try (LevelClient client = levels.client(0)) {
                client.setLevel(2, java.util.Collections.nCopies(201, "/rs/large"));
              }
            })
        .hasMessageContaining("expected at most 200 a call");
  }

  /** Hadoop ends the call of such a path by an AssertionError, whatever was changed before it. */
  @Test
  void pathsThatAreNone() throws Exception {
    String before = write("/rs/before");
    try (LevelClient client = levels.client(0)) {
      // HDFS may have ordered a rebuild before it learned of the last unit.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                List<FileOutcome> outcomes =
                    client.setLevel(2, List.of(before, "x", "", "/rs/../rs", "/rs"));
                assertThat(outcomes).as("%s", outcomes).hasSize(5);
                assertThat(outcomes.get(0).refusal()).isEmpty();
                assertThat(outcomes.subList(1, 5))
                    .allMatch(each -> each.refusal().orElseThrow().kind().equals("path"));
              });
    }
    MiniLevels.awaitUnits(fs, before, 2);
  }

  @Test
  void quota() throws Exception {
    fs.mkdirs(new Path("/rs/q"));
    write("/rs/q/f");
    long used = fs.getContentSummary(new Path("/rs/q")).getSpaceConsumed();
    fs.setQuota(new Path("/rs/q"), 100, used + 10);
    assertRefused(2, "/rs/q/f", "quota");
    assertThat(fs.getQuotaUsage(new Path("/rs/q")).getSpaceConsumed()).isEqualTo(used);
    fs.setQuota(new Path("/rs/q"), 100, 10 * used);
    levels.changeLevel(0, 2, "/rs/q/f");
    long raised = fs.getContentSummary(new Path("/rs/q")).getSpaceConsumed();
    assertThat(raised).isGreaterThan(used);
    assertThat(fs.getQuotaUsage(new Path("/rs/q")).getSpaceConsumed()).isEqualTo(raised);
    MiniLevels.awaitUnits(fs, "/rs/q/f", 2);
    levels.changeLevel(0, 1, "/rs/q/f");
    assertThat(fs.getContentSummary(new Path("/rs/q")).getSpaceConsumed()).isEqualTo(used);
    assertThat(fs.getQuotaUsage(new Path("/rs/q")).getSpaceConsumed()).isEqualTo(used);
  }

  /** A call that has used its time ends after the file that it was at. */
  @Test
  void theLockIsGivenBackBetweenFiles() throws Exception {
    List<String> paths = List.of(write("/rs/hold-1"), write("/rs/hold-2"), write("/rs/hold-3"));
    StripedLevels held = new StripedLevels(levels.cluster().getNameNode(), CrashPoints.NONE);
    List<LevelOutcome> outcomes =
        held.change(paths, new LevelRules(2, 10, ParityDoubts.NONE), () -> false);
    held.sync(outcomes);
    assertThat(outcomes).hasSize(1);
    assertThat(outcomes.get(0).changed()).as("%s", outcomes).isTrue();
    assertThat(MiniLevels.policyOf(fs, "/rs/hold-1")).isEqualTo(MiniLevels.policy("rs", 2));
    assertThat(MiniLevels.policyOf(fs, "/rs/hold-2")).isEqualTo(MiniLevels.policy("rs", 1));
  }

  /** Anybody may ask for any path; the log of the whole NameNode is not held up for that. */
  @Test
  void onlyRefusalsDoNotWaitForTheLog() throws Exception {
    write("/rs/logged");
    write("/rs/doubted");
    List<CrashPoints.Point> reached = new ArrayList<>();
    StripedLevels held = new StripedLevels(levels.cluster().getNameNode(), reached::add);
    LevelRules rules = new LevelRules(2, 10, ParityDoubts.NONE);
    LevelRules doubting = new LevelRules(1, 10, (codec, id) -> ParityDoubts.Doubt.FOUND);
    levels.changeLevel(0, 2, "/rs/doubted");
    MiniLevels.awaitUnits(fs, "/rs/doubted", 2);
    List<LevelOutcome> refused =
        held.change(List.of("/rs/absent", "/rs", "/rs/doubted"), doubting, () -> true);
    held.sync(refused);
    assertThat(refused).hasSize(3).noneMatch(LevelOutcome::changed);
    assertThat(refused).extracting(LevelOutcome::judgedGroups).containsExactly(0, 0, 2);
    assertThat(reached).doesNotContain(CrashPoints.Point.DURABLE);
    List<LevelOutcome> changed = held.change(List.of("/rs/logged"), rules, () -> true);
    held.sync(changed);
    assertThat(changed).extracting(LevelOutcome::judgedGroups).containsExactly(2);
    assertThat(reached).contains(CrashPoints.Point.DURABLE);
    reached.clear();
    List<LevelOutcome> unchanged = held.change(List.of("/rs/logged"), rules, () -> true);
    held.sync(unchanged);
    assertThat(unchanged).noneMatch(LevelOutcome::changed);
    assertThat(reached)
        .as("the change of another caller may not be durable yet")
        .contains(CrashPoints.Point.DURABLE);
    held.settle(List.of(changed.get(0).inodeId()));
    MiniLevels.awaitUnits(fs, "/rs/logged", 2);
  }

  @Test
  void ownerOrSuperuser() throws Exception {
    write("/rs/owned");
    fs.setOwner(new Path("/rs/owned"), "ann", "people");
    assertThat(as("bob", "/rs/owned").refusal().orElseThrow().kind()).isEqualTo("not-owner");
    assertThat(as("ann", "/rs/owned").refusal()).isEmpty();
    assertThat(AUDITED)
        .contains(
            "false bob setErasureCodingLevel (policy=none) /rs/owned",
            "true ann setErasureCodingLevel (policy=" + MiniLevels.policy("rs", 2) + ") /rs/owned");
    MiniLevels.awaitUnits(fs, "/rs/owned", 2);
  }

  private static FileOutcome as(String user, String path) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<FileOutcome>)
                () -> {
                  try (LevelClient client = levels.client(0)) {
                    return client.setLevel(2, List.of(path)).get(0);
                  }
                });
  }

  @Test
  void aclAndTimesSurviveTheReplay() throws Exception {
    MiniLevels.makeDirectory(fs, "/rs/acl", MiniLevels.policy("rs", 1));
    write("/rs/acl/plain");
    write("/rs/acl/own");
    Path directory = new Path("/rs/acl");
    fs.modifyAclEntries(directory, AclEntry.parseAclSpec("default:user:eve:rwx", true));
    fs.setPermission(new Path("/rs/acl/plain"), new FsPermission((short) 0640));
    fs.modifyAclEntries(new Path("/rs/acl/own"), AclEntry.parseAclSpec("user:joe:rw-", true));
    fs.setXAttr(new Path("/rs/acl/own"), "user.note", new byte[] {1, 2});
    fs.setXAttr(new Path("/rs/acl/own"), "trusted.note", new byte[] {3});
    fs.setStoragePolicy(new Path("/rs/acl/own"), HdfsConstants.HOT_STORAGE_POLICY_NAME);
    fs.setStoragePolicy(directory, HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    fs.setTimes(directory, 1_234_567_890_123L, -1);
    fs.setTimes(new Path("/rs/acl/own"), 1_334_567_890_123L, 1_434_567_890_456L);
    List<String> before = describe();
    levels.changeLevel(0, 2, "/rs/acl/plain");
    levels.changeLevel(0, 2, "/rs/acl/own");
    assertThat(describe()).isEqualTo(before);
    levels.cluster().restartNameNode(true);
    assertThat(describe()).isEqualTo(before);
    MiniLevels.awaitUnits(fs, "/rs/acl/plain", 2);
    MiniLevels.awaitUnits(fs, "/rs/acl/own", 2);
  }

  private static List<String> describe() throws IOException {
    List<String> all = new ArrayList<>();
    for (String path : List.of("/rs/acl", "/rs/acl/plain", "/rs/acl/own")) {
      AclStatus acl = fs.getAclStatus(new Path(path));
      var status = fs.getFileStatus(new Path(path));
      all.add(
          path
              + acl
              + status.getPermission()
              + status.getOwner()
              + status.getModificationTime()
              + " "
              + status.getAccessTime()
              + attributes(path)
              + fs.getStoragePolicy(new Path(path)).getName());
    }
    return all;
  }

  private static Map<String, String> attributes(String path) throws IOException {
    Map<String, String> all = new TreeMap<>();
    fs.getXAttrs(new Path(path)).forEach((k, v) -> all.put(k, HexFormat.of().formatHex(v)));
    return all;
  }

  @Test
  void groupsThatAreNotWhole() throws Exception {
    write("/rs/hurt");
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks("/rs/hurt", 0, 1).get(0);
    DatanodeManager nodes = levels.cluster().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeInfo holder = group.getLocations()[0];
    DatanodeDescriptor node = nodes.getDatanode(holder.getDatanodeUuid());
    node.startDecommission();
    assertRefused(2, "/rs/hurt", "draining");
    node.stopDecommission();
    // Damaged by report of a reader.
    LocatedBlock unit =
        org.apache.hadoop.hdfs.util.StripedBlockUtil.constructInternalBlock(
            group, 0, MiniLevels.CELL_BYTES, MiniLevels.K, group.getBlockIndices()[0]);
    NameNodeLock.ALL.writeLock(levels.cluster().getNamesystem());
    try {
      levels
          .cluster()
          .getNamesystem()
          .getBlockManager()
          .findAndMarkBlockAsCorrupt(unit.getBlock(), holder, unit.getStorageIDs()[0], "test");
    } finally {
      NameNodeLock.ALL.writeUnlock(levels.cluster().getNamesystem(), "test");
    }
    FileOutcome outcome = levels.setLevel(0, 2, "/rs/hurt");
    assertThat(outcome.refusal().orElseThrow().kind())
        .isIn("corrupt", "missing-unit", "rebuilding");
    MiniLevels.awaitUnits(fs, "/rs/hurt", 1);
    levels.changeLevel(0, 2, "/rs/hurt");
    MiniLevels.awaitUnits(fs, "/rs/hurt", 2);
    assertThat(MiniLevels.read(fs, "/rs/hurt", BYTES.length)).isEqualTo(BYTES);
  }

  @Test
  void upgradeInProgress() throws Exception {
    write("/rs/upgrade");
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    assertThatThrownBy(() -> levels.setLevel(0, 2, "/rs/upgrade"))
        .hasMessageContaining("upgrade=in progress");
    fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    levels.changeLevel(0, 2, "/rs/upgrade");
    MiniLevels.awaitUnits(fs, "/rs/upgrade", 2);
  }
}
