/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Block files of updated units vanish, HDFS's directory scanner notices it, and they come back:
 * with their changes, or not at all.
 */
@Tag("full")
@Timeout(300)
class EcUpdateLostFilesTest {
  private static final int NODES = 5;
  private static final int PARITY = 3;

  @TempDir static Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    // The test says when it looks.
    more.put("dfs.datanode.directoryscan.interval", "3600");
    cluster = new MiniUpdates(root, NODES, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A parity unit whose changes are not all in its block file. */
  private record Unit(MiniUpdates.Group group, DataNode node, ExtendedBlock block, Path file) {
    static Unit make(String path) throws Exception {
      byte[] bytes = cluster.create(path, 9 * MiniUpdates.CELL_BYTES);
      MiniUpdates.Group group = cluster.group(path);
      try (StripedFileUpdater updater = cluster.open(path)) {
        MiniUpdates.writeSome(updater, bytes, 1);
        cluster.convert(group, "FL");
        MiniUpdates.writeSome(updater, bytes, 2);
      }
      long id = group.blocks()[PARITY];
      Path file =
          LiveFiles.under(root).stream()
              .filter(each -> each.getFileName().toString().equals("blk_" + id))
              .findFirst()
              .orElseThrow();
      assertThat(Files.readAllBytes(file)).isNotEqualTo(cluster.content(group, PARITY));
      return new Unit(
          group,
          cluster.node(group.nodes()[PARITY]),
          new ExtendedBlock(cluster.located(path).getBlock().getBlockPoolId(), id),
          file);
    }

    private boolean isKnown() {
      return !node.getFSDataset()
          .getReplicaString(block.getBlockPoolId(), block.getBlockId())
          .equals("null");
    }

    private void scan() throws IOException {
      DataNodeTestUtils.runDirectoryScanner(node);
    }

    private void awaitLost() {
      assertThat(isKnown()).isFalse();
      await("the NameNode knows that it is gone")
          .until(() -> !cluster.isAt(group.path(), group.nodes()[PARITY]));
    }
  }

  /** A folder without permissions would not keep root out: a loop of links does. */
  @Test
  void aUnitThatCouldNotBeAccessedComesBackWithItsChanges() throws Exception {
    Unit unit = Unit.make("/obstructed");
    Path folder = unit.file().getParent();
    Path aside = root.resolve("aside");
    Files.move(folder, aside);
    Files.createSymbolicLink(folder, folder.getFileName());
    unit.scan();
    unit.awaitLost();
    Files.delete(folder);
    Files.move(aside, folder);
    unit.scan();
    assertThat(unit.isKnown()).isTrue();
    await("the NameNode has it again")
        .until(() -> cluster.isAt("/obstructed", unit.group().nodes()[PARITY]));
    cluster.verify(unit.group());
  }

  @Test
  void aUnitThatWasMovedAwayAndBackIsNotServed() throws Exception {
    Unit unit = Unit.make("/moved");
    List<Path> files =
        LiveFiles.under(unit.file().getParent()).stream()
            .filter(
                each -> each.getFileName().toString().startsWith(unit.file().getFileName() + ""))
            .toList();
    assertThat(files).hasSize(2);
    Path aside = Files.createDirectory(root.resolve("files"));
    for (Path file : files) {
      Files.move(file, aside.resolve(file.getFileName()));
    }
    unit.scan();
    unit.awaitLost();
    for (Path file : files) {
      Files.move(aside.resolve(file.getFileName()), file);
    }
    unit.scan();
    assertThat(unit.isKnown()).isFalse();
    assertThatThrownBy(() -> cluster.content(unit.group(), PARITY)).isInstanceOf(IOException.class);
    String node = unit.group().nodes()[PARITY];
    cluster.restart(node, () -> {});
    DataNodeTestUtils.triggerBlockReport(cluster.node(node));
    assertThat(cluster.isAt("/moved", node)).isFalse();
    // Else HDFS would know it, and refuse to take in a copy.
    await("what does not count is deleted").until(() -> files.stream().noneMatch(Files::exists));
  }
}
