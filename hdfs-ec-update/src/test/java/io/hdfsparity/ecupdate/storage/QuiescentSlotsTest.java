/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs of epochs, compared with a map of all of them. */
class QuiescentSlotsTest {
  private static final int STRIPES = 40;

  @Test
  void saysWhatAMapOfAllSlotsSays() {
    SeededRuns.of(500).check(QuiescentSlotsTest::compare);
  }

  private static void compare(Random random) throws IOException {
    QuiescentSlots slots = QuiescentSlots.NONE;
    TreeMap<Integer, Long> twin = new TreeMap<>();
    for (int step = 0; step < 20; step++) {
      SortedMap<Integer, Long> changes = changes(random);
      slots = slots.with(changes);
      twin.putAll(changes);
      twin.values().removeIf(epoch -> epoch == QuiescentSlots.NOT_LISTED);
      QuiescentSlots read = read(write(slots));
      assertThat(read).isEqualTo(slots).hasSameHashCodeAs(slots);
      for (int stripe = -1; stripe <= STRIPES; stripe++) {
        assertThat(slots.epoch(stripe))
            .as("epoch of stripe %d of %s", stripe, slots)
            .isEqualTo(twin.getOrDefault(stripe, QuiescentSlots.NOT_LISTED));
      }
      assertThat(slots.slots()).isEqualTo(twin.size());
      assertThat(slots.runs()).as("runs").isEqualTo(runs(twin));
    }
  }

  private static SortedMap<Integer, Long> changes(Random random) {
    TreeMap<Integer, Long> changes = new TreeMap<>();
    for (int left = random.nextInt(STRIPES); left > 0; left--) {
      changes.put(random.nextInt(STRIPES), random.nextInt(4) - 1L);
    }
    return changes;
  }

  private static int runs(TreeMap<Integer, Long> twin) {
    int runs = 0;
    for (int stripe : twin.keySet()) {
      runs += twin.get(stripe).equals(twin.get(stripe - 1)) ? 0 : 1;
    }
    return runs;
  }

  @Test
  void takesAtMostSixteenBytesACell() throws Exception {
    TreeMap<Integer, Long> worst = new TreeMap<>();
    TreeMap<Integer, Long> recoveredTogether = new TreeMap<>();
    for (int stripe = 0; stripe < 10_000; stripe++) {
      worst.put(stripe, (long) stripe);
      recoveredTogether.put(stripe, 7L);
    }
    assertThat(write(QuiescentSlots.NONE.with(worst))).hasSize(4 + 16 * 10_000);
    assertThat(QuiescentSlots.NONE.with(worst).heapBytes()).isEqualTo(16 * 10_000);
    assertThat(write(QuiescentSlots.NONE.with(recoveredTogether))).hasSize(4 + 16);
  }

  @Test
  void whatAreNoRunsIsRefused() {
    long[][] bad = {
      {-1, 1, 0}, {0, 0, 0}, {0, -1, 0}, {1, Integer.MAX_VALUE, 0}, {0, 1, -1}, {0, 5, 1, 4, 1, 2}
    };
    for (long[] runs : bad) {
      assertThatThrownBy(() -> read(bytes(runs.length / 3, runs)))
          .isInstanceOf(StreamCorruptedException.class);
    }
    assertThatThrownBy(() -> read(bytes(2, 0, 1, 0)))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("runs=2, expected 0..1");
    assertThatThrownBy(() -> read(bytes(-1, 0, 1, 0))).isInstanceOf(StreamCorruptedException.class);
  }

  private static byte[] bytes(int count, long... runs) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(count);
    for (int i = 0; i < runs.length; i += 3) {
      out.writeInt((int) runs[i]);
      out.writeInt((int) runs[i + 1]);
      out.writeLong(runs[i + 2]);
    }
    return bytes.toByteArray();
  }

  private static byte[] write(QuiescentSlots slots) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    slots.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static QuiescentSlots read(byte[] bytes) throws IOException {
    return QuiescentSlots.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }
}
