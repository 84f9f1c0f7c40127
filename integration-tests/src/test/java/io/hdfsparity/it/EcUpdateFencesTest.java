/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that takes updates does with what nobody has updated what HDFS does: serves, moves and
 * reports it, whoever asks.
 */
@Timeout(300)
class EcUpdateFencesTest {
  private static final int NODES = 5;

  @TempDir static Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new MiniUpdates(root, NODES, Map.of("dfs.block.access.token.enable", "true"));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A unit of a file's one group, as Hadoop's client knows it. */
  private static LocatedBlock unit(LocatedStripedBlock group, int index) {
    return Arrays.stream(
            StripedBlockUtil.parseStripedBlockGroup(
                group, MiniUpdates.CELL_BYTES, MiniUpdates.DATA, 2))
        .skip(index)
        .findFirst()
        .orElseThrow();
  }

  /** Begins to read a unit from its begin, by what a client takes it for. */
  private static RawRead begin(LocatedBlock unit, long saidBytes, String client, int lengthBytes)
      throws IOException {
    ExtendedBlock asked = new ExtendedBlock(unit.getBlock());
    asked.setNumBytes(saidBytes);
    return RawRead.begin(
        unit.getLocations()[0], asked, unit.getBlockToken(), client, 0, lengthBytes);
  }

  private static byte[] cell(byte[] file, int index) {
    return Arrays.copyOfRange(
        file, index * MiniUpdates.CELL_BYTES, (index + 1) * MiniUpdates.CELL_BYTES);
  }

  /** As hdfs-native does: HDFS serves it, block tokens or not. */
  @Test
  void aClientThatSaysTheLengthOfTheGroupOfEachUnitIsServed() throws Exception {
    byte[] bytes = cluster.create("/whole", 7 * MiniUpdates.CELL_BYTES + 11);
    LocatedStripedBlock group = cluster.located("/whole");
    for (int i = 0; i < MiniUpdates.DATA; i++) {
      try (RawRead read =
          begin(
              unit(group, i),
              group.getBlockSize(),
              UUID.randomUUID().toString(),
              MiniUpdates.CELL_BYTES)) {
        assertThat(read.finish()).as("unit %d", i).isEqualTo(cell(bytes, i));
      }
    }
    // One that goes by another form: Hadoop's own client says the length of the unit.
    assertThatThrownBy(
            () ->
                begin(
                        unit(group, 0),
                        group.getBlockSize(),
                        "DFSClient_NONMAPREDUCE_1_2",
                        MiniUpdates.CELL_BYTES)
                    .close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("written anew in another form");
  }
}
