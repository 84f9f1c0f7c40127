/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.bridge.client.UnitRead;
import io.hdfsparity.core.check.ManualClock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.net.StandardSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stateful reads of striped files decode when sockets keep bytes, or DataNodes wait, long. */
@Tag("full")
class PausedStripedStreamsTest {
  private static final String POLICY = "XOR-2-1-1024k";
  private static final String FILE = "/file";
  private static final int DATA_UNITS = 2;
  private static final int PARITY_UNIT = 2;
  private static final int CELL = 1 << 20;
  private static final int STRIPE = DATA_UNITS * CELL;

  /** So much is under way in no socket. */
  private static final int STRIPES = 16;

  private static final byte[] CONTENT = new byte[STRIPES * STRIPE];

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;

  private final ManualClock clock = new ManualClock();

  /** Counts the connections to DataNodes: those to the NameNode come from elsewhere. */
  public static final class CountedSockets extends StandardSocketFactory {
    static final AtomicInteger MADE = new AtomicInteger();
    static final AtomicInteger FAILING = new AtomicInteger();

    @Override
    public Socket createSocket() throws IOException {
      if (FAILING.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new ConnectException("as a test wants");
      }
      MADE.incrementAndGet();
      return super.createSocket();
    }
  }

  @BeforeAll
  static void start() throws IOException {
    new Random(1).nextBytes(CONTENT);
    cluster = new MiniDFSCluster.Builder(new Configuration(), dir.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(POLICY);
    try (var out =
        fs.createFile(new org.apache.hadoop.fs.Path(FILE)).ecPolicyName(POLICY).build()) {
      out.write(CONTENT);
    }
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  void forgetSockets() {
    CountedSockets.MADE.set(0);
    CountedSockets.FAILING.set(0);
  }

  private FeatureClient client(ClientFeature... features) throws IOException {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("hadoop.rpc.socket.factory.class.ClientProtocol", CountedSockets.class.getName());
    return new FeatureClient(
        cluster.getURI(),
        conf,
        /* statistics= */ null,
        ClientFeatures.of(List.of(features)),
        clock);
  }

  private static void readStripe(DFSInputStream in, int stripe) throws IOException {
    byte[] bytes = new byte[STRIPE];
    int done = 0;
    while (done < STRIPE) {
      done += in.read(bytes, done, STRIPE - done);
    }
    assertThat(ByteBuffer.wrap(bytes)).isEqualTo(ByteBuffer.wrap(CONTENT, stripe * STRIPE, STRIPE));
  }

  private void readWithAPause(DFSInputStream in) throws IOException {
    readStripe(in, 0);
    clock.advance(ReaderAges.MAX_AGE_MS);
    readStripe(in, 1);
    assertThat(CountedSockets.MADE).hasValue(DATA_UNITS);
    clock.advance(1);
    readStripe(in, 2);
    assertThat(CountedSockets.MADE).hasValue(2 * DATA_UNITS);
    readStripe(in, 3);
    assertThat(CountedSockets.MADE).hasValue(2 * DATA_UNITS);
  }

  @Test
  void aStreamOfHadoopsConnectsAgainAfterAPause() throws Exception {
    try (FeatureClient client = client();
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      assertThat(in).isInstanceOf(CheckedStripedInputStream.class);
      readWithAPause(in);
    }
  }

  @Test
  void aDecodingStreamConnectsAgainAfterAPause() throws Exception {
    try (FeatureClient client = client(new Healthy());
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      assertThat(in).isInstanceOf(DecodingInputStream.class);
      readWithAPause(in);
    }
  }

  /** Bytes may be in place already when it waits for a DataNode that does not answer. */
  @Test
  void aReadThatHasTakenLongBeginsAgainBeforeItDecodes() throws Exception {
    Healthy pausing =
        new Healthy() {
          @Override
          void haveRead(InternalBlocks blocks) throws IOException {
            if (reads() == 1) {
              clock.advance(ReaderAges.MAX_READ_MS + 1);
            }
            blocks.decode(() -> {});
          }
        };
    try (FeatureClient client = client(pausing);
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      readStripe(in, 0);
      assertThat(pausing.reads()).isEqualTo(2);
      assertThat(CountedSockets.MADE).hasValue(2 * DATA_UNITS);
    }
  }

  /** Else an update between the two would be in the data only. */
  @Test
  void parityIsReadFromNoReaderThatIsOlderThanOneOfData() throws Exception {
    ByteBuffer parity = ByteBuffer.allocate(CELL);
    Healthy decoding =
        new Healthy() {
          @Override
          public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
              throws IOException {
            long from = offset / STRIPE * CELL;
            ByteBuffer first = target.slice(0, CELL);
            ByteBuffer second = target.slice(CELL, CELL);
            // A reader of the first unit is opened, and one of parity, and one of data after it.
            read(blocks, new UnitRead(0, from, List.of(first), from + CELL));
            read(blocks, new UnitRead(PARITY_UNIT, from, List.of(parity), from + CELL));
            List<ByteBuffer> half = List.of(second.slice(0, CELL / 2));
            read(blocks, new UnitRead(1, from, half, from + CELL));
            List<ByteBuffer> otherHalf = List.of(second.slice(CELL / 2, CELL / 2));
            read(
                blocks,
                new UnitRead(1, from + CELL / 2, otherHalf, from + CELL),
                new UnitRead(PARITY_UNIT, from + CELL, List.of(parity), from + 2 * CELL));
          }

          private void read(InternalBlocks blocks, UnitRead... reads) throws IOException {
            assertThat(blocks.read(List.of(reads))).isEmpty();
          }
        };
    try (FeatureClient client = client(decoding);
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      readStripe(in, 0);
      assertThat(CountedSockets.MADE).hasValue(DATA_UNITS + 2);
      for (int at = 0; at < CELL; at++) {
        byte expected = (byte) (CONTENT[STRIPE + at] ^ CONTENT[STRIPE + CELL + at]);
        assertThat(parity.get(at)).isEqualTo(expected);
      }
    }
  }

  /** Reads a stripe without its first unit, of which the second is opened after parity. */
  private int parityOpensWhenDataIsLateBy(long lateMs) throws IOException {
    LateData late = new LateData(lateMs);
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(late);
    try (FeatureClient client = client(new Degraded());
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      readStripe(in, 0);
    } finally {
      DataNodeFaultInjector.set(before);
    }
    return late.parityOpens.get();
  }

  /** Else an update that has begun while the DataNode was slow would be in its data only. */
  @Test
  void parityIsReadAgainWhereDataWasOpenedLongAfterItInTheSameRound() throws Exception {
    assertThat(parityOpensWhenDataIsLateBy(ReaderAges.MAX_SPREAD_MS + 1)).isEqualTo(2);
  }

  @Test
  void parityThatIsOpenedAtAboutTheTimeOfDataIsReadOnce() throws Exception {
    assertThat(parityOpensWhenDataIsLateBy(ReaderAges.MAX_SPREAD_MS)).isEqualTo(1);
  }

  /** It would take as long once more, and be refused again. */
  @Test
  void aReadThatHasTakenLongDoesNotWaitForTheSameDataNodeAgain() throws Exception {
    Degraded waiting =
        new Degraded() {
          @Override
          public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
              throws IOException {
            if (reads() == 0) {
              CountedSockets.FAILING.set(1);
              UnitRead lost = new UnitRead(0, 0, List.of(target.slice(0, CELL)), CELL);
              assertThat(blocks.read(List.of(lost))).containsExactly(0);
              clock.advance(ReaderAges.MAX_READ_MS + 1);
            }
            assertThat(blocks.lost()).containsOnlyKeys(0);
            super.read(blocks, group, offset, target);
          }
        };
    try (FeatureClient client = client(waiting);
        DFSInputStream in = client.open(FILE, 4096, /* verifyChecksum= */ true)) {
      readStripe(in, 0);
      assertThat(waiting.reads()).isEqualTo(2);
    }
  }

  /** A DataNode opens the second unit after another one has opened parity, and a while later. */
  private final class LateData extends DataNodeFaultInjector {
    private final AtomicInteger parityOpens = new AtomicInteger();
    private final CountDownLatch parityOpened = new CountDownLatch(1);
    private final long lateMs;
    private final long groupId;

    LateData(long lateMs) throws IOException {
      this.lateMs = lateMs;
      groupId =
          cluster
              .getFileSystem()
              .getClient()
              .getLocatedBlocks(FILE, 0)
              .get(0)
              .getBlock()
              .getBlockId();
    }

    /** HDFS calls it before it opens a replica. The thread's name says which. */
    @Override
    public void throwTooManyOpenFiles() {
      if (isOpened(PARITY_UNIT)) {
        parityOpens.incrementAndGet();
        parityOpened.countDown();
      } else if (isOpened(1)) {
        await(parityOpened);
        clock.advance(lateMs);
      }
    }

    private boolean isOpened(int unit) {
      return Thread.currentThread().getName().contains("blk_" + (groupId + unit) + "_");
    }

    private static void await(CountDownLatch latch) {
      try {
        if (!latch.await(5, TimeUnit.MINUTES)) {
          throw new IllegalStateException("parity was not opened");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Reads stripes without their first unit, and decodes that. */
  private static class Degraded extends Healthy {
    @Override
    public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
        throws IOException {
      countRead();
      long from = offset / STRIPE * CELL;
      ByteBuffer lost = target.slice(0, CELL);
      ByteBuffer data = target.slice(CELL, CELL);
      ByteBuffer parity = ByteBuffer.allocate(CELL);
      List<UnitRead> wanted =
          List.of(
              new UnitRead(1, from, List.of(data), from + CELL),
              new UnitRead(PARITY_UNIT, from, List.of(parity), from + CELL));
      assertThat(blocks.read(wanted)).isEmpty();
      blocks.decode(
          () -> {
            for (int at = 0; at < CELL; at++) {
              lost.put(at, (byte) (data.get(at) ^ parity.get(at)));
            }
          });
    }
  }

  /** Reads whole stripes of data units, and can decode nothing. */
  private static class Healthy implements ClientFeature, GroupReader {
    private int reads;

    @Override
    public String name() {
      return "healthy";
    }

    @Override
    public Optional<GroupReader> readerFor(ErasureCodingPolicy policy) {
      return Optional.of(this);
    }

    int reads() {
      return reads;
    }

    void countRead() {
      reads++;
    }

    /** All bytes are in place. */
    void haveRead(InternalBlocks blocks) throws IOException {}

    @Override
    public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
        throws IOException {
      countRead();
      List<UnitRead> wanted = new ArrayList<>();
      for (int unit = 0; unit < DATA_UNITS; unit++) {
        long from = offset / STRIPE * CELL;
        wanted.add(new UnitRead(unit, from, List.of(target.slice(unit * CELL, CELL)), from + CELL));
      }
      assertThat(blocks.read(wanted)).isEmpty();
      haveRead(blocks);
    }
  }
}
