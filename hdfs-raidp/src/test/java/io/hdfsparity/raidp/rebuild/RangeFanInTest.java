/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.recovery.CancelToken;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.recovery.Throttle;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A simulation: how long a reader waits for bytes of a lost block when the disk had {@code
 * -Dfanin.superchunks}. All links, into the decoder and out of each other node, have {@code
 * -Dfanin.mbit}; a call takes {@code -Dfanin.call.us} beside its bytes. The decoder's classes are
 * the real ones, RPC is not there. Times are printed; they are no gate.
 */
@Tag("full")
class RangeFanInTest {
  private static final int SUPERCHUNKS = Integer.getInteger("fanin.superchunks", 250);
  private static final long BYTES_PER_SECOND = Integer.getInteger("fanin.mbit", 1000) * 125_000L;
  private static final long CALL_NANOS =
      TimeUnit.MICROSECONDS.toNanos(Integer.getInteger("fanin.call.us", 1000));
  private static final int MIB = 1 << 20;
  private static final int UNITS = 3;
  private static final int BLOCK_BYTES = UNITS * MIB;
  private static final int LOST_FRAME = 0;
  private static final String DISK = "dead";

  private final LstorGeometry geometry = LstorGeometry.of(SUPERCHUNKS, UNITS, MIB);
  private final Kernel kernel = Kernels.best();

  /** Block of frame i: so many bytes from 512 * i. */
  private final byte[] bytes = new byte[BLOCK_BYTES + 512 * SUPERCHUNKS];

  private final List<SlotEntry> rows = new ArrayList<>();
  private final List<byte[]> checksums = new ArrayList<>();
  private final byte[] dataParity = new byte[BLOCK_BYTES];
  private final byte[] metaParity = new byte[UNITS * geometry.metaBytesPerUnit()];
  private final Throttle decoderLink = link();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();

  private static Throttle link() {
    return new Throttle(BYTES_PER_SECOND, Clock.system(), new CancelToken());
  }

  private void fill() {
    new Random(11).nextBytes(bytes);
    for (int frame = 0; frame < SUPERCHUNKS; frame++) {
      SlotEntry row =
          new SlotEntry(
              frame,
              100 + frame,
              1,
              List.of(new Run(0, UNITS)),
              new SlotCoverage(BLOCK_BYTES, true, 2, 512, 1 + frame % 2),
              new SlotStatus(SlotState.LIVE, false, false));
      rows.add(row);
      checksums.add(SimCluster.checksumFile(row, content(frame, 0, BLOCK_BYTES)));
      kernel.multiplyAdd(
          row.coefficient(),
          ByteBuffer.wrap(bytes, 512 * frame, BLOCK_BYTES),
          ByteBuffer.wrap(dataParity));
      kernel.multiplyAdd(
          row.coefficient(),
          ByteBuffer.wrap(checksums.get(frame)),
          ByteBuffer.wrap(metaParity, 0, checksums.get(frame).length));
    }
  }

  private byte[] content(int frame, int from, int count) {
    return Arrays.copyOfRange(bytes, 512 * frame + from, 512 * frame + from + count);
  }

  /** What a call costs whose answer has so many bytes. */
  private byte[] sent(Throttle sender, byte[] answer) throws IOException {
    calls.incrementAndGet();
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    try {
      LockSupport.parkNanos(CALL_NANOS);
      sender.acquire(answer.length);
      decoderLink.acquire(answer.length);
      return answer;
    } finally {
      inFlight.decrementAndGet();
    }
  }

  private final class Nodes implements RebuildClients {
    private final Throttle daemonLink = link();
    private final List<RaidpPeerProtocol> peers = new ArrayList<>();

    Nodes() {
      for (int frame = 0; frame < SUPERCHUNKS; frame++) {
        peers.add(peer(frame, link()));
      }
    }

    private RaidpPeerProtocol peer(int frame, Throttle link) {
      return (RaidpPeerProtocol)
          Proxy.newProxyInstance(
              RaidpPeerProtocol.class.getClassLoader(),
              new Class<?>[] {RaidpPeerProtocol.class},
              (proxy, method, args) -> sent(link, image(frame, (ImageRequest) args[0])));
    }

    private byte[] image(int frame, ImageRequest request) {
      int at = (int) request.position();
      return request.kind() == ImageKind.DATA
          ? content(frame, at, request.count())
          : Arrays.copyOfRange(checksums.get(frame), at, at + request.count());
    }

    @Override
    public RaidpPeerProtocol peer(InetSocketAddress address) {
      return peers.get(address.getPort() - 1);
    }

    @Override
    public RaidpLstorProtocol lstor(InetSocketAddress address) {
      return new RaidpLstorProtocol() {
        @Override
        public LstorInfo info(String diskId) {
          return new LstorInfo(diskId, "cluster", geometry, List.of(), 0, false, 0, 0);
        }

        @Override
        public List<SlotEntry> entries(String diskId, OptionalInt frameIndex) {
          return rows;
        }

        @Override
        public long takes(String diskId) throws IOException {
          sent(daemonLink, new byte[8]);
          return 1;
        }

        @Override
        public byte[] readParity(String diskId, ImageKind kind, long position, int count)
            throws IOException {
          byte[] parity = kind == ImageKind.DATA ? dataParity : metaParity;
          return sent(
              daemonLink, Arrays.copyOfRange(parity, (int) position, (int) position + count));
        }
      };
    }
  }

  private static LstorSource source() {
    List<Mirror> mirrors = new ArrayList<>();
    for (int frame = 0; frame < SUPERCHUNKS; frame++) {
      boolean survives = frame != LOST_FRAME;
      mirrors.add(
          new Mirror(
              frame,
              "DS-" + frame,
              survives ? Optional.of("DS-mirror-" + frame) : Optional.empty(),
              survives
                  ? Optional.of(new PeerAddress("n" + frame, "127.0.0.1", frame + 1))
                  : Optional.empty()));
    }
    return new LstorSource(DISK, "127.0.0.1", 1, OptionalInt.empty(), mirrors);
  }

  private void read(RangeReader reader, int offset, int count) throws IOException {
    ExpectedBlock block =
        new ExpectedBlock(100 + LOST_FRAME, 1, true, OptionalLong.of(BLOCK_BYTES));
    assertThat(reader.read(block, List.of(source()), offset, count).orElseThrow())
        .isEqualTo(content(LOST_FRAME, offset, count));
  }

  private void measure(RangeReader reader, String what, int offset, int count) throws IOException {
    calls.set(0);
    mostInFlight.set(0);
    // What the link has saved up while it was idle.
    decoderLink.acquire(BYTES_PER_SECOND / 10);
    long start = System.nanoTime();
    read(reader, offset, count);
    System.out.printf(
        "%s: %d ms, %s calls, at most %s at a time%n",
        what, (System.nanoTime() - start) / 1_000_000, calls, mostInFlight);
  }

  @Test
  void firstMibOfALostBlock() throws Exception {
    fill();
    System.out.printf(
        "%d superchunks, links of %d MB/s, %d us a call%n",
        SUPERCHUNKS, BYTES_PER_SECOND / 1_000_000, CALL_NANOS / 1_000);
    try (RangeReader reader = new RangeReader(new Nodes(), kernel, Clock.system())) {
      measure(reader, "first MiB of the block, table included", 0, MIB);
      measure(reader, "second MiB", MIB, MIB);
      measure(reader, "first 128 KiB of the block", 0, 128 << 10);
      measure(reader, "4 KiB in the middle", MIB + 5_000, 4 << 10);
      long start = System.nanoTime();
      CompletableFuture<?>[] readers = new CompletableFuture<?>[4];
      for (int i = 0; i < readers.length; i++) {
        int offset = i * 100_000;
        readers[i] =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    read(reader, offset, MIB);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                },
                task -> new Thread(task).start());
      }
      CompletableFuture.allOf(readers).get();
      System.out.printf(
          "1 MiB each for 4 readers at a time: %d ms%n", (System.nanoTime() - start) / 1_000_000);
    }
  }
}
