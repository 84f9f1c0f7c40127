/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A DataNode with two disks that both have a file of one block, as a move leaves that was cut
 * short; and one of whose disks cannot be read. The changes of the replica are in the log only.
 */
class TwoVolumesTest extends UpdateVolumeFixture {
  private static final String OTHER = "DS-2";
  @TempDir Path otherRoot;
  private OneVolume other;
  private ReplicaView replica;

  @BeforeEach
  void makeOther() {
    scheme = "FL";
    other = new OneVolume(otherRoot);
    replica = disk.replica(OneVolume.STORAGE, BLOCK);
  }

  @Override
  void configure(Configuration conf) {
    conf.set(StorageKey.QUIET.key(), "1ms");
  }

  private TwoVolumes node(Map<String, OneVolume> disks) throws IOException {
    volume.close(); // that of the fixture, which has admitted the replica
    return new TwoVolumes(disks, conf());
  }

  private TwoVolumes both() throws IOException {
    return node(Map.of(OneVolume.STORAGE, disk, OTHER, other));
  }

  /** HDFS has chosen the file that lacks the changes. */
  private ReplicaView useOther() throws Exception {
    ReplicaView older = other.add(BLOCK, content);
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    disk.forget(BLOCK);
    return older;
  }

  private void assertContent(ReplicaSnapshot snapshot) throws IOException {
    try (snapshot) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  private void assertNotDeleted(TwoVolumes node, File file) {
    assertThatThrownBy(() -> node.hooks(OneVolume.STORAGE).removing(OneVolume.POOL, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK);
  }

  private static void assertOtherIsWithheld(TwoVolumes node) {
    assertThat(node.reads(OTHER).withheld()).containsExactly(BLOCK);
  }

  @Test
  void theFileThatHdfsUsesInsteadIsWithheld() throws Exception {
    ReplicaView alone = other.add(BLOCK - 16, content);
    ReplicaView older = useOther();
    try (TwoVolumes node = both().start()) {
      assertThat(node.reads(OneVolume.STORAGE).withheld()).containsExactly(BLOCK);
      assertOtherIsWithheld(node);
      assertThatThrownBy(() -> node.reads(OTHER).open(TwoVolumes.request(older)))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("storageId=" + OneVolume.STORAGE)
          .hasMessageContaining("delete this one");
      node.reads(OTHER).open(TwoVolumes.request(alone)).close();
    }
    disk.find(replica);
    restart();
    assertContent(open(ReadCaller.CLIENT));
  }

  /** HDFS deletes one of both while it loads them, and when it scans its disks later. */
  @Test
  void theFileWithTheChangesIsNoDuplicateToBeDeleted() throws Exception {
    ReplicaView older = useOther();
    try (TwoVolumes node = both()) {
      assertNotDeleted(node, replica.blockFile());
      assertNotDeleted(node, replica.metaFile());
      assertThat(node.hooks(OTHER).removing(OneVolume.POOL, older.metaFile())).isFalse();
      node.start();
      assertOtherIsWithheld(node);
      assertNotDeleted(node, replica.blockFile());
      assertNotDeleted(node, replica.metaFile());
    }
    disk.find(replica);
    restart();
    assertContent(open(ReadCaller.CLIENT));
  }

  /** The disk with the changes is taken out, and nobody knows of them any more. */
  @Test
  void itStaysWithheldWithoutTheOneThatHasTheChanges() throws Exception {
    ReplicaView older = useOther();
    both().start().close();
    for (int life = 0; life < 2; life++) {
      try (TwoVolumes node = node(Map.of(OTHER, other)).start()) {
        assertOtherIsWithheld(node);
        assertThatThrownBy(() -> node.reads(OTHER).open(TwoVolumes.request(older)))
            .isInstanceOf(FileNotFoundException.class);
      }
    }
  }

  /** As the message says. */
  @Test
  void whenItIsDeletedTheOneThatHasTheChangesIsUsed() throws Exception {
    ReplicaView older = useOther();
    both().start().close();
    Files.delete(older.blockFile().toPath());
    Files.delete(older.metaFile().toPath());
    other.forget(BLOCK);
    disk.find(replica);
    try (TwoVolumes node = both().start()) {
      assertThat(node.reads(OTHER).withheld()).isEmpty();
      assertThat(node.reads(OneVolume.STORAGE).withheld()).isEmpty();
      assertContent(node.reads(OneVolume.STORAGE).open(TwoVolumes.request(replica)));
      assertThat(node.replicas().storageId(BLOCK)).isEqualTo(OneVolume.STORAGE);
    }
  }

  /** HDFS may use it when this disk fails, and it would lack the changes. */
  @Test
  void aReplicaIsNotAdmittedBesideAnotherFileOfItsBlock() throws Exception {
    ReplicaView older = other.add(BLOCK, content);
    other.forget(BLOCK); // HDFS does not use it
    try (TwoVolumes node = both().start()) {
      assertThatThrownBy(() -> node.replicas().admit(BLOCK, descriptor(DATA), ONE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(older.blockFile().toString())
          .hasMessageContaining("delete it");
      Files.delete(older.blockFile().toPath());
      node.replicas().admit(BLOCK, descriptor(DATA), ONE);
      Files.createFile(older.blockFile().toPath());
      node.replicas().admit(BLOCK, descriptor(DATA), TWO);
    }
  }

  /** HDFS holds a lock of the block pool meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"rbw", "tmp"})
  void aReplicaIsFinalizedWhileAnotherDiskHangs(String from) throws Exception {
    try (TwoVolumes node = both().start()) {
      node.replicas().admit(BLOCK, descriptor(DATA), ONE);
      Path sent = Files.createDirectories(root.resolve("current/BP-1/tmp")).resolve("blk_" + BLOCK);
      Files.copy(replica.blockFile().toPath(), sent);
      AtomicInteger asked = new AtomicInteger();
      File arriving =
          new File(sent.toString()) {
            @Override
            public String getName() {
              if (asked.getAndIncrement() == 0) {
                // Where it would wait for its disk.
                finalizeAlone(node, from);
              }
              return super.getName();
            }
          };
      finalizing(node, OneVolume.STORAGE, BLOCK, arriving);
      assertThat(asked).hasPositiveValue();
    }
  }

  private void finalizeAlone(TwoVolumes node, String from) {
    File file = otherRoot.resolve("current/BP-1/" + from + "/blk_" + (BLOCK - 16)).toFile();
    CompletableFuture.runAsync(
            () -> {
              try {
                finalizing(node, OTHER, BLOCK - 16, file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .orTimeout(1, TimeUnit.MINUTES)
        .join();
  }

  private void finalizing(TwoVolumes node, String storageId, long blockId, File file)
      throws IOException {
    node.hooks(storageId)
        .finalizing(
            OneVolume.POOL, blockId, OneVolume.STAMP, file, replica.metaFile(), LENGTH_BYTES);
  }

  /** As where its directory cannot be read. */
  @Test
  void aDiskOnWhichUpdatesDoNotStartFailsAlone() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    Path directory = Files.createDirectories(otherRoot.resolve("ecupdate")).resolve("BP-1");
    Files.createSymbolicLink(directory, directory);
    try (TwoVolumes node = both().start()) {
      assertThat(disk.failures).isEmpty();
      assertThat(other.failures).hasSize(1);
      assertThat(other.failures.get(0)).contains("updates do not start", directory.toString());
      assertContent(node.reads(OneVolume.STORAGE).open(TwoVolumes.request(replica)));
    }
  }
}
