/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HDFS's Balancer moves units of files that change their level, and of reordered files. */
@Tag("full")
@Timeout(900)
class BalancerOfCodedFilesTest {
  private static final int FILES = 8;
  private static final int NEW_NODES = 3;
  private static final long VOLUME_BYTES = 8L << 20;
  private static final int LENGTH = 2 * MiniLevels.GROUP_BYTES + 999;

  private final Map<String, byte[]> files = new TreeMap<>();

  private static Set<String> holders(DistributedFileSystem fs, String name) throws IOException {
    Set<String> holders = new HashSet<>();
    for (LocatedBlock block : StoredBytes.blocks(fs, name)) {
      Arrays.stream(block.getLocations()).map(DatanodeInfo::getDatanodeUuid).forEach(holders::add);
    }
    return holders;
  }

  @Test
  void unitsAreMovedAndStayRight(@TempDir Path root) throws Exception {
    Map<String, String> keys =
        Map.of(
            SuiteKey.FEATURES.key(),
            "izs,caso",
            DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY,
            "1",
            "dfs.block.placement.ec.classname",
            "org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy");
    try (MiniCaso caso = MiniCaso.start(root, keys)) {
      DistributedFileSystem fs = caso.stock();
      MiniLevels.addPolicies(fs, "rs");
      MiniLevels.makeDirectory(fs, "/level", MiniLevels.policy("rs", 1));
      for (int i = 0; i < FILES; i++) {
        files.put("/order/f" + i, caso.make("/order/f" + i, i));
        byte[] bytes = MiniLevels.bytes(LENGTH, i);
        MiniLevels.write(fs, "/level/f" + i, bytes);
        files.put("/level/f" + i, bytes);
      }
      for (int i = 0; i < FILES / 2; i++) {
        caso.organize("/order/f" + i);
      }
      caso.cluster().startDataNodes(caso.clientConf(), NEW_NODES, true, null, null);
      caso.cluster().waitActive();
      HdfsBalancer.limitCapacities(caso.cluster(), VOLUME_BYTES);
      System.out.println("hdfs balancer: " + HdfsBalancer.run(caso.clientConf(), 4));
      List<DataNode> nodes = caso.cluster().getDataNodes();
      Set<String> added = new HashSet<>();
      nodes
          .subList(nodes.size() - NEW_NODES, nodes.size())
          .forEach(node -> added.add(node.getDatanodeUuid()));
      for (String directory : List.of("/order/f", "/level/f")) {
        await("units of " + directory + " are on new nodes")
            .atMost(Duration.ofMinutes(2))
            .until(() -> isOnAny(fs, directory, added));
      }
      assertAllRead(caso);

      for (int i = 0; i < FILES; i++) {
        setLevel(caso, "/level/f" + i, 1 + i % 3);
      }
      caso.run("-restore", "/order/f0");
      caso.run("-reorganize", "/order/f1", "-trace", caso.trace(1));
      caso.organize("/order/f" + FILES / 2);
      assertAllRead(caso);
    }
  }

  private static boolean isOnAny(DistributedFileSystem fs, String prefix, Set<String> nodes)
      throws IOException {
    Set<String> holders = new HashSet<>();
    for (int i = 0; i < FILES; i++) {
      holders.addAll(holders(fs, prefix + i));
    }
    holders.retainAll(nodes);
    return !holders.isEmpty();
  }

  private void assertAllRead(MiniCaso caso) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(caso.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  private static void setLevel(MiniCaso caso, String name, int level) {
    await(name + " has level " + level)
        .untilAsserted(
            () ->
                assertThat(
                        LevelManagers.of(caso.clientConf(), caso.stock().getUri())
                            .callActive(manager -> manager.setLevel(level, List.of(name)))
                            .get(0)
                            .refusal())
                    .isEmpty());
  }
}
