/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstord.LstorDaemon;
import io.hdfsparity.raidp.lstord.SimLstors;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rebuild from the real Lstor of a disk that is back for a moment and takes two more blocks. They
 * lie over the wanted one and have its form: what is decoded by the table of before and the parity
 * of after is wrong, and its CRCs match.
 */
class RebuildOfChangedLstorTest {
  private static final int LENGTH = 150_000;

  @TempDir Path dir;
  private SimCluster cluster;
  private SimCluster.Disk dead;
  private SimCluster.Superchunk lost;
  private LstorDaemon daemon;
  private FolderDataset dataset;
  private RpcRebuildClients rpc;
  private RebuildExecutor executor;
  private final List<SlotEntry> further = new ArrayList<>();
  private final AtomicInteger tablesRead = new AtomicInteger();

  /** Runs before parity is read. */
  private volatile Runnable beforeParity = () -> {};

  @BeforeEach
  void start() throws IOException {
    cluster = new SimCluster(new Random(12), LstorGeometry.of(3, 24, 65536));
    for (int i = 0; i < 4; i++) {
      cluster.addDisk();
    }
    dead = cluster.disks.get(0);
    for (int i = 1; i < 4; i++) {
      cluster.pair(dead, 1, cluster.disks.get(i), 2);
    }
    lost = cluster.superchunks.get(0);
    for (int frame = 0; frame < 3; frame++) {
      byte[] content = new byte[LENGTH];
      cluster.random.nextBytes(content);
      cluster.contents.put(100L + frame, Map.of(1L, content));
      SlotEntry row =
          SimCluster.row(
              frame, 100 + frame, 1, List.of(new Run(0, 3)), LENGTH, true, 2, 512, SlotState.LIVE);
      (frame == 0 ? dead.rows : further).add(row);
    }
    Path lstors = Files.createDirectory(dir.resolve("lstors"));
    SimLstors.fill(lstors, cluster, dead);
    // The mirrors have these blocks, whether or not the Lstor has their rows.
    dead.rows.addAll(further);
    daemon = new LstorDaemon(conf(lstors), Clock.system());
    dataset = new FolderDataset(Files.createDirectory(dir.resolve("frame")));
    rpc = new RpcRebuildClients(new HdfsConfiguration(), 120_000);
    executor =
        new RebuildExecutor(
            dataset,
            RebuiltBlocks.none(),
            clients(),
            new RebuildTuning(16 << 20, 8, 2, 1, 3, 10),
            Kernels.best(),
            Clock.system(),
            storageId -> Optional.of(dir.resolve("spill")));
  }

  @AfterEach
  void stop() throws IOException {
    executor.close();
    rpc.close();
    daemon.close();
  }

  private static Configuration conf(Path lstors) {
    Configuration conf = new HdfsConfiguration();
    // Nobody listens there: the daemon serves all the same.
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:1");
    conf.set(RaidpKey.LSTOR_DIRS.key(), lstors.toString());
    conf.set(RaidpKey.LSTOR_RPC_ADDRESS.key(), "127.0.0.1:0");
    return conf;
  }

  private RebuildClients clients() {
    SimPeer peer = new SimPeer(cluster, Set.of(dead, lost.b()));
    return new RebuildClients() {
      @Override
      public RaidpLstorProtocol lstor(InetSocketAddress address) throws IOException {
        return new WatchedLstor(rpc.lstor(address));
      }

      @Override
      public RaidpPeerProtocol peer(InetSocketAddress address) {
        return peer;
      }
    };
  }

  private final class WatchedLstor implements RaidpLstorProtocol {
    private final RaidpLstorProtocol served;

    WatchedLstor(RaidpLstorProtocol served) {
      this.served = served;
    }

    @Override
    public LstorInfo info(String diskId) throws IOException {
      return served.info(diskId);
    }

    @Override
    public List<SlotEntry> entries(String diskId, OptionalInt frameIndex) throws IOException {
      tablesRead.incrementAndGet();
      return served.entries(diskId, frameIndex);
    }

    @Override
    public long takes(String diskId) throws IOException {
      return served.takes(diskId);
    }

    @Override
    public byte[] readParity(String diskId, ImageKind kind, long position, int count)
        throws IOException {
      beforeParity.run();
      return served.readParity(diskId, kind, position, count);
    }
  }

  /** The disk is back for a moment, takes rows, and goes again. */
  private void cover(List<SlotEntry> rows) {
    try {
      SimLstors.coverAsDataNode(dir.resolve("lstors"), cluster, dead, rows);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private RebuildOrder order() {
    List<Mirror> mirrors = new ArrayList<>();
    for (int frame = 0; frame < 3; frame++) {
      SimCluster.Superchunk superchunk = dead.frames[frame];
      SimCluster.Disk other = superchunk.other(dead);
      boolean survives = superchunk != lost;
      mirrors.add(
          new Mirror(
              frame,
              SimLstors.storageId(dead, frame),
              survives
                  ? Optional.of(SimLstors.storageId(other, superchunk.frameOn(other)))
                  : Optional.empty(),
              survives ? Optional.of(new PeerAddress("n", "127.0.0.1", 1)) : Optional.empty()));
    }
    return new RebuildOrder(
        1,
        cluster.superchunks.indexOf(lost),
        2,
        new FrameRef("DS-target", 4),
        List.of(new LstorSource(dead.id, "127.0.0.1", daemon.port(), OptionalInt.of(0), mirrors)),
        new RebuildPace(65536, LockGranularity.RANGE, 0),
        List.of(new ExpectedBlock(100, 1, true, OptionalLong.of(LENGTH))),
        FolderDataset.POOL);
  }

  private RebuildStatus run() {
    executor.submit(order());
    await().until(() -> executor.statuses().get(0).phase() != RebuildPhase.RUNNING);
    return executor.statuses().get(0);
  }

  private byte[] installed() throws IOException {
    return Files.readAllBytes(dataset.replicas.get(100L).blockFile().toPath());
  }

  @Test
  void aTableIsReadAgainWhenItsLstorHasChanged() throws IOException {
    beforeParity =
        () -> {
          beforeParity = () -> {};
          cover(further);
        };
    RebuildStatus status = run();
    assertThat(status.errors()).isEmpty();
    assertThat(status.phase()).isEqualTo(RebuildPhase.DONE);
    assertThat(installed()).isEqualTo(cluster.contents.get(100L).get(1L));
    assertThat(tablesRead.get()).isEqualTo(2);
  }

  @Test
  void nothingIsInstalledFromAnLstorThatKeepsChanging() {
    beforeParity = () -> cover(List.of());
    RebuildStatus status = run();
    assertThat(status.phase()).isEqualTo(RebuildPhase.FAILED);
    assertThat(status.errors())
        .first()
        .asString()
        .contains("disk=" + dead.id)
        .contains("expected the count of openings that its slot table was read at");
    assertThat(dataset.replicas).isEmpty();
    assertThat(status.obstacle())
        .as("it may be read once it stays as it is")
        .isEqualTo(RebuildObstacle.SOURCE_UNANSWERED);
  }

  @Test
  void oneThatStaysAsItIsIsReadOnce() throws IOException {
    assertThat(run().phase()).isEqualTo(RebuildPhase.DONE);
    assertThat(installed()).isEqualTo(cluster.contents.get(100L).get(1L));
    assertThat(tablesRead.get()).isEqualTo(1);
  }
}
