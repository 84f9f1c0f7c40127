/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.GroupReplacedException;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.ContradictionException;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads of block groups against the bytes that they were made of. */
class GroupReadTest {
  private static final int CELL_BYTES = 1000;

  private static IzsGroupReader reader(ZigzagCode code, int cellBytes) {
    return new IzsGroupReader(Kernels.best(), code.dataColumns(), code.parityColumns(), cellBytes);
  }

  private static BlockGroup group(MemoryGroup group) {
    return new BlockGroup("/file", "blk_-16", 0, group.data.length, true);
  }

  private static byte[] read(
      IzsGroupReader reader, MemoryGroup group, int from, int length, boolean isDirect)
      throws IOException {
    ByteBuffer target =
        isDirect ? ByteBuffer.allocateDirect(length + 7) : ByteBuffer.allocate(length + 7);
    target.position(3).limit(3 + length);
    reader.read(group, group(group), from, target.duplicate());
    assertThat(group.buffersOut()).isZero();
    byte[] bytes = new byte[length];
    target.get(bytes);
    for (int guard : new int[] {0, 1, 2, length + 3, length + 6}) {
      assertThat(target.clear().get(guard)).as("byte beside the target").isZero();
    }
    return bytes;
  }

  private static byte[] expected(MemoryGroup group, int from, int length) {
    return Arrays.copyOfRange(group.data, from, from + length);
  }

  /** Units in any order. */
  private static List<Integer> shuffled(ZigzagCode code, Random random) {
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < code.columns(); unit++) {
      units.add(unit);
    }
    Collections.shuffle(units, random);
    return units;
  }

  @Test
  void anyRangeIsRightWithUpToRUnitsLost() {
    SeededRuns.of(60)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                checkRandom(code, random);
              }
            });
  }

  private static void checkRandom(ZigzagCode code, Random random) throws IOException {
    int cellBytes = 1 + random.nextInt(random.nextBoolean() ? 20 : 300);
    int stripeBytes = cellBytes * code.dataColumns();
    MemoryGroup group =
        new MemoryGroup(code, cellBytes, 1 + random.nextInt(4 * stripeBytes), random);
    int losses = random.nextInt(code.parityColumns() + 1);
    for (int unit : shuffled(code, random).subList(0, losses)) {
      if (random.nextBoolean()) {
        group.lose(unit);
      } else {
        group.failWhenRead(unit);
      }
    }
    if (random.nextInt(3) == 0) {
      group.failOnce(random.nextInt(code.dataColumns()));
    }
    IzsGroupReader reader = reader(code, cellBytes);
    for (int i = 0; i < 4; i++) {
      int from = random.nextInt(group.data.length);
      int length = 1 + random.nextInt(Math.min(group.data.length - from, 2 * stripeBytes));
      assertThat(read(reader, group, from, length, random.nextBoolean()))
          .as(
              "%s, cell %d, %d bytes of %d from %d",
              code, cellBytes, length, group.data.length, from)
          .isEqualTo(expected(group, from, length));
    }
    assertThat(group.maxBorrowedBytes())
        .as("at most a power of two a cell")
        .isLessThan((code.columns() + 1) * (Math.max(4096, 2 * cellBytes) + 10));
  }

  @Test
  void moreThanRLossesAreRightOrRefused() {
    SeededRuns.of(40)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                int cellBytes = 1 + random.nextInt(100);
                int groupBytes = 1 + random.nextInt(3 * cellBytes * code.dataColumns());
                MemoryGroup group = new MemoryGroup(code, cellBytes, groupBytes, random);
                int losses = code.parityColumns() + 1 + random.nextInt(2);
                shuffled(code, random).subList(0, losses).forEach(group::failWhenRead);
                int from = random.nextInt(groupBytes);
                int length = 1 + random.nextInt(groupBytes - from);
                try {
                  byte[] bytes = read(reader(code, cellBytes), group, from, length, true);
                  assertThat(bytes).isEqualTo(expected(group, from, length));
                } catch (LostUnitsException e) {
                  assertThat(group.buffersOut()).isZero();
                }
              }
            });
  }

  @Test
  void tooManyLossesAreNamed() {
    MemoryGroup group =
        new MemoryGroup(IzsFamily.code(4, 2), CELL_BYTES, 4 * CELL_BYTES, new Random(1));
    group.lose(0);
    group.lose(4);
    group.failWhenRead(2);
    assertThatThrownBy(
            () -> read(reader(IzsFamily.code(4, 2), CELL_BYTES), group, 0, CELL_BYTES, true))
        .isInstanceOf(LostUnitsException.class)
        .hasMessage(
            "Cannot read a block group: group=blk_-16, lost units={0=lost, 2=failed, 4=lost},"
                + " expected at most 2 of its 6 units lost at level 2; bring back their DataNodes"
                + " or replicas, file=/file groupOffset=0");
  }

  /** What a client has written that takes every codec for Reed-Solomon, if it tells the truth. */
  @Test
  void parityOfAnotherCodecIsRefusedWhereverOneOfItIsToSpare() {
    for (ZigzagCode code : IzsFamily.all()) {
      for (int losses = 1; losses < code.parityColumns(); losses++) {
        for (int lost = 0; lost < code.columns(); lost++) {
          MemoryGroup group =
              new MemoryGroup(
                  code, CELL_BYTES, 2 * CELL_BYTES * code.dataColumns() + 1300, new Random(11));
          group.writeParityOfReedSolomon();
          for (int i = 0; i < losses; i++) {
            group.lose((lost + i) % code.columns());
          }
          assertRightOrRefused(code, group, lost < code.dataColumns());
        }
      }
    }
  }

  private static void assertRightOrRefused(
      ZigzagCode code, MemoryGroup group, boolean isRefusedOnce) {
    IzsGroupReader reader = reader(code, CELL_BYTES);
    List<String> refusals = new ArrayList<>();
    Random random = new Random(12);
    for (int i = 0; i < 10; i++) {
      int from = i == 0 ? 0 : random.nextInt(group.data.length);
      int length = i == 0 ? group.data.length : 1 + random.nextInt(group.data.length - from);
      try {
        assertThat(read(reader, group, from, length, true))
            .as("%s: %d from %d", code, length, from)
            .isEqualTo(expected(group, from, length));
      } catch (IOException e) {
        assertThat(group.buffersOut()).isZero();
        refusals.add(e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
    if (isRefusedOnce) {
      assertThat(refusals).isNotEmpty();
    }
    assertThat(refusals)
        .allMatch(
            refusal ->
                refusal.startsWith(
                        "ContradictionException: Cannot decode a block group of codec izs: units"
                            + " that do not fit=[")
                    && refusal.contains("file=/file group=blk_-16 stripe=")
                    && refusal.contains("was not made by codec izs")
                    && refusal.contains("hdfs izs -verify"));
  }

  /** Zeros fit with any code: they do not make parity believed that was not held against data. */
  @Test
  void stripesOfZerosDoNotTellOfOthers() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 3 * 4 * CELL_BYTES, new Random(13));
    for (int unit = 0; unit < 4; unit++) {
      group.clearData(code, unit, 0, CELL_BYTES);
    }
    for (int unit = 1; unit < 4; unit++) {
      group.clearData(code, unit, CELL_BYTES, 2 * CELL_BYTES);
    }
    group.writeParityOfReedSolomon();
    group.lose(0);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    assertThat(read(reader, group, 0, CELL_BYTES, true)).isEqualTo(new byte[CELL_BYTES]);
    for (int stripe = 1; stripe < 3; stripe++) {
      int from = stripe * 4 * CELL_BYTES;
      assertThatThrownBy(() -> read(reader, group, from, CELL_BYTES, true))
          .isInstanceOf(ContradictionException.class);
    }
  }

  /** As of a sparse file, one of whose units is empty: its parity is not compared for each read. */
  @Test
  void aStripeThatWasComparedIsNotComparedAgain() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 3 * 4 * CELL_BYTES, new Random(15));
    group.clearData(code, 2, 0, 3 * CELL_BYTES);
    group.lose(0);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    for (int stripe = 0; stripe < 3; stripe++) {
      int from = stripe * 4 * CELL_BYTES;
      assertCosts(reader, group, from + 7, 5L * CELL_BYTES);
      assertCosts(reader, group, from + 8, 4 * 100);
    }
  }

  /** No stripe has bytes in all columns, but each column has been seen to fit. */
  @Test
  void stripesTogetherVouchForAllColumns() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 4 * 4 * CELL_BYTES, new Random(16));
    for (int stripe = 0; stripe < 4; stripe++) {
      int zeros = stripe == 3 ? 1 : 1 + stripe;
      group.clearData(code, zeros, stripe * CELL_BYTES, (stripe + 1) * CELL_BYTES);
    }
    group.lose(0);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    for (int stripe = 0; stripe < 4; stripe++) {
      // Without the second stripe nothing is known of unit 1.
      assertCosts(reader, group, stripe * 4 * CELL_BYTES, stripe < 2 ? 5L * CELL_BYTES : 4 * 100);
    }
  }

  /** A read of 100 bytes of the lost unit. */
  private static void assertCosts(
      IzsGroupReader reader, MemoryGroup group, int from, long costBytes) throws IOException {
    Arrays.fill(group.bytesRead, 0);
    assertThat(read(reader, group, from, 100, false)).isEqualTo(expected(group, from, 100));
    assertThat(group.allBytesRead()).as("read from %d", from).isEqualTo(costBytes);
  }

  /** What can be wrong with whole units. */
  private enum Wrong {
    REED_SOLOMON,
    SWAPPED,
    FOREIGN
  }

  /**
   * Of groups with many cells of zeros: what is decoded with units that are wrong is right, where
   * that is so by chance, or refused. In no order of reads does one stripe vouch for another one
   * that it says nothing of.
   */
  @Test
  void wrongUnitsOfSparseGroupsAreNotDecodedWith() {
    SeededRuns.of(400).check(GroupReadTest::checkSparse);
  }

  private static void checkSparse(Random random) throws IOException {
    int stripes = 2 + random.nextInt(5);
    int cellBytes = 64;
    ZigzagCode code =
        IzsFamily.code(IzsFamily.dataColumns().get(random.nextInt(2)), 2 + random.nextInt(2));
    MemoryGroup group = sparse(code, cellBytes, stripes, random);
    Wrong wrong = Wrong.values()[random.nextInt(Wrong.values().length)];
    List<Integer> units = shuffled(code, random);
    int lost = units.stream().filter(unit -> unit < code.dataColumns()).findFirst().orElseThrow();
    units.remove((Integer) lost);
    if (wrong == Wrong.SWAPPED && isCodewordWithout(code, lost, units.get(0), units.get(1))) {
      return;
    }
    switch (wrong) {
      case REED_SOLOMON -> group.writeParityOfReedSolomon();
      case SWAPPED -> {
        byte[] one = group.blocks[units.get(0)];
        group.blocks[units.get(0)] = group.blocks[units.get(1)];
        group.blocks[units.get(1)] = one;
      }
      case FOREIGN ->
          group.blocks[units.get(0)] =
              sparse(code, cellBytes, stripes, random).blocks[units.get(0)];
    }
    group.lose(lost);
    IzsGroupReader reader = reader(code, cellBytes);
    for (int i = 0; i < 2 * stripes; i++) {
      int cell = random.nextInt(stripes) * code.dataColumns() + lost;
      int from = cell * cellBytes + random.nextInt(cellBytes);
      int length = 1 + random.nextInt((cell + 1) * cellBytes - from);
      byte[] bytes;
      try {
        bytes = read(reader, group, from, length, false);
      } catch (ContradictionException e) {
        continue;
      }
      assertThat(bytes)
          .as("%s %s without %d, %d from %d, %d stripes", wrong, code, lost, length, from, stripes)
          .isEqualTo(expected(group, from, length));
    }
  }

  /**
   * Two parity units that weigh the lost unit alike may be exchanged: what is left is a codeword of
   * other data, and nothing in it contradicts.
   */
  private static boolean isCodewordWithout(ZigzagCode code, int lost, int one, int other)
      throws IOException {
    int cellBytes = 64;
    MemoryGroup dense =
        new MemoryGroup(code, cellBytes, cellBytes * code.dataColumns(), new Random(17));
    byte[] first = dense.blocks[one];
    dense.blocks[one] = dense.blocks[other];
    dense.blocks[other] = first;
    dense.lose(lost);
    int from = lost * cellBytes;
    try {
      byte[] bytes = read(reader(code, cellBytes), dense, from, cellBytes, false);
      if (Arrays.equals(bytes, expected(dense, from, cellBytes))) {
        return false;
      }
    } catch (ContradictionException e) {
      return false;
    }
    assertThat(Math.min(one, other)).as("a parity unit").isGreaterThanOrEqualTo(code.dataColumns());
    return true;
  }

  private static MemoryGroup sparse(ZigzagCode code, int cellBytes, int stripes, Random random) {
    MemoryGroup group =
        new MemoryGroup(code, cellBytes, stripes * cellBytes * code.dataColumns(), random);
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int unit = 0; unit < code.dataColumns(); unit++) {
        if (random.nextBoolean()) {
          group.clearData(code, unit, stripe * cellBytes, (stripe + 1) * cellBytes);
        }
      }
    }
    return group;
  }

  /** Nothing is there to compare with; what the code promises is kept for who keeps to the code. */
  @Test
  void asManyLossesAsParityUnitsAreDecodedUnseen() throws IOException {
    for (ZigzagCode code : IzsFamily.all()) {
      MemoryGroup group =
          new MemoryGroup(code, CELL_BYTES, 2 * CELL_BYTES * code.dataColumns(), new Random(14));
      for (int unit = 0; unit < code.parityColumns(); unit++) {
        group.lose(unit);
      }
      assertThat(read(reader(code, CELL_BYTES), group, 0, group.data.length, true))
          .isEqualTo(group.data);
    }
  }

  /**
   * With the plain parity left, a lost cell costs as many bytes of k others as are wanted of it,
   * once a stripe has shown that the parity units fit: that costs a cell of each.
   */
  @Test
  void oneLostUnitCostsNoMoreThanItsWantedBytesOfTheOthers() throws IOException {
    for (ZigzagCode code : IzsFamily.all()) {
      MemoryGroup group =
          new MemoryGroup(code, CELL_BYTES, 3 * CELL_BYTES * code.dataColumns(), new Random(2));
      group.lose(1);
      IzsGroupReader reader = reader(code, CELL_BYTES);
      assertThat(read(reader, group, CELL_BYTES + 3, 1, false))
          .isEqualTo(expected(group, CELL_BYTES + 3, 1));
      assertThat(group.allBytesRead())
          .isEqualTo(
              code.parityColumns() == 1
                  ? code.dataColumns()
                  : (code.columns() - 1) * (long) CELL_BYTES);
      Arrays.fill(group.bytesRead, 0);
      byte[] bytes = read(reader, group, CELL_BYTES + 300, 100, false);
      assertThat(bytes).isEqualTo(expected(group, CELL_BYTES + 300, 100));
      assertThat(group.allBytesRead()).isEqualTo(100L * code.dataColumns());
      assertThat(group.bytesRead[code.dataColumns()]).isEqualTo(100);
    }
  }

  /** Parities 0 and 2 both add up rows as they are. */
  @Test
  void twoLostUnitsAtLevelThreeCostNoMoreEither() throws IOException {
    ZigzagCode code = IzsFamily.code(6, 3);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 6 * CELL_BYTES, new Random(3));
    group.lose(0);
    group.lose(3);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    read(reader, group, 0, 1, false);
    Arrays.fill(group.bytesRead, 0);
    assertThat(read(reader, group, 3 * CELL_BYTES + 10, 50, false))
        .isEqualTo(expected(group, 3 * CELL_BYTES + 10, 50));
    assertThat(group.allBytesRead()).isEqualTo(6 * 50);
    assertThat(group.bytesRead[7]).isZero();
  }

  @Test
  void wholeCodewordsAreReadWhereTheShiftedParityIsNeeded() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 8 * CELL_BYTES, new Random(4));
    group.lose(0);
    group.lose(3);
    assertThat(read(reader(code, CELL_BYTES), group, 3 * CELL_BYTES + 10, 50, false))
        .isEqualTo(expected(group, 3 * CELL_BYTES + 10, 50));
    assertThat(group.bytesRead)
        .containsExactly(0, CELL_BYTES, CELL_BYTES, 0, CELL_BYTES, CELL_BYTES);
  }

  /** What has been read before the loss was found is not read again. */
  @Test
  void aLossOnTheWayCostsOnlyWhatItsRepairNeeds() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 8 * CELL_BYTES, new Random(5));
    group.failWhenRead(2);
    group.failWhenRead(3);
    assertThat(read(reader(code, CELL_BYTES), group, 0, 8 * CELL_BYTES, false))
        .isEqualTo(group.data);
    for (int unit = 0; unit < code.columns(); unit++) {
      assertThat(group.bytesRead[unit]).as("unit %d", unit).isEqualTo(2 * CELL_BYTES);
    }
  }

  /** Else a long read over a slow link is refused, though each stripe is read in a moment. */
  @Test
  void aStripeIsDecodedAsOldAsItsOwnBytes() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    int stripeBytes = 4 * CELL_BYTES;
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 5 * stripeBytes, new Random(1));
    group.lose(1);
    assertThat(read(reader(code, CELL_BYTES), group, 0, 5 * stripeBytes, true))
        .isEqualTo(group.data);
    assertThat(group.readsPerDecode()).hasSizeGreaterThanOrEqualTo(5).containsOnly(1);
  }

  /** Stripes that were read together are decoded one by one when a unit fails. */
  @Test
  void bytesThatAreInPlaceKeepTheirAge() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    int stripeBytes = 4 * CELL_BYTES;
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 5 * stripeBytes, new Random(1));
    group.failWhenRead(3);
    // Of the first stripe all is read again, of the next two what is not in place.
    int from = 3 * CELL_BYTES + 10;
    int length = 3 * stripeBytes - from;
    IzsGroupReader reader = reader(code, CELL_BYTES);
    assertThat(read(reader, group, from, length, true)).isEqualTo(expected(group, from, length));
    assertThat(group.readsPerDecode()).startsWith(2).endsWith(3, 4);
    assertThat(group.readsPerDecode()).containsOnly(2, 3, 4);
  }

  @Test
  void aUnitThatFailedIsReadAgainWhereItHasAnotherReplica() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 1);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 8 * CELL_BYTES, new Random(8));
    group.failOnce(2);
    group.failOnce(3);
    assertThat(read(reader(code, CELL_BYTES), group, 0, 8 * CELL_BYTES, false))
        .isEqualTo(group.data);
    assertThat(group.bytesRead[4]).as("parity").isZero();
  }

  /** The parity cells of the last stripe are still growing, nobody knows up to where. */
  @Test
  void theLastStripeOfAnUnfinishedGroupIsNotDecoded() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 5 * CELL_BYTES, new Random(6));
    group.lose(0);
    BlockGroup unfinished = new BlockGroup("/file", "blk_-16", 0, group.data.length, false);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    ByteBuffer target = ByteBuffer.allocate(4 * CELL_BYTES);
    reader.read(group, unfinished, 0, target.duplicate());
    assertThat(target.array()).isEqualTo(expected(group, 0, 4 * CELL_BYTES));
    assertThatThrownBy(() -> reader.read(group, unfinished, 4 * CELL_BYTES, ByteBuffer.allocate(1)))
        .isInstanceOf(LostUnitsException.class)
        .hasMessageContaining("being written");
  }

  @Test
  void decodedBytesBehindAShortCellMustBeZero() {
    ZigzagCode code = IzsFamily.code(4, 2);
    MemoryGroup group =
        new MemoryGroup(code, CELL_BYTES, CELL_BYTES + CELL_BYTES / 2, new Random(7));
    group.lose(1);
    group.blocks[4][CELL_BYTES - 1] ^= 1;
    group.lose(0);
    assertThatThrownBy(
            () -> read(reader(code, CELL_BYTES), group, CELL_BYTES, CELL_BYTES / 2, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("byte behind the cell of unit 1");
  }

  /** What was read of the group is of no use for the one in its place, and is not decoded. */
  @Test
  void aGroupThatIsReplacedMeanwhileEndsTheRead() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    IzsGroupReader reader = reader(code, CELL_BYTES);
    for (int reads = 0; reads < 3; reads++) {
      MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 12 * CELL_BYTES, new Random(9));
      group.lose(1);
      group.failWhenRead(2);
      group.replaceAfter(reads);
      assertThatThrownBy(() -> read(reader, group, 0, 12 * CELL_BYTES, true))
          .isInstanceOf(GroupReplacedException.class);
      assertThat(group.buffersOut()).isZero();
      // The next read is one of the group that is there, from the start.
      MemoryGroup next = new MemoryGroup(code, CELL_BYTES, 12 * CELL_BYTES, new Random(10));
      assertThat(read(reader, next, 0, 12 * CELL_BYTES, true)).isEqualTo(next.data);
    }
  }
}
