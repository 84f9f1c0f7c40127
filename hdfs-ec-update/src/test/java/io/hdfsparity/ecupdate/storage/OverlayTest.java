/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.storage.log.BlockChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverlayTest {
  private static final int LENGTH = 37; // the last chunk is short
  private static final int CHUNK = 8;

  private static final class ArrayBase implements Base {
    final byte[] bytes;

    ArrayBase(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public void read(int offset, byte[] into) {
      System.arraycopy(bytes, offset, into, 0, into.length);
    }

    @Override
    public void write(int offset, byte[] change) {
      System.arraycopy(change, 0, bytes, offset, change.length);
    }
  }

  private static byte[] some(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static BlockChange record(Random random, long version, boolean isParity) {
    int offset = random.nextInt(LENGTH);
    byte[] bytes = some(random, 1 + random.nextInt(LENGTH - offset));
    return isParity
        ? new BlockChange.Delta(version, offset, bytes)
        : new BlockChange.Absolute(version, offset, bytes);
  }

  private static byte[] changed(byte[] before, BlockChange record) {
    byte[] after = before.clone();
    for (int i = 0; i < record.bytes().length; i++) {
      int at = record.offset() + i;
      after[at] =
          record instanceof BlockChange.Delta
              ? (byte) (after[at] ^ record.bytes()[i])
              : record.bytes()[i];
    }
    return after;
  }

  /** A reader and what it must see. */
  private record Held(Overlay.Pin pin, byte[] bytes) {}

  /** The twin keeps a whole copy of the block for every version. */
  @Test
  void everyReaderSeesTheVersionThatItPinned() {
    SeededRuns.of(300)
        .check(
            random -> {
              boolean isParity = random.nextBoolean();
              List<byte[]> versions = new ArrayList<>();
              versions.add(some(random, LENGTH));
              ArrayBase base = new ArrayBase(versions.get(0));
              Overlay overlay = new Overlay(base, CHUNK, 1 << 20, 0, 1 + random.nextInt(LENGTH));
              List<Held> pinned = new ArrayList<>();
              for (int step = 0; step < 80; step++) {
                byte[] latest = versions.get(versions.size() - 1);
                switch (random.nextInt(5)) {
                  case 0, 1 -> {
                    BlockChange record = record(random, versions.size(), isParity);
                    overlay.append(record);
                    versions.add(changed(latest, record));
                  }
                  case 2 -> pinned.add(new Held(overlay.pin(), latest));
                  case 3 -> {
                    if (!pinned.isEmpty()) {
                      overlay.unpin(pinned.remove(random.nextInt(pinned.size())).pin());
                    }
                  }
                  default ->
                      applyWithCrash(
                          overlay, base, versions, random, () -> check(overlay, pinned, random));
                }
                check(overlay, pinned, random);
              }
            });
  }

  private static void check(Overlay overlay, List<Held> pinned, Random random) {
    for (Held held : pinned) {
      int offset = random.nextInt(LENGTH);
      int length = random.nextInt(LENGTH - offset + 1);
      byte[] expected = new byte[length];
      System.arraycopy(held.bytes(), offset, expected, 0, length);
      assertThat(overlay.read(held.pin(), offset, length)).isEqualTo(expected);
    }
  }

  /**
   * Sometimes the machine dies half way, and all changes of the plan are written again; sometimes
   * there are readers while they are written.
   */
  private static void applyWithCrash(
      Overlay overlay, ArrayBase base, List<byte[]> versions, Random random, Runnable readers) {
    Overlay.ApplyPlan plan = overlay.planApply();
    int written = random.nextInt(plan.changes().size() + 1);
    plan.changes().subList(0, written).forEach(done -> base.write(done.offset(), done.bytes()));
    for (BlockChange.Absolute change : plan.changes()) {
      assertThat(change.offset() % CHUNK).isZero();
      assertThat(change.end() % CHUNK == 0 || change.end() == LENGTH).isTrue();
    }
    if (random.nextBoolean()) {
      plan.changes().forEach(done -> base.write(done.offset(), done.bytes()));
    }
    if (random.nextBoolean()) {
      overlay.apply(plan);
    } else {
      overlay.beginApply(plan);
      for (BlockChange.Absolute change : plan.changes()) {
        readers.run();
        base.write(change.offset(), change.bytes());
      }
      readers.run();
      overlay.endApply(plan);
    }
    assertThat(base.bytes).isEqualTo(versions.get((int) overlay.appliedVersion()));
  }

  @Test
  void nothingIsAppliedUnderAnOlderPin() {
    ArrayBase base = new ArrayBase(new byte[LENGTH]);
    Overlay overlay = new Overlay(base, CHUNK, 1 << 20, 0);
    Overlay.Pin before = overlay.pin();
    overlay.append(new BlockChange.Absolute(1, 3, new byte[] {1}));
    assertThat(overlay.planApply().changes()).isEmpty();
    Overlay.Pin after = overlay.pin();
    assertThatThrownBy(() -> overlay.apply(new Overlay.ApplyPlan(1, List.of())))
        .hasMessageContaining("oldest pinned version=0");
    overlay.unpin(before);
    overlay.apply(overlay.planApply());
    assertThat(base.bytes[3]).isEqualTo((byte) 1);
    assertThat(overlay.read(after, 3, 1)).containsExactly(1);
    assertThat(overlay.pendingBytes()).isZero();
  }

  @Test
  void deltasAreFoldedSoThatWritingThemTwiceDoesNoHarm() {
    ArrayBase base = new ArrayBase(new byte[LENGTH]);
    Overlay overlay = new Overlay(base, CHUNK, 1 << 20, 0);
    overlay.append(new BlockChange.Delta(1, 0, new byte[] {5}));
    overlay.append(new BlockChange.Delta(2, 0, new byte[] {6}));
    Overlay.ApplyPlan plan = overlay.planApply();
    assertThat(plan.changes()).hasSize(1);
    plan.changes().forEach(change -> base.write(change.offset(), change.bytes()));
    overlay.apply(plan);
    assertThat(base.bytes[0]).isEqualTo((byte) 3);
  }

  @Test
  void aFullOverlayPushesBack() {
    Overlay overlay = new Overlay(new ArrayBase(new byte[LENGTH]), CHUNK, 10, 0);
    assertThat(overlay.mustWait(30)).isFalse(); // else it could never be written
    overlay.append(new BlockChange.Absolute(1, 0, new byte[8]));
    assertThat(overlay.mustWait(3)).isTrue();
    assertThatThrownBy(() -> overlay.append(new BlockChange.Absolute(2, 0, new byte[3])))
        .hasMessageContaining("pendingBytes=8");
    overlay.apply(overlay.planApply());
    overlay.append(new BlockChange.Absolute(2, 0, new byte[3]));
    assertThatThrownBy(() -> overlay.append(new BlockChange.Absolute(4, 0, new byte[3])))
        .hasMessageContaining("version=4");
  }
}
