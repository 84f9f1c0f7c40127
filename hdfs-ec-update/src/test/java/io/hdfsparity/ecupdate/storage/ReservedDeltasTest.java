/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReservedDeltasTest {
  private static final int FILE_BYTES = 1 << 20;
  private static final int AREA_BYTES = 4 << 20;

  @Test
  void piecesGetTheSameDeltasAsEachOfThemAlone() {
    SeededRuns.of(3).check(ReservedDeltasTest::comparePiecesWithRanges);
  }

  private static void comparePiecesWithRanges(Random random) throws IOException {
    ReservedDeltas reserved = new ReservedDeltas(new ReplicaKey("BP-1", -16), 5);
    reserved.format(new MemoryArea(new byte[(int) ReservedDeltas.areaBytes(AREA_BYTES)]), 1);
    List<ReservedDeltas.Delta> deltas = new ArrayList<>();
    // More than one window of the area, and one delta that is longer than a window.
    for (int i = 0; i < 400; i++) {
      byte[] bytes = new byte[i == 200 ? (1 << 20) - 10 : 1 + random.nextInt(8000)];
      random.nextBytes(bytes);
      deltas.add(
          new ReservedDeltas.Delta(i + 1, random.nextInt(FILE_BYTES - bytes.length + 1), bytes));
    }
    reserved.publish(reserved.write(deltas));
    TreeMap<Integer, byte[]> pieces = new TreeMap<>();
    for (int at = 0; at < FILE_BYTES; ) {
      int length = Math.min(FILE_BYTES - at, 1 + random.nextInt(20_000));
      pieces.put(at, new byte[length]);
      at += length + random.nextInt(5000); // some follow directly, some do not
    }

    reserved.addTo(pieces);

    for (var piece : pieces.entrySet()) {
      byte[] alone = new byte[piece.getValue().length];
      reserved.addTo(piece.getKey(), alone);
      assertThat(piece.getValue()).as("piece at %d", piece.getKey()).isEqualTo(alone);
    }
  }

  /** It would be added to bytes that fit their checksums, and get into new ones with them. */
  @Test
  void aDeltaThatHasChangedIsNotAdded() throws Exception {
    byte[] disk = new byte[(int) ReservedDeltas.areaBytes(AREA_BYTES)];
    ReservedDeltas reserved = new ReservedDeltas(new ReplicaKey("BP-1", -16), 5);
    reserved.format(new MemoryArea(disk), 1);
    List<ReservedDeltas.Entry> written =
        reserved.write(
            List.of(
                new ReservedDeltas.Delta(1, 100, new byte[] {1, 2, 3}),
                new ReservedDeltas.Delta(2, 500, new byte[] {4, 5, 6})));
    reserved.publish(written);
    disk[(int) written.get(0).position() + 2] ^= 8;
    byte[] sound = new byte[10];
    reserved.addTo(500, sound);
    assertThat(sound).startsWith(4, 5, 6);
    for (int at : new int[] {100, 102}) {
      assertThatThrownBy(() -> reserved.addTo(at, new byte[1]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("deltaCrc");
    }
    assertThatThrownBy(() -> reserved.addTo(new TreeMap<>(Map.of(50, new byte[60]))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("deltaCrc");
  }
}
