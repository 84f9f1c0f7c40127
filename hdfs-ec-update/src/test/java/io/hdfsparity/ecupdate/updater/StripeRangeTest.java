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
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ranges against a twin that finds the place of every byte by counting. */
class StripeRangeTest {
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2));

  @Test
  void everyByteIsWhereCountingFindsIt() {
    SeededRuns.of(300)
        .check(
            random -> {
              int cellBytes = 1 + random.nextInt(9);
              List<FileLayout.Group> groups = new ArrayList<>();
              List<String> places = new ArrayList<>();
              boolean isRagged = false;
              for (int group = 0; group <= random.nextInt(4); group++) {
                int lengthBytes = 1 + random.nextInt(80);
                // Cells of the file are those of its stripes up to the first such end of a group.
                isRagged |= places.size() % cellBytes != 0;
                groups.add(new FileLayout.Group(places.size(), lengthBytes));
                count(group, lengthBytes, cellBytes, places);
              }
              FileLayout layout = new FileLayout(CODE, cellBytes, groups);
              assertThat(layout.lengthBytes()).isEqualTo(places.size());
              int from = random.nextInt(places.size() + 1);
              int length = random.nextInt(places.size() - from + 1);
              Permuted order = new Permuted(places.size(), cellBytes, random);
              String[] found = new String[length];
              Set<StripeKey> stripes = new HashSet<>();
              for (StripeRange range : StripeRange.of(layout, order, from, length)) {
                assertThat(stripes.add(range.key()) || isRagged).as("a stripe once").isTrue();
                Set<Integer> blocks = new HashSet<>();
                for (StripeRange.Cell cell : range.cells()) {
                  assertThat(blocks.add(cell.block())).as("a cell once").isTrue();
                  for (int i = 0; i < cell.lengthBytes(); i++) {
                    assertThat(found[cell.from() + i]).as("a byte once").isNull();
                    found[cell.from() + i] = place(range.key(), cell.block(), cell.offset() + i);
                  }
                }
              }
              for (int i = 0; i < length; i++) {
                assertThat(found[i]).isEqualTo(places.get((int) order.stored(from + i)));
              }
            });
  }

  /** Whole cells change places, in runs; now and then none does. A last part of one stays. */
  private static final class Permuted implements ByteOrder {
    private final int cellBytes;
    private final int lengthBytes;
    private final List<Integer> cells = new ArrayList<>();

    Permuted(int lengthBytes, int cellBytes, Random random) {
      this.cellBytes = cellBytes;
      this.lengthBytes = lengthBytes;
      for (int cell = 0; cell < lengthBytes / cellBytes; cell++) {
        cells.add(cell);
      }
      if (random.nextInt(4) > 0) {
        for (int swaps = random.nextInt(4); swaps >= 0 && cells.size() > 1; swaps--) {
          Collections.rotate(
              cells.subList(0, 1 + random.nextInt(cells.size())), random.nextInt(cells.size()));
        }
      }
    }

    @Override
    public long stored(long position) {
      int cell = (int) (position / cellBytes);
      return cell < cells.size()
          ? (long) cells.get(cell) * cellBytes + position % cellBytes
          : position;
    }

    @Override
    public long run(long position) {
      long end = position + 1;
      while (end < lengthBytes && stored(end) == stored(end - 1) + 1) {
        end++;
      }
      return end - position;
    }
  }

  private static String place(StripeKey key, int block, int offset) {
    return key + " block " + block + " byte " + offset;
  }

  private static void count(int group, int lengthBytes, int cellBytes, List<String> places) {
    int stripe = 0;
    int block = 0;
    int offset = 0;
    for (int i = 0; i < lengthBytes; i++) {
      places.add(place(new StripeKey(group, stripe), block, offset));
      if (++offset == cellBytes) {
        offset = 0;
        if (++block == CODE.shape().dataBlocks()) {
          block = 0;
          stripe++;
        }
      }
    }
  }

  @Test
  void rangesBeyondTheFileAndGapsAreRefused() {
    FileLayout layout = new FileLayout(CODE, 4, List.of(new FileLayout.Group(0, 10)));
    assertThatThrownBy(() -> StripeRange.of(layout, ByteOrder.OWN, 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(
            () ->
                new FileLayout(
                    CODE, 4, List.of(new FileLayout.Group(0, 10), new FileLayout.Group(11, 1))))
        .hasMessageContaining("from 10");
  }

  @Test
  void unitsWithoutBytesAreKnown() {
    FileLayout layout = new FileLayout(CODE, 4, List.of(new FileLayout.Group(0, 5)));
    assertThat(layout.hasUnit(0, 0)).isTrue();
    assertThat(layout.hasUnit(0, 1)).isTrue();
    assertThat(layout.hasUnit(0, 2)).isFalse();
    assertThat(layout.hasUnit(0, 4)).isTrue();
  }
}
