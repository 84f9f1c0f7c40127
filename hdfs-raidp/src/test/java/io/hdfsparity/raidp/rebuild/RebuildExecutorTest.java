/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstord.LstorDaemon;
import io.hdfsparity.raidp.lstord.SimLstors;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rebuild over real RPC from real Lstor files; only the dataset is a folder and the mirrors are
 * the twin's.
 */
class RebuildExecutorTest {
  private static final FrameRef TARGET = new FrameRef("DS-target", 4);
  @TempDir Path dir;
  private SimCluster cluster;
  private SimCluster.Superchunk lost;
  private LstorDaemon daemonA;
  private LstorDaemon daemonB;
  private SimPeer peer;
  private RPC.Server peerServer;
  private FolderDataset dataset;
  private RpcRebuildClients clients;
  private RebuildExecutor executor;

  @BeforeEach
  void start() throws IOException {
    cluster = SimCluster.full(new Random(31), LstorGeometry.of(3, 24, 65536), 4);
    cluster.fill(0.9, false);
    lost = cluster.superchunks.get(0);
    daemonA = daemon(lost.a());
    daemonB = daemon(lost.b());
    peer = new SimPeer(cluster, Set.of(lost.a(), lost.b()));
    peerServer =
        RpcServers.build(
            new HdfsConfiguration(),
            new InetSocketAddress("127.0.0.1", 0),
            4,
            RaidpProtocols.peer(() -> peer));
    peerServer.start();
    dataset = new FolderDataset(Files.createDirectory(dir.resolve("frame")));
    clients = new RpcRebuildClients(new HdfsConfiguration(), 120_000);
    executor = executor();
  }

  @AfterEach
  void stop() throws IOException {
    executor.close();
    clients.close();
    peerServer.stop();
    daemonA.close();
    daemonB.close();
  }

  private RebuildExecutor executor() {
    return executor(RebuiltBlocks.none());
  }

  private RebuildExecutor executor(RebuiltBlocks blocks) {
    RebuildTuning tuning = new RebuildTuning(16 << 20, 8, 2, 1, 2, 10);
    return new RebuildExecutor(
        dataset,
        blocks,
        clients,
        tuning,
        Kernels.best(),
        Clock.system(),
        storageId -> Optional.of(dir.resolve("spill")));
  }

  private LstorDaemon daemon(SimCluster.Disk disk) throws IOException {
    Path lstors = Files.createDirectory(dir.resolve(disk.id));
    SimLstors.fill(lstors, cluster, disk);
    Configuration conf = new HdfsConfiguration();
    // Nobody listens there: the daemon serves all the same.
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:1");
    conf.set(RaidpKey.LSTOR_DIRS.key(), lstors.toString());
    conf.set(RaidpKey.LSTOR_RPC_ADDRESS.key(), "127.0.0.1:0");
    return new LstorDaemon(conf, Clock.system());
  }

  private LstorSource source(SimCluster.Disk disk, int port) {
    List<Mirror> mirrors = new ArrayList<>();
    for (int frame = 0; frame < disk.frames.length; frame++) {
      SimCluster.Superchunk superchunk = disk.frames[frame];
      SimCluster.Disk other = superchunk.other(disk);
      boolean alive = superchunk != lost;
      mirrors.add(
          new Mirror(
              frame,
              SimLstors.storageId(disk, frame),
              alive
                  ? Optional.of(SimLstors.storageId(other, superchunk.frameOn(other)))
                  : Optional.empty(),
              alive
                  ? Optional.of(
                      new PeerAddress(
                          "node", "127.0.0.1", peerServer.getListenerAddress().getPort()))
                  : Optional.empty()));
    }
    return new LstorSource(disk.id, "127.0.0.1", port, OptionalInt.of(lost.frameOn(disk)), mirrors);
  }

  private RebuildOrder order(long id, List<ExpectedBlock> expected) {
    return new RebuildOrder(
        id,
        cluster.superchunks.indexOf(lost),
        2,
        TARGET,
        List.of(source(lost.a(), daemonA.port()), source(lost.b(), daemonB.port())),
        new RebuildPace(65536, LockGranularity.RANGE, 0),
        expected,
        FolderDataset.POOL);
  }

  private List<SlotEntry> lostRows() {
    return lost.a().rows.stream().filter(row -> row.frameIndex() == lost.frameA()).toList();
  }

  private static ExpectedBlock expected(SlotEntry row) {
    return new ExpectedBlock(
        row.blockId(), row.generationStamp(), true, OptionalLong.of(row.coveredBytes()));
  }

  private RebuildStatus run(RebuildExecutor on, RebuildOrder order) {
    on.submit(order);
    await().until(() -> status(on, order.rebuildId()).phase() != RebuildPhase.RUNNING);
    return status(on, order.rebuildId());
  }

  private static RebuildStatus status(RebuildExecutor on, long id) {
    return on.statuses().stream()
        .filter(status -> status.rebuildId() == id)
        .findFirst()
        .orElseThrow();
  }

  private void assertInstalled(SlotEntry row) throws IOException {
    var replica = dataset.replicas.get(row.blockId());
    assertThat(replica).as("block %d", row.blockId()).isNotNull();
    assertThat(
            java.util.Arrays.equals(
                Files.readAllBytes(replica.blockFile().toPath()),
                cluster.image(ParityKind.DATA, row)))
        .isTrue();
    assertThat(
            java.util.Arrays.equals(
                Files.readAllBytes(replica.metaFile().toPath()),
                cluster.image(ParityKind.META, row)))
        .isTrue();
  }

  @Test
  void rebuildsAllThatIsExpectedAndNothingTwice() throws IOException {
    List<ExpectedBlock> expected = lostRows().stream().map(RebuildExecutorTest::expected).toList();
    RebuildStatus done = run(executor, order(5, expected));
    assertThat(done.errors()).isEmpty();
    assertThat(done.phase()).isEqualTo(RebuildPhase.DONE);
    assertThat(done.counts().blocksDone())
        .isEqualTo(expected.size())
        .isEqualTo(done.counts().blocksTotal());
    assertThat(done.counts().bytesDone())
        .isEqualTo(done.counts().bytesTotal())
        .isEqualTo(lostRows().stream().mapToLong(SlotEntry::coveredBytes).sum());
    for (SlotEntry row : lostRows()) {
      assertInstalled(row);
    }
    int installs = dataset.installs.get();
    executor.submit(order(5, expected));
    assertThat(status(executor, 5).phase()).isEqualTo(RebuildPhase.DONE);

    // As after a restart of the DataNode: nothing is known of the order, everything is found in
    // place.
    try (RebuildExecutor restarted = executor()) {
      assertThat(run(restarted, order(5, expected)).phase()).isEqualTo(RebuildPhase.DONE);
    }
    assertThat(dataset.installs.get()).isEqualTo(installs);
  }

  @Test
  void withoutAListEverythingInTheTablesComesBack() throws IOException {
    assertThat(run(executor, order(1, List.of())).phase()).isEqualTo(RebuildPhase.DONE);
    for (SlotEntry row : lostRows()) {
      assertInstalled(row);
    }
  }

  @Test
  void aDamagedEarlierInstallIsNotTakenForDone() throws IOException {
    run(executor, order(1, List.of()));
    SlotEntry row =
        lostRows().stream().filter(r -> r.coveredBytes() > 100).findFirst().orElseThrow();
    Path file = dataset.replicas.get(row.blockId()).blockFile().toPath();
    byte[] bytes = Files.readAllBytes(file);
    bytes[50] ^= 1;
    Files.write(file, bytes);
    RebuildStatus status = run(executor, order(2, List.of(expected(row))));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors())
        .singleElement()
        .asString()
        .contains("Cannot keep replica")
        .contains("CRC mismatch");
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
  }

  /** The receiver's node was away while the blocks were appended to. */
  @Test
  void anOlderReplicaYields() throws IOException {
    SlotEntry finalized = lostRows().get(0);
    SlotEntry interrupted = lostRows().get(1);
    putOlder(finalized, "FINALIZED");
    putOlder(interrupted, "RWR");
    RebuildStatus status =
        run(executor, order(1, List.of(expected(finalized), expected(interrupted))));
    assertThat(status.errors()).isEmpty();
    assertThat(status.phase()).isEqualTo(RebuildPhase.DONE);
    assertInstalled(finalized);
    assertInstalled(interrupted);
  }

  private void putOlder(SlotEntry row, String state) {
    File data = dir.resolve("older-" + row.blockId()).toFile();
    dataset.replicas.put(
        row.blockId(),
        new ReplicaView(row.blockId(), row.generationStamp() - 1, 1, state, data, data));
  }

  @Test
  void aReplicaThatIsNoOlderStays() throws IOException {
    SlotEntry row = lostRows().get(0);
    File data = dir.resolve("newer").toFile();
    ReplicaView newer =
        new ReplicaView(row.blockId(), row.generationStamp() + 1, 1, "FINALIZED", data, data);
    dataset.replicas.put(row.blockId(), newer);
    RebuildStatus status = run(executor, order(1, List.of(expected(row))));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors()).singleElement().asString().contains("Cannot install block");
    assertThat(dataset.replicas).containsEntry(row.blockId(), newer);
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.NONE);
  }

  /** Nothing removes it, so the attempts must have an end. */
  @Test
  void aReplicaThatAPowerLossHasShortenedCountsAsAFailedAttempt() throws IOException {
    SlotEntry shorter = lostRows().get(0);
    SlotEntry interrupted = lostRows().get(1);
    File data = dir.resolve("shorter").toFile();
    dataset.replicas.put(
        shorter.blockId(),
        new ReplicaView(shorter.blockId(), shorter.generationStamp(), 1, "FINALIZED", data, data));
    dataset.replicas.put(
        interrupted.blockId(),
        new ReplicaView(
            interrupted.blockId(),
            interrupted.generationStamp(),
            interrupted.coveredBytes(),
            "RWR",
            data,
            data));
    RebuildStatus status =
        run(executor, order(1, List.of(expected(shorter), expected(interrupted))));
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.NONE);
    assertThat(status.errors())
        .hasSize(2)
        .anyMatch(
            error ->
                error.contains("block=" + shorter.blockId()) && error.contains("lengthBytes=1"))
        .anyMatch(
            error ->
                error.contains("block=" + interrupted.blockId()) && error.contains("state=RWR"));
  }

  @Test
  void oneDaemonAndSomeMirrorsMayBeDown() throws IOException {
    daemonB.close();
    RebuildStatus status = run(executor, order(1, List.of()));
    assertThat(status.errors()).isEmpty();
    assertThat(status.phase()).isEqualTo(RebuildPhase.DONE);
    for (SlotEntry row : lostRows()) {
      assertInstalled(row);
    }
  }

  @Test
  void wrongAndMissingImagesAreSurvivedThroughTheOtherLstorOrReported() throws IOException {
    for (SlotEntry row : lost.a().rows) {
      if (row.frameIndex() != lost.frameA()) {
        (row.blockId() % 2 == 0 ? peer.refused : peer.wrong).add(row.blockId());
      }
    }
    assertThat(run(executor, order(1, List.of())).phase()).isEqualTo(RebuildPhase.DONE);
    for (SlotEntry row : lostRows()) {
      assertInstalled(row);
    }
    dataset.replicas.clear();
    lost.b().rows.stream()
        .filter(row -> row.frameIndex() != lost.frameB())
        .forEach(row -> peer.wrong.add(row.blockId()));
    RebuildStatus status = run(executor, order(2, List.of()));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors())
        .isNotEmpty()
        .allMatch(error -> error.startsWith("block ") && error.contains("Lstor of disk"));
    assertThat(status.obstacle()).as("each has said what it has").isEqualTo(RebuildObstacle.NONE);
    assertThat(status.counts().blocksDone()).isLessThan(status.counts().blocksTotal());
    for (SlotEntry row : lostRows()) {
      if (dataset.replicas.containsKey(row.blockId())) {
        assertInstalled(row);
      }
    }
  }

  @Test
  void aReceiverWithoutRoomSaysThatItHasFailedItself() throws IOException {
    dataset.beforeInstall =
        () -> {
          throw new UncheckedIOException(new IOException("no space left on device"));
        };
    RebuildStatus status = run(executor, order(1, List.of()));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors()).isNotEmpty().allMatch(error -> error.contains("no space left"));
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
    dataset.beforeInstall = () -> {};
    RebuildStatus later = run(executor, order(2, List.of()));
    assertThat(later.phase()).isEqualTo(RebuildPhase.DONE);
    assertThat(later.obstacle()).isEqualTo(RebuildObstacle.NONE);
  }

  @Test
  void aReceiverWithoutTheFrameSaysThatItHasFailedItself() {
    RebuiltBlocks frameless =
        new RebuiltBlocks() {
          @Override
          public void claim(String storageId, long superchunkId, long epoch, long blockId)
              throws IOException {
            throw new IOException("Cannot claim block: no frame in superchunk=" + superchunkId);
          }

          @Override
          public void endClaim(String storageId, long blockId) {}
        };
    try (RebuildExecutor other = executor(frameless)) {
      RebuildStatus status = run(other, order(1, List.of()));
      assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
      assertThat(status.errors()).isNotEmpty().allMatch(error -> error.contains("no frame"));
      assertThat(status.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
    }
  }

  /** What it has decoded before is not lost for that. */
  @Test
  void anErrorOfTheReceiverIsItsOwn() {
    dataset.beforeInstall =
        () -> {
          throw new OutOfMemoryError("simulated");
        };
    RebuildStatus status = run(executor, order(1, List.of()));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors()).anyMatch(error -> error.contains("OutOfMemoryError"));
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
  }

  /** They may be there again a minute later. */
  @Test
  void blocksThatFailWhileNoMirrorAnswersMayBeRebuiltLater() {
    RebuildOrder order = order(1, List.of());
    peerServer.stop();
    RebuildStatus status = run(executor, order);
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors()).isNotEmpty();
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.SOURCE_UNANSWERED);
  }

  /**
   * An open block may have more in replicas that are only out of reach: nothing shorter takes their
   * place. Where they are lost, which the manager says by leaving the length out, what the parity
   * covers comes back under the stamp that lease recovery asks for.
   */
  @Test
  void theGenerationStampRule() throws IOException {
    SlotEntry lost = lostRows().get(0);
    SlotEntry stale = lostRows().get(1);
    SlotEntry silent = lostRows().get(2);
    List<ExpectedBlock> expected =
        List.of(
            new ExpectedBlock(
                lost.blockId(), lost.generationStamp() + 3, false, OptionalLong.empty()),
            new ExpectedBlock(
                stale.blockId(),
                stale.generationStamp() + 1,
                true,
                OptionalLong.of(stale.coveredBytes())),
            new ExpectedBlock(
                silent.blockId(),
                silent.generationStamp() + 1,
                false,
                OptionalLong.of(silent.coveredBytes())));
    RebuildStatus status = run(executor, order(1, expected));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors())
        .hasSize(2)
        .anySatisfy(
            error ->
                assertThat(error)
                    .contains("block " + stale.blockId())
                    .contains("generationStamp=" + stale.generationStamp()))
        .anySatisfy(
            error ->
                assertThat(error)
                    .contains("block " + silent.blockId())
                    .contains("generationStamp=" + silent.generationStamp())
                    .contains("start a DataNode that has it", "-failDisk"));
    assertThat(dataset.replicas.keySet()).containsExactly(lost.blockId());
    assertThat(dataset.replicas.get(lost.blockId()).generationStamp())
        .isEqualTo(lost.generationStamp() + 3);
  }

  @Test
  void ordersThatCannotBeRightAreRefused() {
    RebuildOrder good = order(1, List.of());
    RebuildStatus foreign =
        run(
            executor,
            new RebuildOrder(
                1,
                good.superchunkId(),
                2,
                TARGET,
                good.sources(),
                new RebuildPace(65536, LockGranularity.RANGE, 0),
                List.of(),
                "BP-other"));
    assertThat(foreign.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(foreign.errors()).singleElement().asString().contains("blockPool=BP-other");
    assertThat(foreign.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
    RebuildStatus other =
        run(
            executor,
            new RebuildOrder(
                2,
                99,
                2,
                TARGET,
                good.sources(),
                new RebuildPace(65536, LockGranularity.SUPERCHUNK, 0),
                List.of(),
                FolderDataset.POOL));
    assertThat(other.errors()).singleElement().asString().contains("expected 99");
    assertThat(dataset.replicas).isEmpty();
  }

  @Test
  void cancelAndCloseEndARunningRebuild() {
    dataset.beforeInstall = () -> executor.cancel(1);
    RebuildStatus status = run(executor, order(1, List.of()));
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors()).anyMatch(error -> error.contains("cancelled"));
    assertThat(status.obstacle()).isEqualTo(RebuildObstacle.RECEIVER_FAILED);
    assertThat(status.counts().blocksDone()).isLessThan(status.counts().blocksTotal());
    dataset.beforeInstall = () -> {};
    assertThat(run(executor, order(2, List.of())).phase()).isEqualTo(RebuildPhase.DONE);
  }
}
