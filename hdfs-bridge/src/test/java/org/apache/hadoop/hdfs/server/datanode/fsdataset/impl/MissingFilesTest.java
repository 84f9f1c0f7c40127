/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What BlockSender does on a FileNotFoundException. */
class MissingFilesTest {
  @TempDir private Path dir;

  /** Hadoop 3.4 would, and its replica would be back after the next scan of the directories. */
  @Test
  void aReplicaWhoseReadWasRefusedIsNotForgottenAndOneWithoutAFileIs() throws Exception {
    try (BridgeCluster bridge = BridgeCluster.start(BridgeCluster.conf(null, dir), 1)) {
      bridge.write("/f", new byte[1000], 1);
      ExtendedBlock block = bridge.block("/f");
      ParityFsDataset dataset =
          (ParityFsDataset) bridge.cluster.getDataNodes().get(0).getFSDataset();
      dataset.invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
      assertThat(dataset.contains(block)).isTrue();
      Files.delete(Path.of(dataset.getReplicaInfo(block).getMetadataURI()));
      dataset.invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
      assertThat(dataset.contains(block)).isFalse();
    }
  }
}
