/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.organize.ExchangedOrganization;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.core.check.SeededRuns;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FileOrderTest {
  /** Cells of an address space that exchange places at random. */
  static Organization random(Random random, int cells) {
    long[] moved = LongStream.range(0, cells).filter(cell -> random.nextInt(3) == 0).toArray();
    long[] places = moved.clone();
    for (int i = places.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
    return new ExchangedOrganization(
        new SequentialOrganization(1 + random.nextInt(5)), moved, places);
  }

  static LayoutIndex index(Organization organization, long lengthBytes, int cellBytes) {
    return new LayoutIndex(
        "", cellBytes, 3, 2, lengthBytes, "", FileOrder.of(organization, lengthBytes, cellBytes));
  }

  /** What is appended to the stored file is read behind the rest, by both orders for it. */
  @Test
  void whatWasAppendedIsWhereItWas() {
    SeededRuns.of(300)
        .check(
            random -> {
              int cells = 1 + random.nextInt(40);
              int cellBytes = 1 + random.nextInt(7);
              int before = 1 + random.nextInt(cells * cellBytes);
              int length = before + random.nextInt(3 * cellBytes);
              LayoutIndex index = index(random(random, cells), before, cellBytes);
              FileOrder first = new FileOrder(index);
              FileOrder now = new FileOrder(index, length);
              FileOrder grown =
                  new FileOrder(
                      new LayoutIndex(
                          "", cellBytes, 3, 2, length, "", FileOrder.grown(index, length)));
              assertThat(now.lengthBytes()).isEqualTo(length);
              for (int offset = 0; offset < length; offset++) {
                long stored = offset < before ? first.stored(offset) : offset;
                assertThat(now.stored(offset)).isEqualTo(stored);
                assertThat(now.logical(stored)).isEqualTo(offset);
                assertThat(grown.stored(offset)).isEqualTo(stored);
                long run = now.run(offset);
                assertThat(run).isBetween(1L, (long) length - offset);
                for (int i = 0; i < run; i++) {
                  assertThat(now.stored(offset + i)).isEqualTo(stored + i);
                }
              }
            });
    LayoutIndex index = index(new SequentialOrganization(3), 10, 4);
    assertThatThrownBy(() -> new FileOrder(index, 9)).hasMessageContaining("lengthBytes=9");
  }

  /** One byte after the other: each has one place in the stored file, which is as long. */
  @Test
  void everyByteHasItsPlace() {
    SeededRuns.of(300)
        .check(
            random -> {
              int cells = 1 + random.nextInt(40);
              int cellBytes = 1 + random.nextInt(7);
              Organization organization = random(random, cells);
              int length = 1 + random.nextInt(cells * cellBytes);
              FileOrder order = new FileOrder(index(organization, length, cellBytes));
              boolean[] isTaken = new boolean[length];
              for (int offset = 0; offset < length; offset++) {
                int stored = (int) order.stored(offset);
                assertThat(isTaken[stored]).isFalse();
                isTaken[stored] = true;
                assertThat(order.logical(stored)).isEqualTo(offset);
                long run = order.run(offset);
                assertThat(run).isBetween(1L, (long) length - offset);
                for (int i = 0; i < run; i++) {
                  assertThat(order.stored(offset + i)).isEqualTo(stored + i);
                }
                assertThat(offset + run == length || order.stored(offset + run) != stored + run)
                    .isTrue();
              }
              // What is inside the file as a whole cell goes where the organization says.
              int whole = length / cellBytes;
              for (int cell = 0; cell < whole; cell++) {
                if (organization.storedCell(cell) < whole) {
                  assertThat(order.stored((long) cell * cellBytes))
                      .isEqualTo(organization.storedCell(cell) * cellBytes);
                }
              }
            });
  }

  /** An order that is begun with again is the same, but for what changes. */
  @Test
  void anOrderIsAnOrganizationAgain() {
    SeededRuns.of(300)
        .check(
            random -> {
              int cellBytes = 1 + random.nextInt(7);
              int cells = 1 + random.nextInt(40);
              int length = 1 + random.nextInt(cells * cellBytes);
              Organization first = random(random, cells);
              StoredOrder order = FileOrder.of(first, length, cellBytes);
              Organization back = FileOrder.organization(order, first.dataCells());
              assertThat(back.dataCells()).isEqualTo(first.dataCells());
              for (long cell = 0; cell < cells + 5; cell++) {
                assertThat(back.storedCell(cell))
                    .isEqualTo(cell < order.cellCount() ? order.storedCell(cell) : cell);
              }
              assertThat(FileOrder.of(back, length, cellBytes)).isEqualTo(order);
            });
  }

  @Test
  void paddingAndForeignCellsAreRefused() {
    GroupedOrganization padded = new GroupedOrganization(3, new long[] {4, 7, -1});
    assertThatThrownBy(() -> FileOrder.of(padded, 100, 10))
        .hasMessageContaining("expected those of the cells that are displaced");
    LayoutIndex withPadding = new LayoutIndex("", 10, 3, 2, 100, "", StoredOrder.of(padded, 10));
    assertThatThrownBy(() -> new FileOrder(withPadding)).hasMessageContaining("without padding");
    LayoutIndex lastMoved =
        new LayoutIndex(
            "",
            10,
            3,
            2,
            95,
            "",
            StoredOrder.of(
                new ExchangedOrganization(
                    new SequentialOrganization(3), new long[] {2, 9}, new long[] {9, 2}),
                10));
    assertThatThrownBy(() -> new FileOrder(lastMoved)).hasMessageContaining("part of a cell");
  }
}
