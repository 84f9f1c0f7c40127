/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.verify.GroupLook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupIds;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The walk through the ids of block groups: each once, in order, and no more than asked for. */
@Timeout(300)
class ParityWalkTest {
  private static final Logger LOG = LoggerFactory.getLogger(ParityWalkTest.class);
  private static final int GROUPS = 20_000;
  private static final int CELL_BYTES = 64 << 10;
  private static final long FIRST = Long.MIN_VALUE + 16;

  @TempDir static Path root;

  private static BridgeCluster cluster;
  private static NameNode nameNode;
  private static ParityGroups groups;

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, root);
    cluster = BridgeCluster.start(conf, 0);
    DistributedFileSystem fs = cluster.fs;
    nameNode = cluster.cluster.getNameNode();
    groups = new ParityGroups(nameNode);
    ErasureCodingPolicy policy =
        fs
            .addErasureCodingPolicies(
                new ErasureCodingPolicy[] {
                  new ErasureCodingPolicy(new ECSchema("rs", 3, 2), CELL_BYTES)
                })[0]
            .getPolicy();
    fs.enableErasureCodingPolicy(policy.getName());
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/ec");
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, policy.getName());
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory, "big");
    fs.create(path).close();
    FSNamesystem namesystem = nameNode.getNamesystem();
    BlockManager blocks = namesystem.getBlockManager();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      INodeFile file = namesystem.getFSDirectory().getINode(path.toString()).asFile();
      for (int i = 0; i < GROUPS; i += 2) {
        BlockInfoStriped group =
            new BlockInfoStriped(new Block(FIRST + 16L * i, 3 * CELL_BYTES, 1001), policy);
        file.addBlock(group);
        blocks.addBlockCollection(group, file);
      }
      GroupIds.last(blocks, FIRST + 16L * (GROUPS - 1));
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void eachGroupOnceInBoundedSteps() {
    List<Long> found = new ArrayList<>();
    long id = Long.MIN_VALUE;
    int steps = 0;
    while (true) {
      ParityGroups.Walk walk = groups.walk(id, 2_000, 700, codec -> codec.equals("rs"));
      assertThat(walk.nextId() - id).isBetween(1L, 16L * 2_000);
      assertThat(walk.found()).hasSizeLessThanOrEqualTo(700);
      for (GroupLook look : walk.found()) {
        assertThat(look.groupId()).isBetween(id, walk.nextId() - 1);
        assertThat(look.state()).isEqualTo(GroupLook.State.CLOSED);
        found.add(look.groupId());
      }
      id = walk.nextId();
      steps++;
      if (id > walk.lastId()) {
        break;
      }
    }
    assertThat(found).hasSize(GROUPS / 2);
    assertThat(new TreeSet<>(found)).hasSize(GROUPS / 2);
    assertThat(steps).isBetween(10, 20);
    assertThat(groups.walk(id, 2_000, 700, codec -> true).found()).isEmpty();
    assertThat(groups.walk(id, 2_000, 700, codec -> true).nextId()).isEqualTo(id);
    assertThat(groups.walk(Long.MIN_VALUE, 2_000, 700, codec -> false).found()).isEmpty();
  }

  /** They are no work, so whoever walks passes all of them. */
  @Test
  void groupsThatAreBeingWrittenDoNotCount() throws Exception {
    FSNamesystem namesystem = nameNode.getNamesystem();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      INodeFile file = namesystem.getFSDirectory().getINode("/ec/big").asFile();
      file.toUnderConstruction("client", "machine");
      ParityGroups.Walk walk = groups.walk(FIRST, 2_000, 1, codec -> codec.equals("rs"));
      file.toCompleteFile(
          file.getModificationTime(),
          /* numCommittedAllowed= */ 0,
          /* minReplication= */ (short) 1);
      assertThat(walk.nextId()).isEqualTo(FIRST + 16L * 2_000);
      assertThat(walk.found())
          .hasSize(1_000)
          .allMatch(look -> look.state() == GroupLook.State.WRITTEN);
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  /** What one hold of the lock takes; the figure of ADR 0030. */
  @Test
  void aStepTakesLittleTime() {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 200; i++) {
      long startNs = System.nanoTime();
      groups.walk(Long.MIN_VALUE, 2_000, 2_000, codec -> codec.equals("rs"));
      best = Math.min(best, System.nanoTime() - startNs);
    }
    LOG.info("2000 ids, half of them groups, under one hold of the lock: {} us", best / 1_000);
    assertThat(best).isLessThan(50_000_000L);
  }

  @Test
  void onlyAnActiveNameNodeHasATerm() throws Exception {
    OptionalLong term = groups.term();
    assertThat(term).isPresent();
    nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    assertThat(groups.term()).isEmpty();
    nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    assertThat(groups.term()).isEqualTo(term);
  }
}
