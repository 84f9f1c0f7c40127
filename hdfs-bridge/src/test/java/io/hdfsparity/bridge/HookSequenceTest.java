/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static io.hdfsparity.bridge.BridgeCluster.BLOCK_BYTES;
import static io.hdfsparity.bridge.BridgeCluster.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.RecordingHooks.Event;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The right hooks, in the right order, with the files where the contract says, for what clients and
 * the NameNode do.
 */
@Tag("full")
class HookSequenceTest extends HookFixture {
  @Test
  void createReservesThenFinalizesWithBothFilesInRbw() throws Exception {
    byte[] data = bytes(70_001, 1);
    c.write("/create", data, 2);
    long id = c.id("/create");
    assertThat(c.storages("/create")).hasSize(2);
    for (String storage : c.storages("/create")) {
      List<Event> events = on(storage, id);
      assertThat(events).extracting(Event::kind).containsExactly("reserve", "finalizing");
      assertThat(events.get(0).bytes()).isEqualTo(BLOCK_BYTES);
      assertThat(events.get(1).bytes()).isEqualTo(data.length);
      assertThat(events.get(1).onDisk()).isEqualTo(data.length);
      assertThat(events.get(1).metaThere()).isTrue();
      assertThat(events.get(1).area()).isEqualTo("rbw");
      assertThat(events.get(1).generationStamp())
          .isEqualTo(c.block("/create").getGenerationStamp());
    }
    assertThat(c.read("/create")).isEqualTo(data);
  }

  /** A hook that waits for another daemon must not make the rest of the DataNode wait with it. */
  @Test
  void beforeFinalizingHoldsNoLockOfTheDataset() throws Exception {
    byte[] data = bytes(70_001, 7);
    List<Event> announced = new CopyOnWriteArrayList<>();
    List<String> locked = new CopyOnWriteArrayList<>();
    c.script.finishing =
        (hooks, event) -> {
          announced.add(event);
          requireUnlocked(hooks);
          locked.add(event.storageId());
        };
    c.write("/unlocked", data, 2);
    long id = c.id("/unlocked");
    assertThat(c.storages("/unlocked")).hasSize(2);
    for (String storage : c.storages("/unlocked")) {
      Event before =
          announced.stream().filter(e -> e.storageId().equals(storage)).findFirst().orElseThrow();
      assertThat(before.bytes()).isEqualTo(data.length);
      assertThat(before.onDisk()).isEqualTo(data.length);
      assertThat(before.metaThere()).isTrue();
      assertThat(before.area()).isEqualTo("rbw");
      assertThat(before.generationStamp()).isEqualTo(c.block("/unlocked").getGenerationStamp());
      assertThat(locked).contains(storage);
      assertThat(c.script.kinds(id, storage)).containsExactly("reserve", "finalizing");
    }
  }

  /** Another thread gets the lock of the block pool meanwhile. */
  private static void requireUnlocked(RecordingHooks hooks) throws IOException {
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try (AutoCloseDataSetLock lock =
                  hooks
                      .datanode
                      .getFSDataset()
                      .acquireDatasetLockManager()
                      .writeLock(LockLevel.BLOCK_POOl, hooks.startedPool)) {
                Thread.onSpinWait();
              }
            });
    try {
      writer.get(1, TimeUnit.MINUTES);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("a writer of the block pool waits for the hook", e);
    }
  }

  @Test
  void aRecoveryThatEndsAReplicaHoldsNoLockBefore() throws Exception {
    List<Event> announced = new CopyOnWriteArrayList<>();
    c.script.finishing =
        (hooks, event) -> {
          requireUnlocked(hooks);
          announced.add(event);
        };
    byte[] data = bytes(7_777, 15);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/recovered");
    FSDataOutputStream out = c.fs.create(path);
    out.write(data);
    out.hflush();
    try (DistributedFileSystem other =
        (DistributedFileSystem)
            FileSystem.newInstance(c.fs.getUri(), c.cluster.getConfiguration(0))) {
      await().pollInterval(Duration.ofSeconds(1)).until(() -> other.recoverLease(path));
    }
    c.awaitReplicas("/recovered", 2);
    assertThat(announced)
        .extracting(Event::storageId)
        .containsAll(Set.copyOf(c.storages("/recovered")));
    assertThat(announced)
        .allMatch(each -> each.bytes() == data.length && each.area().equals("rbw"))
        .allMatch(Event::metaThere);
    assertThat(c.read("/recovered")).isEqualTo(data);
  }

  @Test
  void aPipelineThatIsClosedByRecoveryHoldsNoLockBefore() throws Exception {
    List<Event> announced = new CopyOnWriteArrayList<>();
    c.script.finishing =
        (hooks, event) -> {
          requireUnlocked(hooks);
          announced.add(event);
        };
    RecordingHooks hooks = hooksOfANode();
    ExtendedBlock block = new ExtendedBlock(hooks.startedPool, 1L << 40, 0, 5000);
    String storage = hooks.volumes.iterator().next();
    makeEmptyRbw(hooks, block, storage);
    assertThat(hooks.datanode.getFSDataset().recoverClose(block, 5001, 0).getGenerationStamp())
        .isEqualTo(5001);
    assertThat(announced)
        .singleElement()
        .matches(each -> each.generationStamp() == 5000 && each.area().equals("rbw"));
    assertThat(c.script.kinds(block.getBlockId(), storage))
        .startsWith("reserve", "finalizing")
        .doesNotContain("finalizeFailed");
  }

  /** What the writer is about to finalize moves away while the recovery looks at it. */
  @Test
  void aRecoveryStopsTheWriterBeforeItAnnouncesTheEnd() throws Exception {
    RecordingHooks hooks = hooksOfANode();
    ExtendedBlock block = new ExtendedBlock(hooks.startedPool, 1L << 41, 0, 6000);
    String storage = hooks.volumes.iterator().next();
    CountDownLatch isEnding = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Boolean> wasStopped = new CompletableFuture<>();
    Thread writer =
        new Thread(() -> wasStopped.complete(endsInterrupted(hooks, block, storage)), "writer");
    List<Boolean> writerAlive = new CopyOnWriteArrayList<>();
    c.script.finishing =
        (at, event) -> {
          if (Thread.currentThread() != writer) {
            writerAlive.add(writer.isAlive());
            return;
          }
          isEnding.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("stopped").initCause(e);
          }
        };
    writer.start();
    isEnding.await();
    assertThat(hooks.datanode.getFSDataset().recoverClose(block, 6001, 0).getGenerationStamp())
        .isEqualTo(6001);
    assertThat(wasStopped.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(writerAlive).containsExactly(false);
    assertThat(c.script.kinds(block.getBlockId(), storage))
        .startsWith("reserve", "finalizing")
        .doesNotContain("finalizeFailed");
  }

  private RecordingHooks hooksOfANode() {
    return c.script.instances.stream().filter(each -> !each.closed).findFirst().orElseThrow();
  }

  private static void makeEmptyRbw(RecordingHooks hooks, ExtendedBlock block, String storage)
      throws IOException {
    try (ReplicaHandler made =
            hooks.datanode.getFSDataset().createRbw(StorageType.DISK, storage, block, false, 0);
        ReplicaOutputStreams files =
            made.getReplica().createStreams(true, DataChecksum.newDataChecksum(Type.CRC32C, 512))) {
      assertThat(files.getChecksum().getBytesPerChecksum()).isEqualTo(512);
    }
  }

  private static boolean endsInterrupted(
      RecordingHooks hooks, ExtendedBlock block, String storage) {
    try {
      makeEmptyRbw(hooks, block, storage);
      hooks.datanode.getFSDataset().finalizeBlock(block, false);
      return false;
    } catch (InterruptedIOException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aReplicaThatCannotBeFinalizedIsSaidToTheHooks() throws Exception {
    c.script.failing.add("finalizing");
    assertThatThrownBy(() -> c.write("/unfinished", bytes(10, 8), 2))
        .isInstanceOf(IOException.class);
    long id =
        c.script.events.stream()
            .filter(each -> each.kind().equals("finalizeFailed"))
            .findFirst()
            .orElseThrow()
            .blockId();
    assertThat(c.script.of(id)).extracting(Event::kind).contains("finalizing");
  }

  @Test
  void hflushDoesNotFinalize() throws Exception {
    byte[] data = bytes(5000, 2);
    try (FSDataOutputStream out = c.fs.create(new org.apache.hadoop.fs.Path("/hflush"))) {
      out.write(data, 0, 3000);
      out.hflush();
      out.write(data, 3000, 1000);
      out.hsync();
      long id = c.id("/hflush");
      assertThat(c.script.of(id)).extracting(Event::kind).containsOnly("reserve");
      out.write(data, 4000, 1000);
    }
    c.awaitReplicas("/hflush", 2);
    long id = c.id("/hflush");
    for (String storage : c.storages("/hflush")) {
      assertThat(c.script.kinds(id, storage)).containsExactly("reserve", "finalizing");
    }
    assertThat(c.read("/hflush")).isEqualTo(data);
  }

  @Test
  void packetGranularityReportsEachPacketWithItsBytesInTheFile() throws Exception {
    c.script.packets = true;
    byte[] data = bytes(200_000, 3);
    try (FSDataOutputStream out = c.fs.create(new org.apache.hadoop.fs.Path("/packets"))) {
      for (int at = 0; at < data.length; at += 50_000) {
        out.write(data, at, 50_000);
        out.hflush();
      }
    }
    c.awaitReplicas("/packets", 2);
    long id = c.id("/packets");
    for (String storage : c.storages("/packets")) {
      List<Event> written =
          on(storage, id).stream().filter(e -> e.kind().equals("written")).toList();
      assertThat(written)
          .hasSizeGreaterThanOrEqualTo(4)
          .isSortedAccordingTo((a, b) -> Long.compare(a.bytes(), b.bytes()));
      assertThat(written)
          .allSatisfy(
              e -> {
                assertThat(e.onDisk()).isGreaterThanOrEqualTo(e.bytes());
                assertThat(e.metaThere()).isTrue();
              });
      assertThat(written.get(written.size() - 1).bytes()).isEqualTo(data.length);
      assertThat(on(storage, id).get(on(storage, id).size() - 1).kind()).isEqualTo("finalizing");
    }
    // Appended in packets too: nothing is reported for bytes that were there before.
    c.script.events.clear();
    try (FSDataOutputStream out = c.fs.append(new org.apache.hadoop.fs.Path("/packets"))) {
      out.write(bytes(100, 4));
    }
    c.awaitReplicas("/packets", 2);
    for (String storage : c.storages("/packets")) {
      assertThat(c.script.kinds(id, storage)).containsExactly("reopening", "written", "finalizing");
      assertThat(on(storage, id).get(1).bytes()).isEqualTo(data.length + 100);
    }
    byte[] all = Arrays.copyOf(data, data.length + 100);
    System.arraycopy(bytes(100, 4), 0, all, data.length, 100);
    assertThat(c.read("/packets")).isEqualTo(all);
  }

  @Test
  void appendReopensInFinalizedAndFinalizesAgain() throws Exception {
    byte[] data = bytes(10_001, 5);
    c.write("/append", Arrays.copyOf(data, 6_000), 2);
    long oldStamp = c.block("/append").getGenerationStamp();
    long id = c.id("/append");
    c.script.events.clear();
    try (FSDataOutputStream out = c.fs.append(new org.apache.hadoop.fs.Path("/append"))) {
      out.write(data, 6_000, 4_001);
    }
    c.awaitReplicas("/append", 2);
    for (String storage : c.storages("/append")) {
      List<Event> events = on(storage, id);
      assertThat(events).extracting(Event::kind).containsExactly("reopening", "finalizing");
      assertThat(events.get(0).bytes()).isEqualTo(BLOCK_BYTES);
      assertThat(events.get(0).onDisk()).isEqualTo(6_000);
      assertThat(events.get(0).area()).isEqualTo("finalized");
      assertThat(events.get(0).metaThere()).isTrue();
      assertThat(events.get(1).bytes()).isEqualTo(10_001);
      assertThat(events.get(1).generationStamp()).isGreaterThan(oldStamp);
    }
    assertThat(c.read("/append")).isEqualTo(data);
  }

  @Test
  void truncateInPlaceAsksBeforeTheCutAndFinalizesAfterIt() throws Exception {
    byte[] data = bytes(9_000, 6);
    c.write("/truncate", data, 2);
    long id = c.id("/truncate");
    c.script.events.clear();
    c.fs.truncate(new org.apache.hadoop.fs.Path("/truncate"), 4_321);
    await().until(() -> c.fs.isFileClosed(new org.apache.hadoop.fs.Path("/truncate")));
    assertThat(c.id("/truncate")).isEqualTo(id);
    c.awaitReplicas("/truncate", 2);
    for (String storage : c.storages("/truncate")) {
      List<Event> events = on(storage, id);
      assertThat(events).extracting(Event::kind).containsExactly("truncating", "finalizing");
      assertThat(events.get(0).bytes()).isEqualTo(4_321);
      assertThat(events.get(0).onDisk()).isEqualTo(9_000);
      assertThat(events.get(0).metaThere()).isTrue();
      assertThat(events.get(1).bytes()).isEqualTo(4_321);
      assertThat(events.get(1).onDisk()).isEqualTo(4_321);
      assertThat(events.get(1).metaThere()).isTrue();
      assertThat(events.get(1).area()).isEqualTo("finalized");
      assertThat(events.get(1).generationStamp())
          .isEqualTo(c.block("/truncate").getGenerationStamp());
    }
    assertThat(c.read("/truncate")).isEqualTo(Arrays.copyOf(data, 4_321));
  }

  @Test
  void truncateOfASnapshottedFileReservesAndFinalizesTheCopy() throws Exception {
    org.apache.hadoop.fs.Path snapDir = new org.apache.hadoop.fs.Path("/snap");
    c.fs.mkdirs(snapDir);
    c.fs.allowSnapshot(snapDir);
    byte[] data = bytes(9_000, 7);
    c.write("/snap/f", data, 2);
    long oldId = c.id("/snap/f");
    c.fs.createSnapshot(snapDir, "s");
    c.script.events.clear();
    c.fs.truncate(new org.apache.hadoop.fs.Path("/snap/f"), 5_000);
    await().until(() -> c.fs.isFileClosed(new org.apache.hadoop.fs.Path("/snap/f")));
    c.awaitReplicas("/snap/f", 2);
    long newId = c.id("/snap/f");
    assertThat(newId).isNotEqualTo(oldId);
    for (String storage : c.storages("/snap/f")) {
      List<Event> events = on(storage, newId);
      assertThat(events)
          .extracting(Event::kind)
          .containsExactly("reserve", "truncating", "finalizing");
      assertThat(events.get(0).bytes()).isEqualTo(9_000);
      assertThat(events.get(1).area()).isEqualTo("tmp");
      assertThat(events.get(2).bytes()).isEqualTo(5_000);
      assertThat(events.get(2).onDisk()).isEqualTo(5_000);
      assertThat(c.script.kinds(oldId, storage)).doesNotContain("truncating", "removing");
    }
    assertThat(c.read("/snap/f")).isEqualTo(Arrays.copyOf(data, 5_000));
    assertThat(c.read("/snap/.snapshot/s/f")).isEqualTo(data);
  }

  @Test
  void overwriteRemovesTheOldBlockAndReservesTheNew() throws Exception {
    c.write("/over", bytes(1_000, 11), 2);
    long oldId = c.id("/over");
    byte[] data = bytes(2_000, 12);
    c.write("/over", data, 2);
    c.awaitEvents(oldId, "removingMeta", 2);
    long newId = c.id("/over");
    for (String storage : c.storages("/over")) {
      assertThat(c.script.kinds(newId, storage)).containsExactly("reserve", "finalizing");
    }
    assertThat(c.read("/over")).isEqualTo(data);
  }

  @Test
  void reReplicationReservesItsLengthAndFinalizesFromTmp() throws Exception {
    byte[] data = bytes(3_333, 13);
    c.write("/rerep", data, 1);
    long id = c.id("/rerep");
    c.script.events.clear();
    c.fs.setReplication(new org.apache.hadoop.fs.Path("/rerep"), (short) 2);
    c.awaitReplicas("/rerep", 2);
    List<Event> events = c.script.of(id);
    assertThat(events).extracting(Event::kind).containsExactly("reserve", "finalizing");
    assertThat(events.get(0).bytes()).isEqualTo(3_333);
    assertThat(events.get(1).area()).isEqualTo("tmp");
    assertThat(events.get(1).onDisk()).isEqualTo(3_333);
    assertThat(c.read("/rerep")).isEqualTo(data);
  }

  @Test
  void pipelineRecoveryFinalizesTheSurvivorAndRemovesTheStaleReplica() throws Exception {
    byte[] data = bytes(300_000, 14);
    DataNodeProperties stopped;
    try (FSDataOutputStream out = c.fs.create(new org.apache.hadoop.fs.Path("/pipe"))) {
      out.write(data, 0, 100_000);
      out.hflush();
      stopped = c.cluster.stopDataNode(c.first("/pipe").getLocations()[1].getXferAddr());
      out.write(data, 100_000, 200_000);
    }
    long id = c.id("/pipe");
    long stamp = c.block("/pipe").getGenerationStamp();
    List<Event> finalized =
        c.script.of(id).stream().filter(e -> e.kind().equals("finalizing")).toList();
    assertThat(finalized).hasSize(1);
    assertThat(finalized.get(0).generationStamp()).isEqualTo(stamp);
    assertThat(finalized.get(0).bytes()).isEqualTo(300_000);
    assertThat(c.cluster.restartDataNode(stopped, true)).isTrue();
    c.cluster.waitActive();
    c.awaitReplicas("/pipe", 2);
    assertThat(c.script.of(id)).extracting(Event::kind).contains("removing");
    List<Event> all = c.script.of(id).stream().filter(e -> e.kind().equals("finalizing")).toList();
    assertThat(all).hasSize(2).allMatch(e -> e.generationStamp() == stamp && e.bytes() == 300_000);
    assertThat(c.read("/pipe")).isEqualTo(data);
  }

  @Test
  void leaseRecoveryFinalizesWhatWasFlushed() throws Exception {
    byte[] data = bytes(7_777, 15);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/lease");
    FSDataOutputStream out = c.fs.create(path);
    out.write(data);
    out.hflush();
    long id = c.id("/lease");
    try (DistributedFileSystem other =
        (DistributedFileSystem)
            FileSystem.newInstance(c.fs.getUri(), c.cluster.getConfiguration(0))) {
      await().pollInterval(Duration.ofSeconds(1)).until(() -> other.recoverLease(path));
    }
    c.awaitReplicas("/lease", 2);
    for (String storage : c.storages("/lease")) {
      List<Event> events = on(storage, id);
      assertThat(events.get(0).kind()).isEqualTo("reserve");
      assertThat(events.subList(1, events.size()))
          .isNotEmpty()
          .allSatisfy(
              e -> {
                assertThat(e.kind()).isEqualTo("finalizing");
                assertThat(e.bytes()).isEqualTo(7_777);
              });
      assertThat(events.get(events.size() - 1).generationStamp())
          .isEqualTo(c.block("/lease").getGenerationStamp());
    }
    assertThat(c.read("/lease")).isEqualTo(data);
  }

  @Test
  void restartOpensVolumesAndStartsWithAllReplicasKnown() throws Exception {
    byte[] data = bytes(2_222, 16);
    c.write("/restart", data, 2);
    int before = c.script.instances.size();
    c.cluster.restartDataNode(0);
    c.cluster.waitActive();
    await().until(() -> c.script.instances.size() == before + 1);
    RecordingHooks hooks = c.script.instances.get(before);
    await().until(() -> hooks.startedPool != null);
    assertThat(hooks.volumes).hasSize(2);
    assertThat(hooks.startedPool).isEqualTo(c.cluster.getNamesystem().getBlockPoolId());
    assertThat(hooks.replicasAtStart).isPositive();
    assertThat(c.script.instances.stream().filter(i -> i.closed)).isNotEmpty();
    assertThat(c.read("/restart")).isEqualTo(data);
  }

  @Test
  void installMakesAFinalizedReplicaThatTheNameNodeKnows() throws Exception {
    byte[] data = bytes(6_543, 18);
    c.write("/install", data, 1);
    ExtendedBlock block = c.block("/install");
    Holder holder = holder("/install");
    RecordingHooks source = holder.hooks();
    byte[] meta = Files.readAllBytes(holder.replica(block.getBlockId()).metaFile().toPath());
    RecordingHooks hooks =
        c.script.instances.stream().filter(h -> !h.closed && h != source).findFirst().orElseThrow();
    String storage = hooks.volumes.iterator().next();
    assertThatThrownBy(
            () ->
                hooks.access.install(
                    storage,
                    block.getBlockId(),
                    block.getGenerationStamp(),
                    data.length,
                    (d, m) -> d.write(data, 0, 100)))
        .hasMessageContaining("lengthBytes=100");
    assertThat(hooks.access.replica(storage, block.getBlockId())).isNull();
    assertThat(c.script.kinds(block.getBlockId(), storage))
        .containsExactly("reserve", "removing", "removingMeta");
    c.script.events.clear();
    hooks.access.install(
        storage,
        block.getBlockId(),
        block.getGenerationStamp(),
        data.length,
        (d, m) -> {
          d.write(data, 0, 1_000);
          d.write(data, 1_000, data.length - 1_000);
          m.write(meta, 0, meta.length);
        });
    assertThat(c.script.kinds(block.getBlockId(), storage)).startsWith("reserve", "finalizing");
    // One replica is wanted, so the NameNode, told of two, deletes one: proof that it was told.
    c.awaitEvents(block.getBlockId(), "removingMeta", 1);
    assertThat(c.read("/install")).isEqualTo(data);
  }
}
