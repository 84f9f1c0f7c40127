/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstord.SimLstors;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.recovery.UndecodableException;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranges by Lstors that change, move and go, against {@link SimCluster}. */
class RangeReaderTest {
  private static final int LENGTH = 150_000;

  private SimCluster cluster;
  private SimCluster.Disk dead;
  private SimCluster.Superchunk lost;
  private SlotEntry wanted;
  private RangeReader reader;

  /** What the Lstor of the dead disk holds. */
  private volatile State state;

  /** The same without two of the three blocks. */
  private State after;

  /** How often the Lstor was opened. */
  private final AtomicLong takes = new AtomicLong(1);

  private final AtomicInteger tablesRead = new AtomicInteger();

  private record State(List<SlotEntry> rows, byte[] data, byte[] meta) {}

  /** Runs before parity is read. */
  private volatile Runnable beforeParity = () -> {};

  /**
   * One disk that shares three superchunks. In each a block begins at unit 0, all in one form: with
   * two of them gone from the parity, and still in the table, data and CRCs of the third one match,
   * and are wrong.
   */
  @BeforeEach
  void make() {
    cluster = new SimCluster(new Random(9), LstorGeometry.of(3, 8, 65536));
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
      long blockId = 100 + frame;
      cluster.contents.put(blockId, Map.of(1L, content));
      dead.rows.add(
          SimCluster.row(
              frame, blockId, 1, List.of(new Run(0, 3)), LENGTH, true, 2, 512, SlotState.LIVE));
    }
    wanted = dead.rows.get(0);
    List<SlotEntry> all = List.copyOf(dead.rows);
    dead.rows.subList(1, 3).clear();
    cluster.computeParity();
    after = new State(List.copyOf(dead.rows), dead.dataParity, dead.metaParity);
    dead.rows.clear();
    dead.rows.addAll(all);
    cluster.computeParity();
    state = new State(all, dead.dataParity, dead.metaParity);
    reader = new RangeReader(clients(), Kernels.best(), Clock.system());
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private RebuildClients clients() {
    // Mirrors still serve what the disk's own table has no more.
    SimPeer peer = new SimPeer(cluster, Set.of(dead));
    return new RebuildClients() {
      @Override
      public RaidpLstorProtocol lstor(InetSocketAddress daemon) {
        return new MemoryLstor();
      }

      @Override
      public RaidpPeerProtocol peer(InetSocketAddress address) {
        return peer;
      }
    };
  }

  /** A dead disk whose Lstor has nothing to do with the wanted block, and changes all the time. */
  private static final String UNRELATED = "unrelated";

  /** One that its daemon cannot read. */
  private static final String BROKEN = "broken";

  /** The same, and nobody opens it. */
  private static final String STEADY = "steady";

  private final AtomicInteger unrelatedRead = new AtomicInteger();

  private final class MemoryLstor implements RaidpLstorProtocol {
    @Override
    public LstorInfo info(String diskId) throws IOException {
      if (diskId.equals(BROKEN)) {
        throw new IOException("no such Lstor");
      }
      return new LstorInfo(diskId, "cluster", cluster.geometry, List.of(), 0, false, 0, 0);
    }

    @Override
    public List<SlotEntry> entries(String diskId, OptionalInt frameIndex) {
      if (!diskId.equals(dead.id)) {
        unrelatedRead.incrementAndGet();
        return List.of(
            SimCluster.row(
                0, 999, 1, List.of(new Run(0, 3)), LENGTH, true, 2, 512, SlotState.LIVE));
      }
      tablesRead.incrementAndGet();
      return state.rows();
    }

    @Override
    public long takes(String diskId) {
      return switch (diskId) {
        case UNRELATED -> System.nanoTime();
        case STEADY -> 1;
        default -> takes.get();
      };
    }

    @Override
    public byte[] readParity(String diskId, ImageKind kind, long position, int count) {
      beforeParity.run();
      byte[] parity = kind == ImageKind.DATA ? state.data() : state.meta();
      return Arrays.copyOfRange(parity, (int) position, (int) position + count);
    }
  }

  private LstorSource source() {
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
    return new LstorSource(dead.id, "127.0.0.1", 2, OptionalInt.empty(), mirrors);
  }

  private byte[] read(int offset, int length) throws IOException {
    return read(List.of(source()), offset, length);
  }

  private byte[] read(List<LstorSource> sources, int offset, int length) throws IOException {
    ExpectedBlock block =
        new ExpectedBlock(wanted.blockId(), 1, true, OptionalLong.of(wanted.coveredBytes()));
    return reader.read(block, sources, offset, length).orElseThrow();
  }

  private static LstorSource unrelated() {
    return other(UNRELATED);
  }

  private static LstorSource other(String diskId) {
    return new LstorSource(diskId, "127.0.0.1", 2, OptionalInt.empty(), List.of());
  }

  private byte[] expected(int offset, int length) {
    return Arrays.copyOfRange(
        cluster.contents.get(wanted.blockId()).get(1L), offset, offset + length);
  }

  /** The disk is back for a moment, deletes two blocks, and goes again. */
  private void deleteTwoBlocks() {
    takes.addAndGet(2);
    state = after;
  }

  @Test
  void aTableIsReadOnceForManyRanges() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(read(1000 * i + 3, 777)).isEqualTo(expected(1000 * i + 3, 777));
    }
    assertThat(tablesRead.get()).isEqualTo(1);
  }

  @Test
  void anLstorThatHasChangedIsReadAgain() throws Exception {
    assertThat(read(0, 1000)).isEqualTo(expected(0, 1000));
    deleteTwoBlocks();
    assertThat(read(513, 70_000)).isEqualTo(expected(513, 70_000));
    assertThat(tablesRead.get()).isEqualTo(2);
  }

  /** Between the table and the first parity byte. */
  @Test
  void anLstorThatChangesUnderTheReaderIsReadAgain() throws Exception {
    beforeParity =
        () -> {
          beforeParity = () -> {};
          deleteTwoBlocks();
        };
    assertThat(read(100, 140_000)).isEqualTo(expected(100, 140_000));
    assertThat(tablesRead.get()).isEqualTo(2);
  }

  @Test
  void anLstorThatKeepsChangingIsAnError() {
    beforeParity = takes::incrementAndGet;
    assertThatThrownBy(() -> read(0, 1000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("that do not change; read again");
  }

  @Test
  void anUnrelatedLstorMayChange() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(read(List.of(unrelated(), source()), 100 * i, 5000))
          .isEqualTo(expected(100 * i, 5000));
    }
    assertThat(tablesRead.get()).isEqualTo(1);
    assertThat(unrelatedRead.get()).isEqualTo(1);
  }

  /** It may have got the row of the block meanwhile. */
  @Test
  void thatNoLstorHasABlockIsSaidIfNoneChanges() {
    ExpectedBlock unknown = new ExpectedBlock(4711, 1, true, OptionalLong.of(10));
    assertThatThrownBy(() -> reader.read(unknown, List.of(unrelated(), source()), 0, 10))
        .hasMessageContaining("that do not change; read again");
  }

  /** Of all tables of a dead node there is no room; those that a block needs are kept. */
  @Test
  void rangesOfABlockReadATableOnceWhereFewAreKept() throws Exception {
    try (RangeReader small = new RangeReader(clients(), Kernels.best(), Clock.system(), 3)) {
      ExpectedBlock block =
          new ExpectedBlock(wanted.blockId(), 1, true, OptionalLong.of(wanted.coveredBytes()));
      for (int i = 0; i < 5; i++) {
        assertThat(small.read(block, List.of(unrelated(), source()), i, 10).orElseThrow())
            .isEqualTo(expected(i, 10));
      }
    }
    assertThat(tablesRead.get()).isEqualTo(1);
    assertThat(unrelatedRead.get()).isEqualTo(1);
  }

  /** Neither twice, nor all at once: there may be thousands, and the heap has room for few. */
  @Test
  void aBlockThatNoLstorHasIsLookedForOnceInEachTable() throws Exception {
    ExpectedBlock unknown = new ExpectedBlock(4711, 1, true, OptionalLong.of(10));
    List<LstorSource> sources = List.of(other(STEADY), source());
    try (RangeReader small = new RangeReader(clients(), Kernels.best(), Clock.system(), 3)) {
      assertThat(small.read(unknown, sources, 0, 10)).isEmpty();
    }
    assertThat(tablesRead.get()).isEqualTo(1);
    assertThat(unrelatedRead.get()).isEqualTo(1);
  }

  @Test
  void aTableThatCannotBeReadMayHaveTheBlock() {
    ExpectedBlock unknown = new ExpectedBlock(4711, 1, true, OptionalLong.of(10));
    List<LstorSource> sources = List.of(source(), other(BROKEN));
    assertThatThrownBy(() -> reader.read(unknown, sources, 0, 10))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("block=4711, expected all Lstors of failed disks, to find its row")
        .hasMessageContaining("no such Lstor");
    assertThat(tablesRead.get()).isEqualTo(1);
  }

  @Test
  void rowsAreKeptInProportionToTheHeap() {
    assertThat(SlotTables.maxRows(1)).isEqualTo(50_000);
    assertThat(SlotTables.maxRows(4L << 30)).isBetween(800_000, 900_000);
    assertThat(SlotTables.maxRows(Long.MAX_VALUE)).isEqualTo(2_000_000);
  }

  @Test
  void aBlockThatNoLstorHas() throws Exception {
    ExpectedBlock unknown = new ExpectedBlock(4711, 1, true, OptionalLong.of(10));
    assertThat(reader.read(unknown, List.of(source()), 0, 10)).isEmpty();
    assertThat(reader.read(unknown, List.of(), 0, 10)).isEmpty();
  }
}
