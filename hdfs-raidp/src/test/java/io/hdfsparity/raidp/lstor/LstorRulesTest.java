/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.core.store.CrashableByteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an Lstor refuses, and what it says. */
class LstorRulesTest {
  private static final ChecksumSpec CHECKSUM = new ChecksumSpec(2, 512);
  private CrashableByteStore store;
  private Lstor lstor;

  @BeforeEach
  void open() throws IOException {
    store = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
    Lstor.format(store, LstorModel.GEOMETRY, LstorModel.IDENTITY, LstorModel.options(65536));
    lstor = Lstor.open(store, LstorModel.EXPECTATION);
  }

  private static TestImage image(int frame, long blockId) {
    return new TestImage(frame, blockId, LstorModel.BLOCK_BYTES, CHECKSUM);
  }

  @Test
  void rowsOfAFrameShareNoUnits() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 3), new Run(5, 2)), 1);
    assertThatThrownBy(() -> lstor.reserve(0, 2, List.of(new Run(3, 3)), 1))
        .isInstanceOf(LstorException.Overlap.class)
        .hasMessageContaining("block 1 holds");
    assertThatThrownBy(() -> lstor.reserve(0, 2, List.of(new Run(9, 2)), 1))
        .isInstanceOf(LstorException.Overlap.class);
    assertThatThrownBy(() -> lstor.reserve(0, 2, List.of(new Run(3, 1), new Run(3, 1)), 1))
        .isInstanceOf(LstorException.Overlap.class);
    lstor.reserve(1, 2, List.of(new Run(3, 3)), 1);
    lstor.reserve(0, 3, List.of(new Run(3, 2)), 1);
    assertThatThrownBy(() -> lstor.resize(0, 3, List.of(new Run(3, 3))))
        .isInstanceOf(LstorException.Overlap.class);
    assertThat(lstor.isFree(0, List.of(new Run(7, 3)))).isTrue();
    assertThat(lstor.isFree(0, List.of(new Run(7, 4)))).isFalse();
    assertThat(lstor.isFree(0, List.of(new Run(6, 1)))).isFalse();
    assertThat(lstor.entriesOn(List.of(3, 4)))
        .extracting(SlotEntry::blockId)
        .containsExactlyInAnyOrder(2L, 3L);
  }

  @Test
  void tableFillsUpAndRowsAreReused() throws IOException {
    CrashableByteStore small =
        CrashableByteStore.ofSize(
            (int) Lstor.requiredBytes(LstorGeometry.of(1, 10, 65536), LstorModel.JOURNAL_BYTES, 3),
            1);
    Lstor.format(
        small, LstorGeometry.of(1, 10, 65536), LstorModel.IDENTITY, LstorModel.JOURNAL_BYTES, 3);
    try (Lstor few = Lstor.open(small, LstorModel.EXPECTATION)) {
      for (int block = 0; block < 3; block++) {
        few.reserve(0, block, few.allocate(0, 1), 1);
      }
      assertThatThrownBy(() -> few.reserve(0, 3, few.allocate(0, 1), 1))
          .isInstanceOf(LstorException.Full.class);
      few.remove(0, 1, SlotCause.WITHDRAWN);
      few.reserve(0, 3, few.allocate(0, 1), 1);
      assertThat(few.entries(0))
          .extracting(SlotEntry::blockId)
          .containsExactlyInAnyOrder(0L, 2L, 3L);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() throws IOException {
    assertThatThrownBy(() -> lstor.allocate(0, 11)).isInstanceOf(LstorException.NoSpace.class);
    lstor.reserve(0, 1, List.of(new Run(0, 1)), 1);
    assertThatThrownBy(() -> lstor.setCoverage(0, 1, 1, CHECKSUM, 65537, image(0, 1)))
        .isInstanceOf(LstorException.NoSpace.class);
    assertThatThrownBy(
            () -> lstor.setCoverage(0, 1, 1, new ChecksumSpec(2, 256), 65536, image(0, 1)))
        .isInstanceOf(LstorException.NoSpace.class)
        .hasMessageContaining("checksumBytes=1031");
    assertThatThrownBy(() -> lstor.entry(3, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void coverageBindsExtentsChecksumStateAndRow() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 3)), 1);
    SlotEntry covered = lstor.setCoverage(0, 1, 2, CHECKSUM, 70000, image(0, 1));
    assertThat(covered.state()).isEqualTo(SlotState.LIVE);
    assertThat(covered.ackPending()).isTrue();
    assertThat(covered.generationStamp()).isEqualTo(2);
    assertThatThrownBy(() -> lstor.remove(0, 1, SlotCause.MOVED_OUT))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> lstor.resize(0, 1, List.of(new Run(0, 1))))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> lstor.resize(0, 1, List.of(new Run(1, 2))))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> lstor.reserve(0, 1, List.of(new Run(0, 3)), 3))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> lstor.apply(0, 1, SlotCause.REUSED))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> lstor.setCoverage(0, 1, 2, new ChecksumSpec(1, 512), 100, image(0, 1)))
        .isInstanceOf(LstorException.Refused.class);
    lstor.resize(0, 1, List.of(new Run(0, 2)));
    lstor.apply(0, 1, SlotCause.DELETED);
    assertThatThrownBy(() -> lstor.setCoverage(0, 1, 2, CHECKSUM, 70001, image(0, 1)))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("LIMBO");
    lstor.clearCoverage(0, 1, image(0, 1));
    assertThat(lstor.reserve(0, 1, List.of(new Run(4, 1)), 3).state())
        .isEqualTo(SlotState.RESERVED);
    lstor.remove(0, 1, SlotCause.WITHDRAWN);
    assertThatThrownBy(() -> lstor.remove(0, 1, SlotCause.WITHDRAWN))
        .isInstanceOf(LstorException.NoSuchEntry.class);
    assertThat(lstor.freeUnits(0)).isEqualTo(10);
  }

  @Test
  void emptyBlockCoversItsChecksumHeader() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(4, 1)), 1);
    SlotEntry covered = lstor.setCoverage(0, 1, 1, CHECKSUM, 0, image(0, 1));
    assertThat(covered.metaCovered()).isTrue();
    assertThat(covered.coveredBytes()).isZero();
    ByteBuffer header = ByteBuffer.allocate(8);
    lstor.readParity(ParityKind.META, 4L * LstorModel.GEOMETRY.metaBytesPerUnit(), header);
    assertThat(header.array()).isEqualTo(new byte[] {0, 1, 2, 0, 0, 2, 0, 0});
    assertThat(lstor.clearCoverage(0, 1, image(0, 1)).metaCovered()).isFalse();
    lstor.readParity(ParityKind.META, 4L * LstorModel.GEOMETRY.metaBytesPerUnit(), header.clear());
    assertThat(header.array()).isEqualTo(new byte[8]);
  }

  @Test
  void framesAreKept() throws IOException {
    FrameRow row = new FrameRow(1, "DS-a", 42, 3, "DS-b", "node-b", 1);
    lstor.setFrame(FrameRow.spare(1, "DS-a", 0));
    lstor.setFrame(row);
    lstor.setFrame(FrameRow.spare(0, "DS-0", 0));
    assertThatThrownBy(() -> lstor.setFrame(FrameRow.spare(3, "DS-x", 0)))
        .isInstanceOf(IllegalArgumentException.class);
    lstor.close();
    try (Lstor reopened = Lstor.open(store, LstorModel.EXPECTATION)) {
      assertThat(reopened.frames()).containsExactly(FrameRow.spare(0, "DS-0", 0), row);
    }
  }

  @Test
  void anImageThatLeavesBytesOutIsRefusedAndChangesNothing() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(4, 1)), 1);
    BlockImage lazy =
        new BlockImage() {
          @Override
          public void readData(long position, ByteBuffer dst) {
            dst.put((byte) 1);
          }

          @Override
          public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
            dst.position(dst.limit());
          }
        };
    assertThatThrownBy(() -> lstor.setCoverage(0, 1, 1, CHECKSUM, 10, lazy))
        .hasMessageContaining("missingBytes=9");
    assertThat(lstor.entry(0, 1).orElseThrow().coversAnything()).isFalse();
  }

  /**
   * An image that runs something once, while it is read: what another thread may do between read
   * and commit.
   */
  private static final class MeddlingImage implements BlockImage {
    private final TestImage image;
    private Meddling meddling;

    interface Meddling {
      void run() throws IOException;
    }

    MeddlingImage(TestImage image, Meddling meddling) {
      this.image = image;
      this.meddling = meddling;
    }

    @Override
    public void readData(long position, ByteBuffer dst) throws IOException {
      Meddling once = meddling;
      meddling = () -> {};
      once.run();
      image.readData(position, dst);
    }

    @Override
    public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
      image.readMeta(prefixBytes, position, dst);
    }
  }

  @Test
  void flagsSetWhileCoverageMovesAreKept() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 2)), 1);
    lstor.setCoverage(0, 1, 1, CHECKSUM, 70000, image(0, 1));
    lstor.apply(0, 1, SlotCause.DELETED);
    lstor.clearCoverage(
        0,
        1,
        new MeddlingImage(image(0, 1), () -> lstor.change(0, 1, row -> SlotStatus.LIMBO_CLEARED)));
    SlotEntry cleared = lstor.entry(0, 1).orElseThrow();
    assertThat(cleared.coversAnything()).isFalse();
    assertThat(cleared.partnerClear()).isTrue();
    assertSound();
  }

  @Test
  void extentsMovedAndStatesChangedWhileCoverageMovesAreSeen() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 2)), 1);
    lstor.setCoverage(
        0,
        1,
        1,
        CHECKSUM,
        70000,
        new MeddlingImage(image(0, 1), () -> lstor.resize(0, 1, List.of(new Run(6, 2)))));
    assertThat(lstor.entry(0, 1).orElseThrow().runs()).containsExactly(new Run(6, 2));
    assertSound();
    lstor.reserve(1, 2, List.of(new Run(6, 2)), 1);
    assertThatThrownBy(
            () ->
                lstor.setCoverage(
                    1,
                    2,
                    1,
                    CHECKSUM,
                    70000,
                    new MeddlingImage(image(1, 2), () -> lstor.apply(1, 2, SlotCause.DELETED))))
        .isInstanceOf(LstorException.Refused.class);
    assertThat(lstor.entry(1, 2).orElseThrow().coversAnything()).isFalse();
    assertSound();
  }

  @Test
  void rebuildSeesRowsThatChangeWhileImagesAreRead() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 2)), 1);
    lstor.setCoverage(0, 1, 1, CHECKSUM, 70000, image(0, 1));
    lstor.reserve(1, 2, List.of(new Run(1, 2)), 1);
    MeddlingImage growing =
        new MeddlingImage(
            image(0, 1), () -> lstor.setCoverage(1, 2, 1, CHECKSUM, 90000, image(1, 2)));
    lstor.rebuildUnits(
        List.of(1), entry -> entry.blockId() == 1 ? growing : image(1, entry.blockId()));
    assertThat(lstor.entry(1, 2).orElseThrow().coveredBytes()).isEqualTo(90000);
    assertSound();
    MeddlingImage shrinking =
        new MeddlingImage(
            image(0, 1), () -> lstor.setCoverage(0, 1, 1, CHECKSUM, 66000, image(0, 1)));
    lstor.clearLostCoverage(1, 2, entry -> shrinking);
    assertThat(lstor.entry(1, 2).orElseThrow().coversAnything()).isFalse();
    assertThat(lstor.entry(0, 1).orElseThrow().coveredBytes()).isEqualTo(66000);
    assertSound();
  }

  /** Images of other rows that count their reads; before one of them something happens, once. */
  private static final class InterruptedReads implements BlockImage {
    private final TestImage image;
    private final int at;
    private final Runnable interruption;
    private int reads;

    InterruptedReads(TestImage image, int at, Runnable interruption) {
      this.image = image;
      this.at = at;
      this.interruption = interruption;
    }

    private void read() {
      if (reads++ == at) {
        interruption.run();
      }
    }

    @Override
    public void readData(long position, ByteBuffer dst) throws IOException {
      read();
      image.readData(position, dst);
    }

    @Override
    public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
      read();
      image.readMeta(prefixBytes, position, dst);
    }
  }

  private void acknowledge(int frame, long blockId) {
    try {
      lstor.apply(frame, blockId, SlotCause.ACKNOWLEDGED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whichever is first: in the end the row covers nothing, and the parity is without it. */
  @Test
  void acknowledgementBesideTheClearingOfALostRowChangesOnlyItsFlag() throws IOException {
    lstor.reserve(0, 1, List.of(new Run(0, 2)), 1);
    lstor.reserve(1, 2, List.of(new Run(0, 2)), 1);
    SlotEntry other = lstor.setCoverage(1, 2, 1, CHECKSUM, 70000, image(1, 2));
    boolean isReached = true;
    int reads = 0;
    for (int at = 0; isReached; at++) {
      assertThat(lstor.setCoverage(0, 1, 1, CHECKSUM, 70000, image(0, 1)).ackPending()).isTrue();
      InterruptedReads others =
          new InterruptedReads(
              image(1, 2), at, () -> CompletableFuture.runAsync(() -> acknowledge(0, 1)).join());
      SlotEntry cleared = lstor.clearLostCoverage(0, 1, row -> others);
      isReached = others.reads > at;
      reads += isReached ? 1 : 0;
      assertThat(cleared).isEqualTo(lstor.entry(0, 1).orElseThrow());
      assertThat(cleared.coversAnything()).isFalse();
      assertThat(cleared.status()).isEqualTo(SlotStatus.LIVE_ACKNOWLEDGED);
      assertThatThrownBy(() -> lstor.apply(0, 1, SlotCause.ACKNOWLEDGED))
          .as("it has nothing that a partner could have")
          .isInstanceOf(LstorException.Refused.class);
      assertThat(lstor.entry(1, 2)).contains(other);
      assertSound();
    }
    assertThat(reads).as("acknowledged in the middle").isGreaterThan(1);
  }

  private void assertSound() throws IOException {
    assertThat(
            LstorCheck.check(store, entry -> image(entry.frameIndex(), entry.blockId())).errors())
        .isEmpty();
  }

  /** Out of memory, say: the file has the change then, and memory a part of it. */
  @Test
  void whatMemoryCannotFollowIsUsedNoMore() throws IOException {
    SlotEntry ofNoFrame = SlotEntry.expected(LstorModel.GEOMETRY.frames(), 1);
    assertUsedNoMore(state -> state.commitEntry(state.begin(), 0, ofNoFrame));
    assertUsedNoMore(state -> state.commitRemoval(new SlotTable.Slot(0, ofNoFrame)));
  }

  /** A change of an Lstor. */
  private interface Change {
    void make(LstorState state) throws IOException;
  }

  private static void assertUsedNoMore(Change change) throws IOException {
    CrashableByteStore other = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
    Lstor.format(other, LstorModel.GEOMETRY, LstorModel.IDENTITY, LstorModel.options(65536));
    LstorState state =
        LstorState.open(
            other, LstorModel.EXPECTATION, LstorState.Access.READ_WRITE, Kernels.best());
    state.lock();
    try {
      assertThatThrownBy(() -> change.make(state)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(state::begin)
          .isInstanceOf(LstorException.Refused.class)
          .hasMessageContaining("failure=java.lang.IndexOutOfBoundsException");
    } finally {
      state.unlock();
      state.close();
    }
  }

  @Test
  void closedLstorRefuses() throws IOException {
    lstor.close();
    lstor.close();
    assertThatThrownBy(() -> lstor.reserve(0, 1, List.of(new Run(0, 1)), 1))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("closed=true");
    assertThatThrownBy(() -> lstor.checkpoint()).isInstanceOf(LstorException.Refused.class);
  }

  @Test
  void manyThreadsCoverBlocksThatShareUnitsAcrossFrames() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Callable<Void>> tasks = new java.util.ArrayList<>();
      for (int thread = 0; thread < 6; thread++) {
        int frame = thread % 3;
        long blockId = thread + 1;
        List<Run> runs = List.of(new Run(thread < 3 ? 0 : 5, 5));
        tasks.add(
            () -> {
              Random random = new Random(blockId);
              for (int i = 0; i < 15; i++) {
                if (lstor.entry(frame, blockId).isEmpty()) {
                  lstor.reserve(frame, blockId, runs, 1);
                }
                int prefix = random.nextInt(5 * 65536);
                lstor.setCoverage(frame, blockId, 1, CHECKSUM, prefix, image(frame, blockId));
                assertThat(lstor.entry(frame, blockId).orElseThrow().coveredBytes())
                    .isEqualTo(prefix);
                if (i == 7) {
                  lstor.rebuildUnits(
                      List.of(0, 5), entry -> image(entry.frameIndex(), entry.blockId()));
                }
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(lstor.verifyAll((done, total) -> {}).isClean()).isTrue();
    lstor.close();
    assertThat(
            LstorCheck.check(store, entry -> image(entry.frameIndex(), entry.blockId())).errors())
        .isEmpty();
  }
}
