/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.ForeignOwnerException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Bytes of version 1, and what is said of bytes that are wrong. */
class LogFormatTest {
  private static final ReplicaKey REPLICA = LogModel.replica(0);
  private static final SlotKey SLOT = new SlotKey(REPLICA, 3);
  private static final Tid TID = new Tid(7, 8, 1);
  private static final int STORE_BYTES = LogHead.RING_OFFSET + 16384;
  private static final UpdateLogOptions OPTIONS = new UpdateLogOptions(2048, 4096, 64);

  private static final List<LogRecord> RECORDS =
      List.of(
          new LogRecord.Swapped(
              new Patch(5, Bytes.wrap(new byte[] {1, 2, 3})),
              new SwapReceipt(TID, Bytes.wrap(new byte[] {4, 5, 6}), 9, new Tid(1, 2, 1))),
          new LogRecord.Added(new Patch(0, Bytes.wrap(new byte[] {7})), List.of(TID)),
          new LogRecord.Locked(),
          new LogRecord.Unlocked(),
          new LogRecord.Reconstructed(Set.of(4, 0, 2), Bytes.wrap(new byte[] {8, 9}), 11),
          new LogRecord.Finalized(11, true),
          new LogRecord.Discarded(List.of(TID)),
          new LogRecord.Retired(List.of(TID)));

  /** Every kind of record; sealed. */
  private static byte[] script() throws Exception {
    CrashableByteStore store = CrashableByteStore.ofSize(STORE_BYTES, 1);
    UpdateLog.format(store, "DS-golden", 0x1122334455667788L);
    UpdateLog log = UpdateLog.open(store, "DS-golden", OPTIONS).log();
    for (LogRecord record : RECORDS) {
      try (LogRoom room = log.reserve(new ChangeBounds(600, 64))) {
        log.append(room, SLOT, record);
      }
      log.commitGroup();
    }
    log.snapshot(SLOT, DurableSlot.untouched().after(RECORDS.subList(0, 2)));
    log.fold(REPLICA, 5, List.of(new Patch(64, Bytes.wrap(new byte[64]))));
    log.dropped(LogModel.replica(1));
    log.close();
    return store.content();
  }

  private static CrashableByteStore store(byte[] bytes) {
    return CrashableByteStore.of(bytes, 8, new Random(1));
  }

  private static UpdateLog.Opened open(byte[] bytes) throws IOException {
    return UpdateLog.open(store(bytes), "DS-golden", OPTIONS);
  }

  private static List<LogRecord> changes(UpdateLog.Opened opened) {
    Recovered.Replica replica = opened.recovered().replicas().get(REPLICA);
    assertThat(replica).isNotNull();
    return replica.changes().stream().map(Recovered.Change::record).toList();
  }

  @Test
  void writesAndReadsTheGoldenBytes() throws Exception {
    byte[] golden;
    try (InputStream in = getClass().getResourceAsStream("/golden/v1/ec-update-log.bin")) {
      assertThat(in).isNotNull();
      golden = in.readAllBytes();
    }
    byte[] whole = script();
    assertThat(Arrays.copyOf(whole, golden.length)).isEqualTo(golden);
    for (int i = golden.length; i < whole.length; i++) {
      assertThat(whole[i]).isZero();
    }
    UpdateLog.Opened opened = open(Arrays.copyOf(golden, STORE_BYTES));
    assertThat(changes(opened)).isEqualTo(RECORDS);
    assertThat(opened.log().durableSequence()).isEqualTo(11);
    assertThat(opened.recovered().isTorn()).isFalse();
    Recovered.Replica replica = opened.recovered().replicas().get(REPLICA);
    assertThat(replica.fold())
        .isEqualTo(new Recovered.Fold(5, List.of(new Patch(64, Bytes.zeros(64)))));
    assertThat(replica.slots().get(SLOT).durable(DurableSlot.untouched(), 0))
        .isEqualTo(DurableSlot.untouched().after(RECORDS.subList(0, 2)));
    assertThat(replica.slots().get(SLOT).durable(DurableSlot.remapped(), 11))
        .isEqualTo(DurableSlot.remapped());
  }

  @Test
  void anyByteOfARecordThatIsWrongIsNamed() throws Exception {
    byte[] sound = script();
    for (int at : places(sound)) {
      RecordHeader header = RecordHeader.decode(ByteBuffer.wrap(sound), at);
      for (int i = 0; i < RecordHeader.HEADER_BYTES + header.payloadBytes(); i++) {
        byte[] damaged = sound.clone();
        damaged[at + i] ^= (byte) (1 << i % 8);
        assertThatThrownBy(() -> open(damaged))
            .as("byte %d of the record at %d", i, at)
            .isInstanceOf(CorruptFormatException.class)
            .hasMessageContaining("missing sequence=" + header.at().sequence())
            .hasMessageContaining("offset=" + at);
      }
    }
  }

  /** Offsets of the records. */
  private static List<Integer> places(byte[] bytes) {
    List<Integer> places = new ArrayList<>();
    for (int at = LogHead.RING_OFFSET; at < bytes.length; ) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      if (!RecordHeader.flaw(buffer, at, 0x1122334455667788L).isEmpty()) {
        break;
      }
      places.add(at);
      at += RecordHeader.decode(buffer, at).recordBytes();
    }
    assertThat(places).hasSize(11);
    return places;
  }

  @Test
  void oneCopyOfTheHeadIsEnoughAndNoneIsNamed() throws Exception {
    byte[] sound = script();
    for (int copy = 0; copy < 2; copy++) {
      for (int i = 0; i < 87; i++) {
        byte[] damaged = sound.clone();
        damaged[copy * LogHead.COPY_BYTES + i] ^= 4;
        assertThat(changes(open(damaged))).isEqualTo(RECORDS);
      }
    }
    byte[] none = sound.clone();
    none[50] ^= 1;
    none[LogHead.COPY_BYTES + 50] ^= 1;
    assertThatThrownBy(() -> open(none))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("crc32c")
        .hasMessageContaining("offset=0");
    assertThatThrownBy(() -> UpdateLog.open(store(sound), "DS-other", OPTIONS))
        .isInstanceOf(ForeignOwnerException.class);
  }

  @Test
  void lengthsAndVersionsWithARightCrcAreNamed() throws Exception {
    byte[] sound = script();
    int at = places(sound).get(2);
    RecordHeader header = RecordHeader.decode(ByteBuffer.wrap(sound), at);
    assertThatThrownBy(() -> open(with(sound, at, header, 1, 1, 65, header.payloadBytes())))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("recordBytes=65");
    assertThatThrownBy(() -> open(with(sound, at, header, 1, 1, 1 << 20, header.payloadBytes())))
        .hasMessageContaining("recordBytes=1048576");
    assertThatThrownBy(() -> open(with(sound, at, header, 1, 1, header.recordBytes(), -1)))
        .hasMessageContaining("payloadBytes=-1");
    assertThatThrownBy(
            () -> open(with(sound, at, header, 1, 9, header.recordBytes(), header.payloadBytes())))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("kind=9")
        .hasMessageContaining("offset=" + at);
    assertThatThrownBy(
            () -> open(with(sound, at, header, 2, 1, header.recordBytes(), header.payloadBytes())))
        .isInstanceOf(TooNewException.class)
        .hasMessageContaining("version=2");
  }

  private static byte[] with(
      byte[] sound, int at, RecordHeader header, int version, int kind, int bytes, int payload) {
    byte[] changed = sound.clone();
    ByteBuffer buffer = ByteBuffer.wrap(changed).position(at);
    new RecordHeader(version, kind, bytes, payload, header.at(), header.payloadCrc())
        .encode(buffer);
    return changed;
  }

  @Test
  void theDocumentShowsTheSameBoxesAsTheCode() throws IOException {
    for (Class<?> format : List.of(LogHead.class, RecordHeader.class)) {
      assertThat(ByteBoxes.of(format)).contains("+------+");
      assertThat(ByteBoxes.page("ec-update-log.md")).contains(ByteBoxes.of(format));
    }
  }

  /** Writes the golden file, by hand, once a version: without the zeros at its end. */
  public static void main(String[] args) throws Exception {
    byte[] bytes = script();
    List<Integer> places = places(bytes);
    int last = places.get(places.size() - 1);
    int end = last + RecordHeader.decode(ByteBuffer.wrap(bytes), last).recordBytes();
    Files.write(Path.of(args[0]), Arrays.copyOf(bytes, end));
  }
}
