/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static io.hdfsparity.bridge.BridgeCluster.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.RecordingHooks.Event;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hooks of files that are deleted, put to trash, lost and found. */
@Tag("full")
class HookDeletionTest extends HookFixture {
  @Test
  void deleteAsksForTheBlockFileThenItsChecksums() throws Exception {
    c.write("/delete", bytes(1_000, 8), 2);
    long id = c.id("/delete");
    List<String> storages = c.storages("/delete");
    c.script.events.clear();
    c.fs.delete(new org.apache.hadoop.fs.Path("/delete"), false);
    c.awaitEvents(id, "removingMeta", 2);
    for (String storage : storages) {
      List<Event> events = on(storage, id);
      assertThat(events).extracting(Event::kind).containsExactly("removing", "removingMeta");
      assertThat(events.get(0).onDisk()).isEqualTo(1_000);
      assertThat(events.get(0).area()).isEqualTo("finalized");
      await().until(() -> !events.get(0).file().exists());
    }
  }

  @Test
  void deletedFilesThatTheHookTookCountAsDeleted() throws Exception {
    c.script.limbo = true;
    c.write("/limbo", bytes(1_000, 9), 2);
    long id = c.id("/limbo");
    List<String> storages = c.storages("/limbo");
    long blocksBefore = blocksOnVolumes();
    c.fs.delete(new org.apache.hadoop.fs.Path("/limbo"), false);
    c.awaitEvents(id, "removingMeta", 2);
    await().until(() -> blocksOnVolumes() <= blocksBefore - 2);
    for (String storage : storages) {
      File file =
          on(storage, id).stream()
              .filter(e -> e.kind().equals("removing"))
              .findFirst()
              .orElseThrow()
              .file();
      assertThat(file).doesNotExist();
      File root = file.getAbsoluteFile();
      while (!root.getName().equals("current") || root.getPath().contains("BP-")) {
        root = root.getParentFile();
      }
      assertThat(new File(root.getParentFile(), "limbo/" + file.getName())).hasSize(1_000);
    }
  }

  private static long blocksOnVolumes() {
    long blocks = 0;
    for (DataNode dn : c.cluster.getDataNodes()) {
      for (Object info : dn.getFSDataset().getVolumeInfoMap().values()) {
        blocks += (Long) ((java.util.Map<?, ?>) info).get("numBlocks");
      }
    }
    return blocks;
  }

  @Test
  void aDeleteThatTheHookRefusesKeepsTheBytes() throws Exception {
    c.write("/refused", bytes(1_000, 10), 2);
    long id = c.id("/refused");
    List<String> storages = c.storages("/refused");
    c.script.failing.add("removing");
    c.fs.delete(new org.apache.hadoop.fs.Path("/refused"), false);
    c.awaitEvents(id, "removing", 2);
    for (String storage : storages) {
      File file =
          on(storage, id).stream()
              .filter(e -> e.kind().equals("removing"))
              .findFirst()
              .orElseThrow()
              .file();
      assertThat(file).hasSize(1_000);
      assertThat(c.script.kinds(id, storage)).doesNotContain("removingMeta");
    }
    // The directory scanner finds it, the NameNode deletes it again, and now it goes.
    c.script.failing.clear();
    for (DataNode dn : c.cluster.getDataNodes()) {
      DataNodeTestUtils.runDirectoryScanner(dn);
    }
    c.awaitEvents(id, "restored", 2);
    c.awaitEvents(id, "removingMeta", 2);
  }

  @Test
  void aFileLostAndFoundBehindHdfsBackIsTold() throws Exception {
    byte[] data = bytes(4_444, 17);
    c.write("/lost", data, 1);
    long id = c.id("/lost");
    Holder holder = holder("/lost");
    RecordingHooks hooks = holder.hooks();
    ReplicaView replica = holder.replica(id);
    assertThat(replica.lengthBytes()).isEqualTo(4_444);
    assertThat(replica.state()).isEqualTo("FINALIZED");
    c.script.events.clear();
    Path aside = dir.resolve("aside");
    Files.move(replica.blockFile().toPath(), aside);
    DataNodeTestUtils.runDirectoryScanner(hooks.datanode);
    assertThat(c.script.of(id)).extracting(Event::kind).startsWith("lost");
    assertThat(hooks.volumes).allMatch(v -> hooks.access.replica(v, id) == null);
    c.script.events.clear();
    Files.move(aside, replica.blockFile().toPath());
    c.script.failing.add("restored");
    DataNodeTestUtils.runDirectoryScanner(hooks.datanode);
    assertThat(c.script.of(id)).extracting(Event::kind).containsExactly("restored");
    // Refused by the hook: HDFS does not take note of it.
    assertThat(hooks.volumes).allMatch(v -> hooks.access.replica(v, id) == null);
    c.script.failing.clear();
    DataNodeTestUtils.runDirectoryScanner(hooks.datanode);
    assertThat(c.script.of(id)).extracting(Event::kind).containsExactly("restored", "restored");
    assertThat(hooks.volumes).anyMatch(v -> hooks.access.replica(v, id) != null);
  }

  @Test
  void trashKeepsTheBytesThatTheHookTook() throws Exception {
    c.script.limbo = true;
    byte[] data = bytes(8_765, 22);
    c.write("/trash", data, 2);
    long id = c.id("/trash");
    File block = holder("/trash").replica(id).blockFile();
    c.fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    c.fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
    c.fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    String pool = c.cluster.getNamesystem().getBlockPoolId();
    await()
        .until(
            () ->
                c.cluster.getDataNodes().stream()
                    .allMatch(d -> d.getFSDataset().trashEnabled(pool)));
    c.fs.delete(new org.apache.hadoop.fs.Path("/trash"), false);
    c.awaitEvents(id, "removingMeta", 2);
    File inTrash =
        new File(block.getPath().replace(pool + "/current/finalized", pool + "/trash/finalized"));
    await().until(inTrash::exists);
    assertThat(block).doesNotExist();
    assertThat(Files.readAllBytes(inTrash.toPath())).isEqualTo(data);
    // Its checksums follow it.
    await()
        .untilAsserted(
            () ->
                assertThat(
                        inTrash
                            .getParentFile()
                            .listFiles((d, n) -> n.startsWith("blk_" + id) && n.endsWith(".meta")))
                    .hasSize(1));
    c.fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    await().until(() -> !inTrash.exists());
    await()
        .until(
            () ->
                c.cluster.getDataNodes().stream()
                    .noneMatch(d -> d.getFSDataset().trashEnabled(pool)));
  }
}
