/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  /** A DataNode and the hooks of its volumes, by storage. */
  private final class Node implements AutoCloseable {
    private final EcUpdateDatasetHooks hooks = new EcUpdateDatasetHooks();
    private final Map<String, VolumeHooks> volumes = new HashMap<>();

    Node(Map<String, OneVolume> disks) throws IOException {
      volume.close(); // that of the fixture, which has admitted the replica
      hooks.open(null, dataset(disks), conf());
      for (Map.Entry<String, OneVolume> each : disks.entrySet()) {
        volumes.put(each.getKey(), hooks.volume(each.getKey(), each.getValue().root().toFile()));
      }
    }

    Node start() throws IOException {
      hooks.started(OneVolume.POOL);
      return this;
    }

    SnapshotReads reads(String storageId) {
      return volumes.get(storageId).snapshotReads();
    }

    UpdateReplicas replicas() throws IOException {
      return hooks.replicas();
    }

    @Override
    public void close() {
      hooks.close();
    }
  }

  private Node both() throws IOException {
    return new Node(Map.of(OneVolume.STORAGE, disk, OTHER, other));
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

  private void assertNotDeleted(Node node, File file) {
    assertThatThrownBy(() -> node.volumes.get(OneVolume.STORAGE).removing(OneVolume.POOL, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK);
  }

  private static void assertOtherIsWithheld(Node node) {
    assertThat(node.reads(OTHER).withheld()).containsExactly(BLOCK);
  }

  @Test
  void theFileThatHdfsUsesInsteadIsWithheld() throws Exception {
    ReplicaView alone = other.add(BLOCK - 16, content);
    ReplicaView older = useOther();
    try (Node node = both().start()) {
      assertThat(node.reads(OneVolume.STORAGE).withheld()).containsExactly(BLOCK);
      assertOtherIsWithheld(node);
      assertThatThrownBy(() -> node.reads(OTHER).open(request(older)))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("storageId=" + OneVolume.STORAGE)
          .hasMessageContaining("delete this one");
      node.reads(OTHER).open(request(alone)).close();
    }
    disk.find(replica);
    restart();
    assertContent(open(ReadCaller.CLIENT));
  }

  /** HDFS deletes one of both while it loads them, and when it scans its disks later. */
  @Test
  void theFileWithTheChangesIsNoDuplicateToBeDeleted() throws Exception {
    ReplicaView older = useOther();
    try (Node node = both()) {
      assertNotDeleted(node, replica.blockFile());
      assertNotDeleted(node, replica.metaFile());
      assertThat(node.volumes.get(OTHER).removing(OneVolume.POOL, older.metaFile())).isFalse();
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
      try (Node node = new Node(Map.of(OTHER, other)).start()) {
        assertOtherIsWithheld(node);
        assertThatThrownBy(() -> node.reads(OTHER).open(request(older)))
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
    try (Node node = both().start()) {
      assertThat(node.reads(OTHER).withheld()).isEmpty();
      assertThat(node.reads(OneVolume.STORAGE).withheld()).isEmpty();
      assertContent(node.reads(OneVolume.STORAGE).open(request(replica)));
      assertThat(node.replicas().storageId(BLOCK)).isEqualTo(OneVolume.STORAGE);
    }
  }

  /** HDFS may use it when this disk fails, and it would lack the changes. */
  @Test
  void aReplicaIsNotAdmittedBesideAnotherFileOfItsBlock() throws Exception {
    ReplicaView older = other.add(BLOCK, content);
    other.forget(BLOCK); // HDFS does not use it
    try (Node node = both().start()) {
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

  /** As where its directory cannot be read. */
  @Test
  void aDiskOnWhichUpdatesDoNotStartFailsAlone() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    Path directory = Files.createDirectories(otherRoot.resolve("ecupdate")).resolve("BP-1");
    Files.createSymbolicLink(directory, directory);
    try (Node node = both().start()) {
      assertThat(disk.failures).isEmpty();
      assertThat(other.failures).hasSize(1);
      assertThat(other.failures.get(0)).contains("updates do not start", directory.toString());
      assertContent(node.reads(OneVolume.STORAGE).open(request(replica)));
    }
  }

  private static SnapshotReads.Request request(ReplicaView view) {
    return new SnapshotReads.Request(
        OneVolume.POOL,
        view.blockId(),
        view.generationStamp(),
        view.lengthBytes(),
        view.blockFile(),
        view.metaFile(),
        ReadCaller.CLIENT);
  }

  /** Asks the volume of the storage that is named first. */
  private static DatasetAccess dataset(Map<String, OneVolume> volumes) {
    return (DatasetAccess)
        Proxy.newProxyInstance(
            DatasetAccess.class.getClassLoader(),
            new Class<?>[] {DatasetAccess.class},
            (proxy, method, arguments) -> {
              Object named =
                  arguments[0] instanceof List<?> several ? several.get(0) : arguments[0];
              try {
                return method.invoke(volumes.get((String) named), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
