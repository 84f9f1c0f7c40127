/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.FaultyByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Each kind of damage gives its own error and does no more damage. */
class LstorDamageTest {
  private static final ChecksumSpec CHECKSUM = new ChecksumSpec(2, 512);
  private static final LstorLayout LAYOUT =
      LstorLayout.of(LstorModel.GEOMETRY, LstorModel.JOURNAL_BYTES, LstorModel.MAX_ENTRIES);
  private static final int COVERED = 300_000;

  /**
   * An Lstor with blocks 1, 2 and 3 in frames 0, 1 and 2 at the same five units; journal not
   * checkpointed.
   */
  private static byte[] content() throws IOException {
    CrashableByteStore store = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
    Lstor.format(
        store,
        LstorModel.GEOMETRY,
        LstorModel.IDENTITY,
        LstorModel.options(LstorModel.JOURNAL_BYTES));
    Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION);
    fill(lstor);
    return store.content();
  }

  private static void fill(Lstor lstor) throws IOException {
    for (int frame = 0; frame < 3; frame++) {
      lstor.setFrame(FrameRow.spare(frame, "DS-" + frame, 1));
      lstor.reserve(frame, frame + 1, List.of(new Run(2, 5)), 7);
      lstor.setCoverage(frame, frame + 1, 7, CHECKSUM, frame == 2 ? 1000 : COVERED, image(frame));
    }
  }

  private static TestImage image(int frame) {
    return new TestImage(frame, frame + 1, LstorModel.BLOCK_BYTES, CHECKSUM);
  }

  private static BlockImage image(SlotEntry entry) {
    return image(entry.frameIndex());
  }

  private static byte[] closed() throws IOException {
    CrashableByteStore store = store(content());
    Lstor.open(store, LstorModel.EXPECTATION).close();
    return store.content();
  }

  private static CrashableByteStore store(byte[] content) {
    return CrashableByteStore.of(content, 8, new Random(1));
  }

  private static Lstor open(byte[] content) throws IOException {
    return Lstor.open(store(content), LstorModel.EXPECTATION);
  }

  private static byte[] flip(byte[] content, long offset) {
    byte[] flipped = content.clone();
    flipped[(int) offset] ^= 0x10;
    return flipped;
  }

  private static void assertCheckFinds(byte[] content, String part) throws IOException {
    byte[] before = content.clone();
    CrashableByteStore store = store(content);
    LstorCheck.Report report = LstorCheck.check(store);
    assertThat(report.errors()).anyMatch(error -> error.contains(part));
    assertThat(store.content()).isEqualTo(before);
  }

  @Test
  void noLstor() {
    assertThatThrownBy(() -> open(new byte[LstorModel.storeBytes()]))
        .isInstanceOf(LstorException.NotAnLstor.class);
    assertThatThrownBy(() -> open(new byte[100])).isInstanceOf(LstorException.NotAnLstor.class);
  }

  @Test
  void cutFileIsNoLstor() throws IOException {
    byte[] content = content();
    assertThatThrownBy(() -> open(Arrays.copyOf(content, content.length - 1)))
        .isInstanceOf(LstorException.NotAnLstor.class)
        .hasMessageContaining("the file was cut");
  }

  @Test
  void formatRefusesAStoreThatIsNotNew() throws IOException {
    CrashableByteStore store = store(content());
    assertThatThrownBy(
            () ->
                Lstor.format(
                    store, LstorModel.GEOMETRY, LstorModel.IDENTITY, LstorModel.options(4096)))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(
            () ->
                Lstor.format(
                    store(new byte[8192]),
                    LstorModel.GEOMETRY,
                    LstorModel.IDENTITY,
                    LstorModel.options(4096)))
        .isInstanceOf(LstorException.NoSpace.class);
  }

  @Test
  void wrongClusterAndWrongDisk() throws IOException {
    byte[] content = content();
    assertThatThrownBy(() -> Lstor.open(store(content), new LstorExpectation("CID-two", "disk-1")))
        .isInstanceOf(LstorException.ForeignCluster.class)
        .hasMessageContaining("CID-one")
        .hasMessageContaining("CID-two");
    assertThatThrownBy(() -> Lstor.open(store(content), new LstorExpectation("CID-one", "disk-2")))
        .isInstanceOf(LstorException.ForeignDisk.class);
  }

  @Test
  void otherVersionsAreToldFromDamage() throws IOException {
    assertThatThrownBy(() -> open(withVersion(LstorFormat.VERSION + 1)))
        .isInstanceOf(LstorException.TooNew.class)
        .hasMessageContaining("version=3");
    assertThatThrownBy(() -> open(withVersion(0))).isInstanceOf(LstorException.TooOld.class);
    byte[] flipped =
        flip(flip(content(), LstorFormat.SB_VERSION + 3), 4096 + LstorFormat.SB_VERSION + 3);
    assertThatThrownBy(() -> open(flipped)).isInstanceOf(LstorException.CorruptHeader.class);
  }

  private static byte[] withVersion(int version) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(content());
    for (int copy = 0; copy < 2; copy++) {
      content.putInt(copy * 4096 + LstorFormat.SB_VERSION, version);
      CRC32C crc = new CRC32C();
      crc.update(content.slice(copy * 4096, LstorFormat.SB_CRC));
      content.putInt(copy * 4096 + LstorFormat.SB_CRC, (int) crc.getValue());
    }
    return content.array();
  }

  @Test
  void everyByteOfTheHeaderIsGuarded() throws IOException {
    byte[] content = closed();
    for (int at = 0; at < 4096; at += at < 120 || at > 4080 ? 1 : 97) {
      byte[] both = flip(flip(content, at), 4096 + at);
      Class<?> expected =
          at < 8 ? LstorException.NotAnLstor.class : LstorException.CorruptHeader.class;
      assertThatThrownBy(() -> open(both)).as("byte " + at).isInstanceOf(expected);
    }
    assertCheckFinds(flip(flip(content, 50), 4096 + 50), "CorruptHeader");
  }

  @Test
  void oneCopyOfTheHeaderIsEnoughWhicheverIsLost() throws IOException {
    for (byte[] content : List.of(content(), closed())) {
      for (int copy = 0; copy < 2; copy++) {
        CrashableByteStore store = store(flip(content, copy * 4096 + 20));
        assertThat(LstorCheck.check(store, LstorDamageTest::image).errors()).isEmpty();
        try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
          assertThat(lstor.entry(0, 1).orElseThrow().coveredBytes()).isEqualTo(COVERED);
        }
        LstorCheck.Report report = LstorCheck.check(store, LstorDamageTest::image);
        assertThat(report.errors()).isEmpty();
        assertThat(report.notes()).as("the lost copy was written anew").isEmpty();
      }
    }
  }

  @Test
  void newerHeaderLostAfterTheJournalWasReused() throws IOException {
    CrashableByteStore store = store(content());
    Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION);
    lstor.apply(0, 1, SlotCause.DELETED);
    lstor.apply(1, 2, SlotCause.DELETED);
    byte[] content = store.content();
    int newer =
        ByteBuffer.wrap(content).getLong(LstorFormat.SB_SEQUENCE)
                > ByteBuffer.wrap(content).getLong(4096 + LstorFormat.SB_SEQUENCE)
            ? 0
            : 1;
    CrashableByteStore damaged = store(flip(content, newer * 4096 + 100));
    assertThat(LstorCheck.check(damaged, LstorDamageTest::image).errors()).isEmpty();
    try (Lstor reopened = Lstor.open(damaged, LstorModel.EXPECTATION)) {
      assertThat(reopened.stats().journal().replayedRecords()).isEqualTo(2);
      assertThat(reopened.entry(1, 2).orElseThrow().state()).isEqualTo(SlotState.LIMBO);
    }
  }

  @Test
  void everyByteOfARowIsGuarded() throws IOException {
    byte[] content = closed();
    for (int at = 0; at < LstorFormat.SLOT_ROW_BYTES; at += 3) {
      byte[] damaged = flip(content, LAYOUT.slotTable() + at);
      assertThatThrownBy(() -> open(damaged))
          .isInstanceOf(LstorException.CorruptTable.class)
          .hasMessageContaining("slot row 0")
          .hasMessageContaining("offset=" + LAYOUT.slotTable());
    }
    byte[] freeRow = flip(content, LAYOUT.slotTable() + 10 * LstorFormat.SLOT_ROW_BYTES + 4);
    assertThatThrownBy(() -> open(freeRow)).isInstanceOf(LstorException.CorruptTable.class);
    byte[] frame = flip(content, LAYOUT.frameTable() + LstorFormat.FRAME_ROW_BYTES + 30);
    assertThatThrownBy(() -> open(frame))
        .isInstanceOf(LstorException.CorruptTable.class)
        .hasMessageContaining("frame row 1");
    assertCheckFinds(frame, "frame row 1");
    assertCheckFinds(freeRow, "slot row 10");
  }

  @Test
  void rowOfAnotherPlaceOrLstorIsNotTaken() throws IOException {
    byte[] moved = closed();
    System.arraycopy(
        moved, (int) LAYOUT.slotTable(), moved, (int) LAYOUT.slotTable() + 10 * 256, 256);
    assertThatThrownBy(() -> open(moved))
        .isInstanceOf(LstorException.CorruptTable.class)
        .hasMessageContaining("storedIndex=0");
    byte[] overlapping = closed();
    RowCodec codec = new RowCodec(LstorModel.GEOMETRY, 0x5eed5a17L);
    SlotEntry entry =
        new SlotEntry(0, 99, 1, List.of(new Run(6, 2)), SlotCoverage.NONE, SlotStatus.RESERVED);
    codec.encodeSlot(10, entry).get(overlapping, (int) LAYOUT.slotTable() + 10 * 256, 256);
    assertThatThrownBy(() -> open(overlapping))
        .isInstanceOf(LstorException.CorruptTable.class)
        .hasMessageContaining("block 1 holds");
    assertCheckFinds(overlapping, "block 1 holds");
    byte[] foreign = closed();
    new RowCodec(LstorModel.GEOMETRY, 1)
        .encodeSlot(10, entry)
        .get(foreign, (int) LAYOUT.slotTable() + 10 * 256, 256);
    assertThatThrownBy(() -> open(foreign))
        .isInstanceOf(LstorException.CorruptTable.class)
        .hasMessageContaining("crc=");
  }

  @Test
  void damagedParityIsNeitherServedNorChangedAndCanBeRebuilt() throws IOException {
    for (ParityKind kind : ParityKind.values()) {
      long region = kind == ParityKind.DATA ? LAYOUT.data().start() : LAYOUT.meta().start();
      int perUnit =
          kind == ParityKind.DATA
              ? LstorModel.GEOMETRY.unitBytes()
              : LstorModel.GEOMETRY.metaBytesPerUnit();
      assertParityDamage(kind, region + 2L * perUnit + 5);
      long crcs = kind == ParityKind.DATA ? LAYOUT.data().crcs() + 2 * 4 : LAYOUT.meta().crcs();
      assertParityDamage(kind, crcs);
    }
  }

  private static void assertParityDamage(ParityKind kind, long offset) throws IOException {
    byte[] damaged = flip(closed(), offset);
    assertCheckFinds(damaged, "region=" + kind);
    CrashableByteStore store = store(damaged);
    try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
      long position =
          2L * (kind == ParityKind.DATA ? 65536 : LstorModel.GEOMETRY.metaBytesPerUnit());
      assertThatThrownBy(() -> lstor.readParity(kind, position, ByteBuffer.allocate(1)))
          .isInstanceOf(LstorException.CorruptParity.class)
          .hasMessageContaining("region=" + kind);
      assertThatThrownBy(() -> lstor.clearCoverage(2, 3, image(2)))
          .isInstanceOf(LstorException.CorruptParity.class);
      assertThat(lstor.entry(2, 3).orElseThrow().coveredBytes()).isEqualTo(1000);
      ScrubResult scrub = lstor.verifyAll((done, total) -> assertThat(done).isBetween(1L, total));
      assertThat(scrub.corruptCells()).hasSize(1);
      ScrubResult.CorruptCell cell = scrub.corruptCells().get(0);
      assertThat(cell.kind()).isEqualTo(kind);
      assertThat(2).isBetween(cell.firstUnit(), cell.lastUnit());
      List<Integer> units = new ArrayList<>();
      for (int unit = cell.firstUnit(); unit <= cell.lastUnit(); unit++) {
        units.add(unit);
      }
      lstor.rebuildUnits(units, LstorDamageTest::image);
      assertThat(lstor.verifyAll((done, total) -> {}).isClean()).isTrue();
      lstor.clearCoverage(2, 3, image(2));
    }
    assertThat(LstorCheck.check(store, LstorDamageTest::image).errors()).isEmpty();
  }

  @Test
  void lostFilesLeaveParityOfTheOthers() throws IOException {
    CrashableByteStore store = store(content());
    try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
      lstor.rebuildUnits(List.of(3), entry -> entry.blockId() == 3 ? image(entry) : null);
      assertThat(lstor.entry(0, 1).orElseThrow().coversAnything()).isFalse();
      assertThat(lstor.entry(1, 2).orElseThrow().coversAnything()).isFalse();
      assertThat(lstor.entry(2, 3).orElseThrow().coveredBytes()).isEqualTo(1000);
    }
    assertThat(LstorCheck.check(store, LstorDamageTest::image).errors()).isEmpty();
  }

  @Test
  void lostFilesThatShareOnlyOtherUnitsAreClearedToo() throws IOException {
    CrashableByteStore store = store(content());
    try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
      lstor.reserve(2, 4, List.of(new Run(7, 2)), 7);
      lstor.setCoverage(2, 4, 7, CHECKSUM, 70_000, image(2, 4));
      lstor.reserve(0, 5, List.of(new Run(8, 2)), 7);
      lstor.setCoverage(0, 5, 7, CHECKSUM, 70_000, image(0, 5));
      lstor.resize(1, 2, List.of(new Run(2, 6)));
      lstor.setCoverage(1, 2, 7, CHECKSUM, 6 * 65536, image(1, 2));
      // Blocks 2 and 4 are lost; they meet in unit 7 only, and 4 meets 5 in unit 8.
      lstor.rebuildUnits(
          List.of(2),
          entry -> entry.blockId() == 2 || entry.blockId() == 4 ? null : anyImage(entry));
      assertThat(lstor.entry(1, 2).orElseThrow().coversAnything()).isFalse();
      assertThat(lstor.entry(2, 4).orElseThrow().coversAnything()).isFalse();
      assertThat(lstor.entry(0, 5).orElseThrow().coveredBytes()).isEqualTo(70_000);
    }
    assertThat(LstorCheck.check(store, LstorDamageTest::anyImage).errors()).isEmpty();
  }

  @Test
  void lostFileOfANeighbourUnitInTheSameChecksumCellIsClearedToo() throws IOException {
    CrashableByteStore store = store(content());
    try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
      lstor.reserve(0, 4, List.of(new Run(7, 1)), 7);
      lstor.setCoverage(0, 4, 7, CHECKSUM, 60_000, image(0, 4));
      // 576 checksum bytes a unit: units 0 to 6 and a part of 7 lie in the first cell of 4096.
      lstor.rebuildUnits(List.of(6), entry -> entry.blockId() == 4 ? null : anyImage(entry));
      assertThat(lstor.entry(0, 4).orElseThrow().coversAnything()).isFalse();
      assertThat(lstor.entry(0, 1).orElseThrow().coveredBytes()).isEqualTo(COVERED);
    }
    assertThat(LstorCheck.check(store, LstorDamageTest::anyImage).errors()).isEmpty();
  }

  private static TestImage image(int frame, long blockId) {
    return new TestImage(frame, blockId, LstorModel.BLOCK_BYTES, CHECKSUM);
  }

  private static BlockImage anyImage(SlotEntry entry) {
    return image(entry.frameIndex(), entry.blockId());
  }

  @Test
  void damagedRecordInTheMiddleIsNotTakenForATornTail() throws IOException {
    byte[] content = content();
    List<Integer> records = records(content);
    assertThat(records).hasSizeGreaterThan(5);
    for (int i = 0; i < records.size() - 1; i++) {
      for (int at : new int[] {3, 20, 40, 2044, LstorFormat.JR_PAYLOAD + 1}) {
        byte[] damaged = flip(content, records.get(i) + at);
        byte[] before = damaged.clone();
        CrashableByteStore store = store(damaged);
        assertThatThrownBy(() -> Lstor.openReadOnly(store, LstorModel.EXPECTATION))
            .isInstanceOf(LstorException.CorruptJournal.class);
        assertThat(store.content()).isEqualTo(before);
        assertThatThrownBy(() -> open(damaged)).isInstanceOf(LstorException.CorruptJournal.class);
      }
    }
  }

  @Test
  void tornTailIsIgnored() throws IOException {
    byte[] content = content();
    List<Integer> records = records(content);
    int last = records.get(records.size() - 1);
    LstorCheck.Report whole = LstorCheck.check(store(content), LstorDamageTest::image);
    for (int cut : new int[] {0, 8, 100, 2040, 2048, 2100, 4000}) {
      // What a crash leaves: the tail of the log partly written, its writes not begun.
      byte[] torn = unapplied();
      System.arraycopy(content, last, torn, last, cut);
      CrashableByteStore store = store(torn);
      LstorCheck.Report report = LstorCheck.check(store, LstorDamageTest::image);
      assertThat(report.errors()).isEmpty();
      try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
        assertThat(lstor.entry(2, 3).orElseThrow().coversAnything()).isFalse();
        assertThat(lstor.entries()).hasSameSizeAs(whole.entries());
        lstor.setCoverage(2, 3, 7, CHECKSUM, 1000, image(2));
      }
      assertThat(LstorCheck.check(store, LstorDamageTest::image).notes()).isEmpty();
    }
  }

  /** The content before the last record. */
  private static byte[] unapplied() throws IOException {
    CrashableByteStore store = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
    Lstor.format(
        store,
        LstorModel.GEOMETRY,
        LstorModel.IDENTITY,
        LstorModel.options(LstorModel.JOURNAL_BYTES));
    FaultyByteStore faulty = new FaultyByteStore(store, new Random(1));
    Lstor lstor = Lstor.open(faulty, LstorModel.EXPECTATION);
    BlockImage failing =
        new BlockImage() {
          @Override
          public void readData(long position, ByteBuffer dst) throws IOException {
            throw new IOException("the image is out of reach");
          }

          @Override
          public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
            throw new IOException("the image is out of reach");
          }
        };
    for (int frame = 0; frame < 3; frame++) {
      lstor.setFrame(FrameRow.spare(frame, "DS-" + frame, 1));
      lstor.reserve(frame, frame + 1, List.of(new Run(2, 5)), 7);
      int of = frame;
      if (frame < 2) {
        lstor.setCoverage(frame, frame + 1, 7, CHECKSUM, COVERED, image(frame));
      } else {
        assertThatThrownBy(() -> lstor.setCoverage(of, of + 1, 7, CHECKSUM, 1000, failing))
            .hasMessage("the image is out of reach");
      }
    }
    return store.content();
  }

  /** Offsets in the file of the records in the journal. */
  private static List<Integer> records(byte[] content) {
    List<Integer> offsets = new ArrayList<>();
    ByteBuffer file = ByteBuffer.wrap(content);
    int at = (int) LAYOUT.journal();
    while (file.getLong(at) == LstorFormat.RECORD_MAGIC) {
      offsets.add(at);
      at += file.getInt(at + LstorFormat.JR_BYTES);
    }
    return offsets;
  }

  @Test
  void afterAFailedCommitEverythingIsRefusedUntilReopened() throws IOException {
    for (FaultyByteStore.Operation operation :
        List.of(FaultyByteStore.Operation.WRITE, FaultyByteStore.Operation.SYNC)) {
      CrashableByteStore store = store(closed());
      FaultyByteStore faulty = new FaultyByteStore(store, new Random(1));
      Lstor lstor = Lstor.open(faulty, LstorModel.EXPECTATION);
      faulty.plan(operation, FaultyByteStore.Fault.FAIL, 1);
      assertThatThrownBy(() -> lstor.clearCoverage(0, 1, image(0))).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> lstor.apply(0, 1, SlotCause.DELETED))
          .isInstanceOf(LstorException.Refused.class)
          .hasMessageContaining("failure=");
      assertThatThrownBy(() -> lstor.readParity(ParityKind.DATA, 0, ByteBuffer.allocate(1)))
          .isInstanceOf(LstorException.Refused.class);
      lstor.close();
      assertThat(LstorCheck.check(store, LstorDamageTest::image).errors()).isEmpty();
      try (Lstor reopened = Lstor.open(store, LstorModel.EXPECTATION)) {
        reopened.clearCoverage(0, 1, image(0));
      }
      assertThat(LstorCheck.check(store, LstorDamageTest::image).errors()).isEmpty();
    }
  }

  @Test
  void readOnlyLeavesTheStoreAsItIs() throws IOException {
    byte[] content = content();
    CrashableByteStore store = store(content);
    try (Lstor lstor = Lstor.openReadOnly(store, LstorModel.EXPECTATION)) {
      assertThat(lstor.stats().journal().replayedRecords()).isPositive();
      assertThat(lstor.entries()).hasSize(3);
      lstor.readParity(
          ParityKind.DATA, 0, ByteBuffer.allocate((int) LstorModel.GEOMETRY.frameBytes()));
      assertThatThrownBy(() -> lstor.remove(0, 1, SlotCause.MOVED_OUT))
          .isInstanceOf(LstorException.Refused.class);
      assertThatThrownBy(() -> lstor.clearCoverage(0, 1, image(0)))
          .isInstanceOf(LstorException.Refused.class);
    }
    assertThat(store.content()).isEqualTo(content);
  }

  @Test
  void parityThatDoesNotMatchTheImagesIsFoundByTheCheckerOnly() throws IOException {
    CrashableByteStore store = store(content());
    TestImage wrong = new TestImage(0, 77, LstorModel.BLOCK_BYTES, CHECKSUM);
    assertThat(LstorCheck.check(store).errors()).isEmpty();
    assertThat(
            LstorCheck.check(store, entry -> entry.blockId() == 1 ? wrong : image(entry)).errors())
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(error -> error.contains("from the blocks' images"));
    assertThat(
            LstorCheck.check(store, entry -> entry.blockId() == 1 ? null : image(entry)).errors())
        .isNotEmpty();
  }

  @Test
  void parityThatCannotBeReadIsNamedAndRememberedAndAllElseGoesOn() throws IOException {
    FaultyByteStore store = new FaultyByteStore(store(content()), new Random(1));
    Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION);
    assertThat(lstor.unreadableParity()).isEmpty();
    for (int call : List.of(1, 2)) {
      store.plan(FaultyByteStore.Operation.READ, FaultyByteStore.Fault.FAIL, call);
      assertThatThrownBy(() -> lstor.setCoverage(2, 3, 7, CHECKSUM, COVERED, image(2)))
          .isInstanceOf(LstorException.UnreadableParity.class)
          .hasMessageContaining("region=DATA cell=")
          .hasMessageContaining("fault=injected");
    }
    assertThat(lstor.unreadableParity()).isPresent();
    store.heal();
    lstor.setCoverage(2, 3, 7, CHECKSUM, COVERED, image(2));
    assertThat(lstor.verifyAll((done, total) -> {}).corruptCells()).isEmpty();
    assertThat(lstor.unreadableParity()).as("until it is opened again").isPresent();
  }
}
