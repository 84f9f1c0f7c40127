/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.LevelOutcome;
import io.hdfsparity.bridge.level.LevelRule;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.refusal.Refusal;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What callers who mean harm can have a NameNode with 200 DataNodes do: work under one hold of its
 * lock, files that look interrupted, holds on files of others.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileCallersTest {
  private static final int GROUPS = 10_000;
  private static final int NODES = 200;
  private static final int CELL_BYTES = 64 << 10;
  private static final org.apache.hadoop.fs.Path DIR = new org.apache.hadoop.fs.Path("/ec");
  private static final org.apache.hadoop.fs.Path BIG = new org.apache.hadoop.fs.Path(DIR, "big");
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path(DIR, "file");

  @TempDir static Path root;

  private static BridgeCluster cluster;
  private static DistributedFileSystem fs;
  private static NameNode nameNode;
  private static BlockManager blocks;
  private static ErasureCodingPolicy low;
  private static ErasureCodingPolicy high;
  private static long nextGroup = -1L << 40;

  /** A plugin that holds nothing and tells what it can see. */
  public static final class Onlooker implements ServicePlugin, FileHolder {
    private static volatile BiPredicate<Long, FileHolder.Namespace> holds = (inode, names) -> false;

    @Override
    public Optional<FileHold> holdOn(long inodeId, FileHolder.Namespace namespace) {
      return holds.test(inodeId, namespace)
          ? Optional.of(new FileHold("held", "file", "held", "wait"))
          : Optional.empty();
    }

    @Override
    public void start(Object service) {}

    @Override
    public void stop() {}

    @Override
    public void close() {}
  }

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, root);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    conf.set("dfs.namenode.plugins", Onlooker.class.getName());
    cluster = BridgeCluster.start(conf, 0);
    fs = cluster.fs;
    nameNode = cluster.cluster.getNameNode();
    blocks = nameNode.getNamesystem().getBlockManager();
    for (int i = 0; i < NODES; i++) {
      DatanodeRegistration any = DFSTestUtil.getLocalDatanodeRegistration();
      DatanodeID id = new DatanodeID("127.0.0.1", "h" + i, "dn" + i, 20_000 + i, 1, 1, 1);
      blocks
          .getDatanodeManager()
          .registerDatanode(
              new DatanodeRegistration(
                  id, any.getStorageInfo(), any.getExportedKeys(), any.getSoftwareVersion()));
    }
    low = added(1);
    high = added(2);
    fs.mkdirs(DIR);
    fs.setErasureCodingPolicy(DIR, low.getName());
    ofGroups(BIG, GROUPS);
    ofGroups(FILE, 1);
  }

  private static ErasureCodingPolicy added(int parity) throws Exception {
    ErasureCodingPolicy wanted = new ErasureCodingPolicy(new ECSchema("rs", 3, parity), CELL_BYTES);
    ErasureCodingPolicy added =
        fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {wanted})[0].getPolicy();
    fs.enableErasureCodingPolicy(added.getName());
    return added;
  }

  /** As clients would write it, if there were that much room. */
  private static void ofGroups(org.apache.hadoop.fs.Path path, int groups) throws Exception {
    fs.create(path).close();
    FSNamesystem namesystem = nameNode.getNamesystem();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      INodeFile file = namesystem.getFSDirectory().getINode(path.toString()).asFile();
      for (int i = 0; i < groups; i++) {
        BlockInfoStriped group =
            new BlockInfoStriped(new Block(nextGroup, 3 * CELL_BYTES, 1001), low);
        nextGroup += 16;
        file.addBlock(group);
        blocks.addBlockCollection(group, file);
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Wants the file raised, and finds fault with its last group. */
  private static final class Rule implements LevelRule {
    private long judged;

    @Override
    public Decision decide(StripedFile file, List<CodePolicy> policies) {
      return new Change(
          policies.stream().filter(each -> each.id() == high.getId()).findFirst().orElseThrow());
    }

    @Override
    public Optional<Refusal> judge(StripedFile file, CodePolicy target, StripedGroup group) {
      assertThat(group.units().queuedDeletes()).isZero();
      return ++judged < GROUPS
          ? Optional.empty()
          : Optional.of(new Refusal("test", "the last group", "none"));
    }
  }

  private static String refusal(StripedLevels levels) throws Exception {
    List<LevelOutcome> outcomes = levels.change(List.of(BIG.toString()), new Rule(), () -> true);
    return outcomes.get(0).refusal().orElseThrow().kind();
  }

  @Test
  void aChangeOfLevelLooksAtEachGroupOnceAndAtNoNode() throws Exception {
    StripedLevels levels = new StripedLevels(nameNode, CrashPoints.NONE);
    long before = fs.getContentSummary(DIR).getSpaceConsumed();
    fs.setQuota(DIR, Long.MAX_VALUE - 1, 1L << 50);
    try {
      long used = fs.getQuotaUsage(DIR).getSpaceConsumed();
      assertThat(refusal(levels)).isEqualTo("test");
      assertThat(levels.groups().described()).isEqualTo(GROUPS);
      assertThat(levels.groups().probed()).as("nothing is queued").isZero();
      assertThat(fs.getQuotaUsage(DIR).getSpaceConsumed()).as("of a change").isEqualTo(used);
      assertThat(fs.getContentSummary(DIR).getSpaceConsumed()).isEqualTo(before);
    } finally {
      fs.setQuota(DIR, -1, -1);
    }
  }

  @Test
  void aChangeOfLevelBeyondTheQuotaLooksAtNoGroup() throws Exception {
    StripedLevels levels = new StripedLevels(nameNode, CrashPoints.NONE);
    fs.setQuota(DIR, Long.MAX_VALUE - 1, CELL_BYTES);
    try {
      assertThat(refusal(levels)).isEqualTo("quota");
      assertThat(levels.groups().described()).isZero();
      assertThat(levels.groups().probed()).isZero();
    } finally {
      fs.setQuota(DIR, -1, -1);
    }
  }

  private static INodeFile inode(org.apache.hadoop.fs.Path path) throws Exception {
    return nameNode.getNamesystem().getFSDirectory().getINode(path.toString()).asFile();
  }

  private static String levelOf(org.apache.hadoop.fs.Path path) throws Exception {
    StripedLevels levels = new StripedLevels(nameNode, CrashPoints.NONE);
    Rule rule = new Rule();
    rule.judged = GROUPS;
    return levels
        .change(List.of(path.toString()), rule, () -> true)
        .get(0)
        .refusal()
        .orElseThrow()
        .kind();
  }

  /** Whoever holds files that are gone finds their blocks in the file that they were joined to. */
  @Test
  void aHolderSeesWhereTheBlocksOfAFileAreThatIsGone() throws Exception {
    org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(DIR, "target");
    org.apache.hadoop.fs.Path joined = new org.apache.hadoop.fs.Path(DIR, "joined");
    org.apache.hadoop.fs.Path deleted = new org.apache.hadoop.fs.Path(DIR, "deleted");
    for (org.apache.hadoop.fs.Path each : List.of(target, joined, deleted)) {
      ofGroups(each, 1);
    }
    for (org.apache.hadoop.fs.Path each : List.of(joined, deleted)) {
      INodeFile file = inode(each);
      long inodeId = file.getId();
      long groupId = file.getBlocks()[0].getBlockId();
      Onlooker.holds = (inode, names) -> names.has(groupId) && !names.exists(inodeId);
      try {
        assertThat(levelOf(target)).as("%s is there", each).isEqualTo("test");
        assertThat(levelOf(each)).as("%s is there", each).isEqualTo("test");
        if (each.equals(joined)) {
          fs.concat(target, new org.apache.hadoop.fs.Path[] {joined});
          assertThat(levelOf(target)).isEqualTo("held");
          assertThat(levelOf(FILE)).isEqualTo("test");
        } else {
          fs.delete(deleted, false);
          assertThat(levelOf(target)).isEqualTo("test");
        }
      } finally {
        Onlooker.holds = (inode, names) -> false;
      }
    }
  }

  /** What it would be completed as, with the blocks that it has, whatever is in them. */
  @Test
  void aClientCannotMakeItsFileLookLikeAnInterruptedChange() throws Exception {
    String path = DIR + "/forged";
    fs.getClient()
        .getNamenode()
        .create(
            path,
            FsPermission.getFileDefault(),
            LevelEdits.HOLDER,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            /* createParent= */ false,
            (short) 1,
            BridgeCluster.BLOCK_BYTES,
            CryptoProtocolVersion.supported(),
            null,
            null);
    INodeFile file = nameNode.getNamesystem().getFSDirectory().getINode(path).asFile();
    assertThat(file.getFileUnderConstructionFeature().getClientName()).isEqualTo(LevelEdits.HOLDER);
    assertThat(LevelEdits.isInterrupted(file)).isFalse();
    assertThat(new StripedLevels(nameNode, CrashPoints.NONE).completeInterrupted()).isEmpty();
    assertThat(fs.isFileClosed(new org.apache.hadoop.fs.Path(path))).isFalse();
  }

  /** Last, for what is queued stays: no node is there to be told. */
  @Test
  @Order(Integer.MAX_VALUE)
  void queuesOfAllNodesAreLookedThroughOnlyAsFarAsTheLockMayBeHeld() throws Exception {
    StripedLevels levels = new StripedLevels(nameNode, CrashPoints.NONE);
    FSNamesystem namesystem = nameNode.getNamesystem();
    Method queue =
        BlockManager.class.getDeclaredMethod("addToInvalidates", Block.class, DatanodeInfo.class);
    queue.setAccessible(true);
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      List<DatanodeInfo> nodes = new ArrayList<>(blocks.getDatanodeManager().getDatanodes());
      assertThat(nodes).hasSize(NODES);
      for (DatanodeInfo node : nodes) {
        queue.invoke(blocks, new Block(-1L << 50, 1, 1), node);
      }
      assertThat(refusal(levels)).isEqualTo("queued-delete");
      assertThat(levels.groups().probed()).isZero();
      assertThat(levels.groups().described()).isZero();
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  @Test
  void aCopyOfManyGroupsIsRefusedWithoutLookingAtThem() throws Exception {
    GroupReplacer replacer = new GroupReplacer(nameNode, CrashPoints.NONE);
    FSDirectory directory = nameNode.getNamesystem().getFSDirectory();
    INodeFile file = directory.getINode(FILE.toString()).asFile();
    Optional<String> refusal =
        replacer.replace(
            file.getId(),
            file.getBlocks()[0].getBlockId(),
            Optional.of(BIG.toString()),
            change -> {
              assertThat(change.copy().orElseThrow().file().groups()).isEqualTo(GROUPS);
              return Optional.of("copy");
            });
    assertThat(refusal).contains("copy");
    assertThat(replacer.described()).as("the file's own group").isEqualTo(1);
  }
}
