/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where each scheme puts bytes, what becomes of reserved space, and what is refused. */
class EngineSchemeTest {
  private static final int DELTA_BYTES = 56; // a record of 96

  private TestDisk disk;
  private BlockEngine engine;
  private long tids;

  @BeforeEach
  void open() throws Exception {
    open("PLR");
  }

  private void open(String scheme) throws Exception {
    disk = TwoReplicas.disk(scheme, TestDisk.FILE_BYTES - 10, new Random(1));
    engine = disk.openEngine();
  }

  private void reopen() throws Exception {
    engine.close();
    engine = disk.openEngine();
  }

  private Reply ask(ReplicaKey key, int stripe, Request request) throws Exception {
    return TwoReplicas.ask(engine, new SlotKey(key, stripe), request);
  }

  private static Patch patch(int value, int lengthBytes) {
    return TwoReplicas.patch(0, value, lengthBytes);
  }

  private void swap(int value) throws Exception {
    Reply.SwapReply reply =
        (Reply.SwapReply) ask(DATA, 0, new Request.Swap(patch(value, 8), new Tid(1, ++tids, 0)));
    assertThat(reply.previous()).isNotNull();
  }

  private void add(int value) throws Exception {
    Request add =
        new Request.Add(
            patch(value, DELTA_BYTES), Request.Scaling.BY_CLIENT, new Tid(1, ++tids, 0), null, 0);
    assertThat(((Reply.AddReply) ask(PARITY, 0, add)).status()).isEqualTo(Reply.AddStatus.OK);
  }

  private int inFile(ReplicaKey key) throws IOException {
    byte[] bytes = new byte[1];
    disk.files(key).read(0, bytes);
    return bytes[0];
  }

  private int read(ReplicaKey key) throws Exception {
    return TwoReplicas.read(engine, key, 0);
  }

  private long reservedBytes() throws IOException {
    Optional<ReservedArea> area = disk.files(PARITY).reserved();
    return area.isPresent() ? area.get().sizeBytes() - ReservedHead.RECORDS_OFFSET : -1;
  }

  private void checkPlaces(String scheme, int inDataFile, int inParityFile, long reserved)
      throws Exception {
    open(scheme);
    swap(5);
    add(6);
    engine.drainAll();
    assertThat(inFile(DATA)).as("data of " + scheme).isEqualTo(inDataFile);
    assertThat(inFile(PARITY)).as("parity of " + scheme).isEqualTo(inParityFile);
    assertThat(reservedBytes()).as("reserved by " + scheme).isEqualTo(reserved);
    assertThat(read(DATA)).isEqualTo(5);
    assertThat(read(PARITY)).isEqualTo(6);
    reopen();
    assertThat(read(DATA)).isEqualTo(5);
    assertThat(read(PARITY)).isEqualTo(6);
    engine.merge(DATA);
    engine.merge(PARITY);
    assertThat(inFile(DATA)).isEqualTo(5);
    assertThat(inFile(PARITY)).isEqualTo(6);
  }

  @Test
  void schemesPutBytesWhereTheySay() throws Exception {
    checkPlaces("FO", 5, 6, -1);
    checkPlaces("FL", 0, 0, -1);
    checkPlaces("PL", 5, 0, -1);
    checkPlaces("PLR", 5, 0, TestDisk.RESERVED_BYTES);
  }

  @Test
  void fullReservedSpaceIsMerged() throws Exception {
    int sum = 0;
    for (int value = 1; value <= 5; value++) {
      add(value);
      engine.drainAll();
      sum ^= value;
      assertThat(inFile(PARITY)).as("five records of 96 fit into 512").isZero();
    }
    add(6);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(sum ^ 6);
    add(7);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(sum ^ 6);
    assertThat(read(PARITY)).isEqualTo(sum ^ 6 ^ 7);
    reopen();
    assertThat(read(PARITY)).isEqualTo(sum ^ 6 ^ 7);
  }

  @Test
  void unusedSpaceGoesBackAndWithoutAnyParityIsWrittenInPlace() throws Exception {
    add(1);
    engine.drainAll();
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_ONLY);
    assertThat(reservedBytes()).as("u = 0.3 * 96/512 + 0.7 * 0.5").isEqualTo(256);
    assertThat(inFile(PARITY)).as("not merged").isZero();
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    assertThat(reservedBytes()).isEqualTo(128);
    assertThat(inFile(PARITY)).isEqualTo(1);
    for (int period = 0; period < 120 && reservedBytes() > 0; period++) {
      engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    }
    assertThat(reservedBytes()).isZero();
    add(2);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(3);
    reopen();
    add(4);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(7);
  }

  /** Chunks of another size are for the space that is reserved from then on. */
  @Test
  void spaceThatWasMadeByOtherChunksIsUsedOnAndGivenBack() throws Exception {
    add(1);
    engine.drainAll();
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_ONLY);
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    add(2);
    engine.drainAll();
    assertThat(reservedBytes()).isEqualTo(128);
    engine.close();
    EngineOptions old = TestDisk.OPTIONS;
    engine =
        disk.openEngine(
            new EngineOptions(
                old.log(),
                old.overlayBytes(),
                old.logHighBytes(),
                new ReservedSpaceOptions(0.3, 512, 512, 0.5),
                old.drainDelayMs(),
                old.sealAfterMs(),
                old.quiescentAfterMs(),
                old.maxReceiptBytes()));
    assertThat(read(PARITY)).as("a delta lies there").isEqualTo(3);
    engine.endPeriod(PARITY, ShrinkMode.SHRINK_AND_MERGE);
    assertThat(reservedBytes()).as("less than a chunk is unused").isEqualTo(128);
    add(4);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(3);
    assertThat(read(PARITY)).isEqualTo(7);
    engine.convert(PARITY, "FO");
    assertThat(reservedBytes()).as("given back").isZero();
    assertThat(inFile(PARITY)).isEqualTo(7);
    engine.convert(PARITY, "PLR");
    assertThat(reservedBytes()).as("as it would be made now").isEqualTo(512);
  }

  @Test
  void schemesAreConvertedAndStaySo() throws Exception {
    add(1);
    engine.drainAll();
    engine.convert(PARITY, "FO");
    assertThat(inFile(PARITY)).isEqualTo(1);
    assertThat(reservedBytes()).as("given back").isZero();
    reopen();
    add(2);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(3);
    engine.convert(PARITY, "PLR");
    assertThat(reservedBytes()).isEqualTo(TestDisk.RESERVED_BYTES);
    add(4);
    engine.drainAll();
    assertThat(inFile(PARITY)).isEqualTo(3);
    assertThat(read(PARITY)).isEqualTo(7);
    assertThatThrownBy(() -> engine.convert(PARITY, "XX")).hasMessageContaining("scheme=XX");
  }

  @Test
  void aReaderSeesWhatWasThereWhenItWasOpened() throws Exception {
    swap(1);
    try (PinnedReader reader = engine.openReader(DATA)) {
      swap(2);
      engine.merge(DATA);
      assertThat(reader.read(0, 1)).containsExactly(1);
      assertThat(inFile(DATA)).as("kept back by the reader").isEqualTo(1);
    }
    engine.merge(DATA);
    assertThat(inFile(DATA)).isEqualTo(2);
  }

  @Test
  void aCopyThatArrivesIsGarbageUntilItIsRecovered() throws Exception {
    add(1);
    engine.drainAll();
    engine.arrived(PARITY);
    for (int life = 0; life < 2; life++) {
      Reply.ProbeReply probe = (Reply.ProbeReply) ask(PARITY, 0, new Request.Probe());
      assertThat(probe.opMode()).isEqualTo(OpMode.INIT);
      assertThat(probe.recentList()).isEmpty();
      try (PinnedReader reader = engine.openReader(PARITY)) {
        assertThatThrownBy(() -> reader.read(0, 1))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("opMode=INIT");
      }
      Reply.AddReply add =
          (Reply.AddReply)
              ask(
                  PARITY,
                  1,
                  new Request.Add(
                      patch(1, 8), Request.Scaling.BY_CLIENT, new Tid(9, 9, 0), null, 0));
      assertThat(add.status()).isEqualTo(Reply.AddStatus.REFUSED);
      assertThat(add.lockMode()).isEqualTo(LockMode.UNL);
      reopen();
    }
  }

  @Test
  void whatLiesBehindTheEndOfTheFileIsRefused() {
    Request swap = new Request.Swap(patch(1, 55), new Tid(1, 1, 0));
    assertThatThrownBy(() -> engine.handle(new SlotKey(DATA, 2), swap))
        .hasMessageContaining("patch.end=55")
        .hasMessageContaining("54");
    assertThatThrownBy(() -> engine.handle(new SlotKey(DATA, 3), new Request.Probe()))
        .hasMessageContaining("stripe=3");
    assertThatThrownBy(
            () -> engine.handle(new SlotKey(new ReplicaKey("BP-1", 3), 0), new Request.Probe()))
        .hasMessageContaining("one of this storage");
  }

  @Test
  void damageToOneReplicaStopsThatOneOnly() throws Exception {
    add(1);
    engine.drainAll();
    engine.close();
    ReservedArea area = disk.files(PARITY).reserved().orElseThrow();
    area.write(ReservedHead.RECORDS_OFFSET + 50, ByteBuffer.wrap(new byte[] {99}));
    engine = disk.openEngine();
    assertThatThrownBy(() -> ask(PARITY, 0, new Request.Probe()))
        .hasMessageContaining("BP-1/2")
        .hasMessageContaining("which were durable");
    swap(7);
    assertThat(read(DATA)).isEqualTo(7);
    engine.arrived(PARITY);
    assertThat(((Reply.ProbeReply) ask(PARITY, 0, new Request.Probe())).opMode())
        .isEqualTo(OpMode.INIT);
  }

  @Test
  void oneHeadOfReservedSpaceIsEnoughAndMergedDeltasStayMerged() throws Exception {
    add(1);
    engine.drainAll();
    engine.merge(PARITY);
    while (engine.makeRoom() > 0) {
      // until the log knows nothing of it
    }
    engine.close();
    byte[] zero = new byte[64];
    for (int copy = 0; copy < 2; copy++) {
      ReservedArea area = disk.files(PARITY).reserved().orElseThrow();
      ByteBuffer before = ByteBuffer.allocate(64);
      area.read((long) copy * ReservedHead.COPY_BYTES, before);
      area.write((long) copy * ReservedHead.COPY_BYTES, ByteBuffer.wrap(zero));
      engine = disk.openEngine();
      assertThat(read(PARITY)).isEqualTo(1);
      engine.close();
      area.write((long) copy * ReservedHead.COPY_BYTES, before.flip());
    }
  }

  @Test
  void aStateOfAnotherLogIsRefused() throws Exception {
    disk.files(PARITY).writeState(ReplicaState.untouched(4711).encode(PARITY));
    assertThatThrownBy(() -> ask(PARITY, 0, new Request.Probe()))
        .hasMessageContaining("salt of its state=4711");
  }
}
