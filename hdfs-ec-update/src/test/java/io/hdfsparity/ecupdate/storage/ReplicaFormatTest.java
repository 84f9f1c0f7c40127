/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.ForeignOwnerException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.HostileSizes;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Golden bytes of the files beside a replica, damage to any byte, and the document's boxes. */
class ReplicaFormatTest {
  private static final ReplicaKey KEY = new ReplicaKey("BP-golden", 42);
  private static final long SALT = 0x1122334455667788L;

  private static ReplicaState state() {
    Tid tid = new Tid(7, 8, 1);
    DurableSlot slot =
        new DurableSlot(
            3,
            OpMode.RECONS,
            Set.of(0, 2, 3),
            5,
            List.of(tid, new Tid(9, 1, 1)),
            List.of(new Tid(1, 1, 0)),
            List.of(new SwapReceipt(tid, Bytes.copyOf(new byte[] {1, 2, 3}), 3, null)),
            true);
    TreeMap<Integer, ReplicaState.Kept> slots = new TreeMap<>();
    slots.put(0, new ReplicaState.Kept(11, DurableSlot.untouched()));
    slots.put(6, new ReplicaState.Kept(12, slot));
    TreeMap<Integer, Long> epochs = new TreeMap<>();
    epochs.put(3, 2L);
    epochs.put(4, 2L);
    epochs.put(5, 0x100000001L);
    return new ReplicaState(
        SALT, 10, OpMode.INIT, "PLR", 4096, 0.375, QuiescentSlots.NONE.with(epochs), slots);
  }

  private static byte[] reserved() throws IOException {
    byte[] bytes = new byte[ReservedHead.RECORDS_OFFSET + 256];
    ReservedDeltas deltas = new ReservedDeltas(KEY, SALT);
    deltas.format(new MemoryArea(bytes), 1);
    deltas.publish(
        deltas.write(
            List.of(
                new ReservedDeltas.Delta(100, 64, new byte[] {1, 2, 3}),
                new ReservedDeltas.Delta(103, 66, new byte[] {4, 5, 6, 7, 8, 9, 10, 11}))));
    deltas.publish(deltas.write(List.of(new ReservedDeltas.Delta(200, 0, new byte[] {12}))));
    return bytes;
  }

  private static ReservedDeltas open(byte[] bytes) throws IOException {
    ReservedDeltas deltas = new ReservedDeltas(KEY, SALT);
    deltas.open(new MemoryArea(bytes), 0);
    return deltas;
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = ReplicaFormatTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  @Test
  void writesAndReadsTheGoldenState() throws Exception {
    byte[] golden = golden("v2/ec-update-state.bin");
    assertThat(state().encode(KEY)).isEqualTo(golden);
    assertThat(ReplicaState.decode(golden, KEY)).isEqualTo(state());
    assertThat(state().slot(0).upTo()).isEqualTo(11);
    assertThat(state().slot(1)).isEqualTo(new ReplicaState.Kept(10, DurableSlot.remapped()));
    assertThat(state().slot(4)).isEqualTo(new ReplicaState.Kept(10, DurableSlot.quiescent(2)));
  }

  /** Version 1 had no runs of quiescent slots: all slots were listed one by one. */
  @Test
  void readsTheGoldenStateOfVersion1() throws Exception {
    ReplicaState now = state();
    assertThat(ReplicaState.decode(golden("v1/ec-update-state.bin"), KEY))
        .isEqualTo(now.withSlots(now.upTo(), QuiescentSlots.NONE, now.slots()));
  }

  @Test
  void writesAndReadsTheGoldenReservedSpace() throws Exception {
    byte[] golden = golden("v1/ec-update-reserved.bin");
    assertThat(reserved()).isEqualTo(golden);
    ReservedDeltas deltas = open(golden);
    assertThat(deltas.lengths())
        .containsExactlyInAnyOrderEntriesOf(
            new TreeMap<>(java.util.Map.of(100L, 3, 103L, 8, 200L, 1)));
    byte[] bytes = new byte[8];
    deltas.addTo(63, bytes);
    assertThat(bytes).containsExactly(0, 1, 2, 3 ^ 4, 5, 6, 7, 8);
  }

  /** A state has the bytes of receipts, and is written when memory may be short. */
  @Test
  void encodingTakesTheMemoryOfTheResult() {
    TreeMap<Integer, ReplicaState.Kept> slots = new TreeMap<>();
    for (int stripe = 0; stripe < 9; stripe++) {
      Tid tid = new Tid(7, stripe + 1, 0);
      SwapReceipt receipt = new SwapReceipt(tid, Bytes.zeros(1 << 20), 0, null);
      slots.put(
          stripe,
          new ReplicaState.Kept(
              stripe,
              new DurableSlot(
                  0, OpMode.NORM, Set.of(), 0, List.of(tid), List.of(), List.of(receipt), false)));
    }
    ReplicaState large =
        new ReplicaState(SALT, 10, OpMode.NORM, "PLR", 4096, 0.375, QuiescentSlots.NONE, slots);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    byte[] bytes = large.encode(KEY);
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(bytes.length).isGreaterThan(9 << 20);
    assertThat(taken).isLessThan(bytes.length + (1 << 20));
  }

  @Test
  void noSizeInAStateMakesItTakeMemory() throws Exception {
    ByteBuffer file = ByteBuffer.wrap(state().encode(KEY));
    ReplicaState.FORMAT.decode(file, KEY.toString(), "here");
    HostileSizes.check(
        HostileSizes.bytes(file), body -> ReplicaState.decode(withHeader(body), KEY));
  }

  /** The file of a state with such a body, and checksums that fit. */
  private static byte[] withHeader(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    ByteBuffer payload =
        ByteBuffer.allocate(16).putLong(SALT).putInt(body.length).putInt((int) crc.getValue());
    byte[] head = HostileSizes.bytes(ReplicaState.FORMAT.encode(KEY.toString(), payload.flip()));
    byte[] bytes = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, bytes, head.length, body.length);
    return bytes;
  }

  /** It would say of an area with deltas that it was never used. */
  @Test
  void reservedSpaceBelowNoneIsRefused() throws Exception {
    assertThat(state().withReserved(-1, 0).reservedBytes()).isEqualTo(-1);
    assertThatThrownBy(() -> state().withReserved(-ReservedHead.RECORDS_OFFSET, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reservedBytes=-8192")
        .hasMessageContaining(">= -1");
    ByteBuffer file = ByteBuffer.wrap(state().encode(KEY));
    ReplicaState.FORMAT.decode(file, KEY.toString(), "here");
    byte[] body = HostileSizes.bytes(file);
    ByteBuffer.wrap(body).putLong(10, -ReservedHead.RECORDS_OFFSET);
    assertThatThrownBy(() -> ReplicaState.decode(withHeader(body), KEY))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("reservedBytes=-8192");
  }

  @Test
  void anyByteOfAStateThatIsWrongIsFound() throws Exception {
    byte[] sound = state().encode(KEY);
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = sound.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      assertThatThrownBy(() -> ReplicaState.decode(damaged, KEY))
          .as("byte %d", i)
          .isInstanceOf(FormatException.class);
    }
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> ReplicaState.decode(cut, KEY)).isInstanceOf(FormatException.class);
    }
    assertThatThrownBy(() -> ReplicaState.decode(sound, new ReplicaKey("BP-golden", 43)))
        .isInstanceOf(ForeignOwnerException.class);
  }

  @Test
  void damageToADurableDeltaIsFound() throws Exception {
    byte[] sound = reserved();
    int end = ReservedHead.RECORDS_OFFSET + 48 + 48 + 41;
    for (int i = ReservedHead.RECORDS_OFFSET; i < end; i++) {
      boolean isPadding =
          i - ReservedHead.RECORDS_OFFSET >= 43 && i - ReservedHead.RECORDS_OFFSET < 48;
      boolean isSpare =
          (i - ReservedHead.RECORDS_OFFSET) % 48 >= 36
              && (i - ReservedHead.RECORDS_OFFSET) % 48 < 40;
      byte[] damaged = sound.clone();
      damaged[i] ^= 1;
      if (isPadding || isSpare) {
        assertThat(open(damaged).lengths()).hasSize(3);
      } else {
        assertThatThrownBy(() -> open(damaged))
            .as("byte %d", i)
            .isInstanceOf(CorruptFormatException.class)
            .hasMessageContaining("which were durable");
      }
    }
  }

  @Test
  void oneHeadIsEnoughAndNoneIsNamed() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      byte[] damaged = reserved();
      damaged[copy * ReservedHead.COPY_BYTES + 30] ^= 1;
      assertThat(open(damaged).lengths()).hasSize(3);
    }
    byte[] none = reserved();
    none[30] ^= 1;
    none[ReservedHead.COPY_BYTES + 30] ^= 1;
    assertThatThrownBy(() -> open(none)).isInstanceOf(CorruptFormatException.class);
    assertThatThrownBy(() -> new ReservedDeltas(KEY, 5).open(new MemoryArea(reserved()), 0))
        .hasMessageContaining("salt=" + SALT);
  }

  @Test
  void mergedDeltasDoNotCountWhicheverHeadIsLost() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      byte[] bytes = reserved();
      open(bytes).writeVoid(200);
      assertThat(open(bytes).isEmpty()).isTrue();
      bytes[copy * ReservedHead.COPY_BYTES + 30] ^= 1;
      assertThat(open(bytes).isEmpty()).isTrue();
    }
  }

  @Test
  void theDocumentShowsTheSameBoxesAsTheCode() throws IOException {
    for (Class<?> format : List.of(ReplicaState.class, ReservedHead.class, ReservedDeltas.class)) {
      assertThat(ByteBoxes.of(format)).contains("+------+");
      assertThat(ByteBoxes.page("ec-update-replica.md")).contains(ByteBoxes.of(format));
    }
  }

  /** Writes the golden files, by hand, once a version, to the folder of their version. */
  public static void main(String[] args) throws Exception {
    Files.write(Path.of(args[0], "ec-update-state.bin"), state().encode(KEY));
    Files.write(Path.of(args[0], "ec-update-reserved.bin"), reserved());
  }
}
