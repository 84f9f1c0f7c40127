/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.client.ClientFeatures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.StripeReader.BlockReaderInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stream connects to while another file comes to its path. */
@Tag("full")
class CheckedStripedInputStreamTest {
  private static final String NARROW = "XOR-2-1-1024k";
  private static final String WIDE = "RS-3-2-1024k";

  /** Less than a cell. */
  private static final int LENGTH = 5000;

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static FeatureClient client;

  private final GroupForms forms = new GroupForms();

  @BeforeAll
  static void start() throws IOException {
    cluster = new MiniDFSCluster.Builder(new Configuration(), dir.toFile()).numDataNodes(5).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(NARROW);
    fs.enableErasureCodingPolicy(WIDE);
    client =
        new FeatureClient(
            cluster.getURI(),
            cluster.getConfiguration(0),
            /* statistics= */ null,
            ClientFeatures.of(List.of()));
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    cluster.shutdown();
  }

  private static void write(String path, String policy) throws IOException {
    try (var out =
        fs.createFile(new org.apache.hadoop.fs.Path(path))
            .overwrite(true)
            .recursive()
            .ecPolicyName(policy)
            .build()) {
      out.write(new byte[LENGTH]);
    }
    // A file is complete before all its DataNodes have reported their units.
    int units =
        1 + fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path(path)).getNumParityUnits();
    await("the NameNode knows all units of " + path)
        .until(
            () -> fs.getClient().getLocatedBlocks(path, 0).get(0).getLocations().length == units);
  }

  private LocatedBlocks locate(String path) throws IOException {
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(path, 0);
    forms.note(blocks);
    return blocks;
  }

  private CheckedStripedInputStream open(String path) throws IOException {
    LocatedBlocks blocks = locate(path);
    ErasureCodingPolicy policy = blocks.getErasureCodingPolicy();
    return new CheckedStripedInputStream(
        client,
        path,
        /* verifyChecksum= */ true,
        policy,
        blocks,
        new OpenedForm(client, forms, path, blocks));
  }

  /** Units of a group, each at its index, as a read of a file of that policy takes them. */
  private static LocatedBlock[] units(LocatedBlocks blocks) {
    ErasureCodingPolicy policy = blocks.getErasureCodingPolicy();
    return StripedBlockUtil.parseStripedBlockGroup(
        (LocatedStripedBlock) blocks.get(0),
        policy.getCellSize(),
        policy.getNumDataUnits(),
        policy.getNumParityUnits());
  }

  @Test
  void itConnectsToAUnitOfTheGroupThatIsRead() throws Exception {
    write("/same", NARROW);
    try (CheckedStripedInputStream in = open("/same")) {
      LocatedBlock[] targets = units(locate("/same"));
      BlockReaderInfo[] readers = new BlockReaderInfo[targets.length];
      assertThat(in.createBlockReader(targets[0], 0, targets, readers, 0, LENGTH)).isTrue();
      in.closeReader(readers[0]);
    }
  }

  /** Another read of the stream has come to the group between this one's look and its taking it. */
  @Test
  void aUnitOfAGroupOfAnotherFormCountsAsMissing() throws Exception {
    write("/form", NARROW);
    try (CheckedStripedInputStream in = open("/form")) {
      write("/form", WIDE);
      // As the parent does with what it finds in its cache by then.
      in.fetchBlockAt(0);
      LocatedBlock[] targets = units(locate("/form"));
      BlockReaderInfo[] readers = new BlockReaderInfo[targets.length];
      assertThat(in.createBlockReader(targets[0], 0, targets, readers, 0, LENGTH)).isFalse();
      assertThat(readers).containsOnlyNulls();
    }
  }

  /** Else the next stripe of the same read would take it for a unit of the group that it reads. */
  @Test
  void whatIsNotConnectedToStaysAUnitOfTheGroupThatIsRead() throws Exception {
    write("/group", NARROW);
    LocatedBlocks former = locate("/group");
    try (CheckedStripedInputStream in = open("/group")) {
      write("/group", NARROW);
      in.fetchBlockAt(0);
      for (DatanodeInfo each : fs.getDataNodeStats()) {
        in.addToLocalDeadNodes(each);
      }
      LocatedBlock[] targets = units(former);
      LocatedBlock unit = targets[0];
      BlockReaderInfo[] readers = new BlockReaderInfo[targets.length];
      assertThat(in.createBlockReader(unit, 0, targets, readers, 0, LENGTH)).isFalse();
      assertThat(targets[0].getBlock()).isEqualTo(unit.getBlock());
    }
  }

  @Test
  void aReplicatedFileInThePlaceIsAnErrorThatSaysSo() throws Exception {
    write("/copies", NARROW);
    try (CheckedStripedInputStream in = open("/copies")) {
      try (var out =
          fs.createFile(new org.apache.hadoop.fs.Path("/copies"))
              .overwrite(true)
              .replicate()
              .build()) {
        out.write(new byte[LENGTH]);
      }
      assertThatThrownBy(() -> in.fetchBlockAt(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("form=replicated");
    }
  }
}
