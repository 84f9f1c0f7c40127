/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cache over a file in memory whose writes can be held up and can fail. */
@Timeout(600)
class WriteBackCacheTest {
  private static final int CELL_BYTES = 8;
  private static final FileLayout LAYOUT =
      new FileLayout(
          new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2)),
          CELL_BYTES,
          List.of(new FileLayout.Group(0, 100), new FileLayout.Group(100, 61)));

  /** Nodes. */
  private static final class Disk implements WriteBackCache.Writer {
    final byte[] bytes = new byte[(int) LAYOUT.lengthBytes()];
    final List<Runnable> held = new ArrayList<>();
    int writes;
    boolean isHolding;
    boolean isFailing;
    boolean isBroken;

    @Override
    public CompletableFuture<Void> write(StripeKey stripe, List<SortedMap<Integer, Patch>> rounds) {
      if (isBroken) {
        throw new InternalError("as planned");
      }
      writes++;
      CompletableFuture<Void> done = new CompletableFuture<>();
      boolean fails = isFailing;
      Runnable end =
          () -> {
            if (fails) {
              done.completeExceptionally(new IOException("the node is gone"));
            } else {
              rounds.forEach(round -> round.forEach((block, patch) -> apply(stripe, block, patch)));
              done.complete(null);
            }
          };
      if (isHolding) {
        held.add(end);
      } else {
        end.run();
      }
      return done;
    }

    private void apply(StripeKey stripe, int block, Patch patch) {
      long at =
          LAYOUT.groups().get(stripe.group()).offsetBytes()
              + stripe.stripe() * LAYOUT.geometry().stripeDataBytes()
              + (long) block * CELL_BYTES
              + patch.offset();
      System.arraycopy(patch.bytes().toArray(), 0, bytes, (int) at, patch.bytes().length());
    }

    void letGo() {
      List<Runnable> all = List.copyOf(held);
      held.clear();
      all.forEach(Runnable::run);
    }
  }

  private final Disk disk = new Disk();
  private final WriteBackCache cache = new WriteBackCache(disk, 40, 200);

  private static void put(WriteBackCache cache, int from, byte[] bytes) throws Exception {
    for (StripeRange range : StripeRange.of(LAYOUT, ByteOrder.OWN, from, bytes.length)) {
      cache.put(range, bytes);
    }
  }

  private static byte[] filled(int lengthBytes, int value) {
    byte[] bytes = new byte[lengthBytes];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static byte[] seen(Disk disk, WriteBackCache cache) {
    byte[] seen = disk.bytes.clone();
    for (StripeRange range : StripeRange.of(LAYOUT, ByteOrder.OWN, 0, seen.length)) {
      cache.within(range).forEach(piece -> piece.copyTo(seen));
    }
    return seen;
  }

  @Test
  void whatIsSeenIsWhatWasWrittenWhateverFails() {
    SeededRuns.of(200)
        .check(
            random -> {
              Disk nodes = new Disk();
              WriteBackCache cached = new WriteBackCache(nodes, 30 + random.nextInt(100), 1);
              byte[] twin = new byte[nodes.bytes.length];
              for (int i = 0; i < 40; i++) {
                step(nodes, cached, twin, random);
                assertThat(seen(nodes, cached)).isEqualTo(twin);
              }
              nodes.isFailing = false;
              nodes.isHolding = false;
              nodes.letGo();
              cached.flushAll();
              assertThat(cached.flushAll().failed()).isZero();
              assertThat(nodes.bytes).isEqualTo(twin);
              assertThat(cached.bytes()).isZero();
            });
  }

  private static void step(Disk nodes, WriteBackCache cached, byte[] twin, Random random)
      throws Exception {
    nodes.isFailing = random.nextInt(5) == 0;
    nodes.isHolding = random.nextInt(3) == 0;
    int what = random.nextInt(8);
    if (what == 0) {
      nodes.letGo();
    } else if (what == 1 && nodes.held.isEmpty()) {
      nodes.isHolding = false;
      int failed = cached.flushAll().failed();
      if (!nodes.isFailing) {
        assertThat(failed).isZero();
        assertThat(nodes.bytes).isEqualTo(twin);
      }
    } else {
      int from = random.nextInt(twin.length);
      byte[] bytes = new byte[1 + random.nextInt(Math.min(30, twin.length - from))];
      random.nextBytes(bytes);
      for (StripeRange range : StripeRange.of(LAYOUT, ByteOrder.OWN, from, bytes.length)) {
        try {
          cached.put(range, bytes);
          for (StripeRange.Cell cell : range.cells()) {
            System.arraycopy(bytes, cell.from(), twin, from + cell.from(), cell.lengthBytes());
          }
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("they are kept");
        }
      }
    }
  }

  @Test
  void writesOfACellBecomeOne() throws Exception {
    for (int i = 0; i < 8; i++) {
      put(cache, i, filled(1, i + 1));
    }
    put(cache, 2, filled(3, 9));
    assertThat(disk.writes).isZero();
    assertThat(cache.bytes()).isEqualTo(8);
    assertThat(cache.flushAll().failed()).isZero();
    assertThat(disk.writes).isEqualTo(1);
    assertThat(java.util.Arrays.copyOf(disk.bytes, 9)).containsExactly(1, 2, 9, 9, 9, 6, 7, 8, 0);
  }

  @Test
  void theOldestGoFirst() throws Exception {
    put(cache, 0, filled(18, 1));
    put(cache, 24, filled(18, 2));
    put(cache, 0, filled(1, 3));
    put(cache, 48, filled(20, 4));
    assertThat(disk.writes).isEqualTo(1);
    assertThat(disk.bytes[24]).isEqualTo((byte) 2);
    assertThat(disk.bytes[0]).isZero();
    assertThat(cache.bytes()).isLessThanOrEqualTo(40);
  }

  @Test
  void aFlushThatFailsKeepsTheBytesAndWhatWasWrittenSince() throws Exception {
    disk.isFailing = true;
    put(cache, 0, filled(10, 1));
    WriteBackCache.Flushed flushed = cache.flushAll();
    assertThat(flushed.failed()).isEqualTo(1);
    assertThat(flushed.first()).hasMessageContaining("the node is gone");
    assertThat(cache.bytes()).isEqualTo(10);
    put(cache, 5, filled(10, 2));
    disk.isFailing = false;
    assertThat(cache.flushAll().failed()).isZero();
    assertThat(disk.bytes[4]).isEqualTo((byte) 1);
    assertThat(disk.bytes[14]).isEqualTo((byte) 2);
  }

  @Test
  void aWriteThatEndsInAnErrorFailsItsFlush() throws Exception {
    disk.isBroken = true;
    put(cache, 0, filled(10, 1));
    WriteBackCache.Flushed flushed = cache.flushAll();
    assertThat(flushed.failed()).isEqualTo(1);
    assertThat(flushed.first()).isInstanceOf(InternalError.class);
    assertThat(cache.bytes()).isEqualTo(10);
    disk.isBroken = false;
    assertThat(cache.flushAll().failed()).isZero();
    assertThat(disk.bytes[9]).isEqualTo((byte) 1);
  }

  @Test
  void whoFindsNoRoomIsToldWhyAndNothingOfItIsKept() throws Exception {
    put(cache, 0, filled(24, 1));
    put(cache, 24, filled(16, 2));
    disk.isFailing = true;
    assertThatThrownBy(() -> put(cache, 60, filled(1, 3)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected <= 40")
        .hasRootCauseMessage("the node is gone");
    disk.isFailing = false;
    disk.isHolding = true;
    assertThatThrownBy(() -> put(cache, 60, filled(1, 3))).hasMessageContaining("<= 40");
    assertThat(seen(disk, cache)[60]).isZero();
    disk.letGo();
    put(cache, 60, filled(1, 3));
    assertThat(seen(disk, cache)[60]).isEqualTo((byte) 3);
  }
}
