/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.RepairPlan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read is enough, is what half reads promise, and is asked for in one piece. */
class GroupReadsTest {
  private static IzsCodec codec(int data, int parity) {
    return new IzsCodec(Kernels.best(), IzsFamily.code(data, parity));
  }

  private static TreeSet<Integer> without(int units, Collection<Integer> lost) {
    TreeSet<Integer> left = new TreeSet<>();
    for (int unit = 0; unit < units; unit++) {
      if (!lost.contains(unit)) {
        left.add(unit);
      }
    }
    return left;
  }

  private static List<ByteRange> requests(GroupReads plan, int unit, long fromStripe) {
    List<ByteRange> requests = new ArrayList<>();
    plan.requests(unit, fromStripe).forEachRemaining(requests::add);
    return requests;
  }

  /** Random groups, losses and starts, rebuilt from nothing but the bytes of the requests. */
  @Test
  void requestsDeliverWhatRebuildsEveryStripe() {
    SeededRuns.of(400)
        .check(
            random -> {
              List<Integer> offered = IzsFamily.dataColumns();
              int data = offered.get(random.nextInt(offered.size()));
              int parity = 1 + random.nextInt(IzsFamily.MAX_PARITY_COLUMNS);
              IzsCodec codec = codec(data, parity);
              int cellBytes = 1 + random.nextInt(70);
              GroupShape shape =
                  new GroupShape(data, parity, cellBytes, 1 + random.nextInt(4 * data * cellBytes));
              check(shape, codec, random);
            });
  }

  private static void check(GroupShape shape, IzsCodec codec, Random random) throws Exception {
    TreeSet<Integer> lost = new TreeSet<>();
    int count = 1 + random.nextInt(shape.parityUnits());
    while (lost.size() < count) {
      lost.add(random.nextInt(shape.units()));
    }
    TreeSet<Integer> wanted = new TreeSet<>(lost);
    wanted.removeIf(unit -> shape.blockBytes(unit) == 0 || random.nextInt(5) == 0);
    if (wanted.isEmpty()) {
      return;
    }
    HalfReads mayHalf = random.nextInt(4) == 0 ? HalfReads.FORBIDDEN : HalfReads.ALLOWED;
    GroupTwin twin = GroupTwin.random(shape, codec, random);
    GroupReads plan = GroupReads.plan(shape, codec, wanted, without(shape.units(), lost), mayHalf);
    long from = random.nextInt((int) plan.stripes());
    ByteBuffer[] streams = new ByteBuffer[shape.units()];
    for (int unit = 0; unit < shape.units(); unit++) {
      List<ByteRange> requests = requests(plan, unit, from);
      assertThat(requests)
          .as("requests to unit %s of %s", unit, shape)
          .isEqualTo(dumb(plan, shape, unit, from));
      assertThat(lost.contains(unit) && !requests.isEmpty()).isFalse();
      streams[unit] = twin.delivered(requests, unit);
    }
    for (long stripe = from; stripe < plan.stripes(); stripe++) {
      byte[][] cells = twin.rebuild(plan, stripe, streams);
      List<Integer> units = plan.stripe(stripe).wanted();
      for (int i = 0; i < cells.length; i++) {
        int at = (int) shape.cellOffset(stripe);
        assertThat(cells[i])
            .as("unit %s, stripe %s of %s without %s", units.get(i), stripe, shape, lost)
            .isEqualTo(
                java.util.Arrays.copyOfRange(twin.unit(units.get(i)), at, at + cells[i].length));
      }
    }
    for (ByteBuffer stream : streams) {
      assertThat(stream.remaining()).as("read for nothing").isZero();
    }
    for (int unit : wanted) {
      assertThat((long) plan.stripes() * shape.cellBytes())
          .isGreaterThanOrEqualTo(shape.blockBytes(unit));
    }
  }

  /** The dumb twin: marks every byte that some stripe needs, and takes the longest runs. */
  private static List<ByteRange> dumb(GroupReads plan, GroupShape shape, int unit, long from)
      throws Exception {
    BitSet needed = new BitSet();
    for (long stripe = from; stripe < plan.stripes(); stripe++) {
      for (UnitRead read : plan.stripe(stripe).reads()) {
        for (ByteRange range : read.unit() == unit ? read.ranges() : List.<ByteRange>of()) {
          assertThat(range.isEmpty()).isFalse();
          assertThat(range.endOffset()).isLessThanOrEqualTo(shape.blockBytes(unit));
          assertThat(needed.get((int) range.offsetBytes(), (int) range.endOffset()).isEmpty())
              .isTrue();
          needed.set((int) range.offsetBytes(), (int) range.endOffset());
        }
      }
    }
    List<ByteRange> runs = new ArrayList<>();
    for (int at = needed.nextSetBit(0); at >= 0; at = needed.nextSetBit(at)) {
      int end = needed.nextClearBit(at);
      runs.add(ByteRange.between(at, end));
      at = end;
    }
    return runs;
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "1, 4", "2, 2", "3, 1"})
  void oneLostDataUnitOfSixReadsFiveEighthsInFewRuns(int lost, int runs) throws Exception {
    int cellBytes = 1 << 20;
    GroupShape shape = new GroupShape(4, 2, cellBytes, 4L * 10 * cellBytes);
    GroupReads plan =
        GroupReads.plan(
            shape,
            codec(4, 2),
            new TreeSet<>(List.of(lost)),
            without(6, List.of(lost)),
            HalfReads.ALLOWED);
    long bytes = 0;
    for (int unit = 0; unit < 6; unit++) {
      List<ByteRange> requests = requests(plan, unit, 0);
      bytes += requests.stream().mapToLong(ByteRange::lengthBytes).sum();
      assertThat(requests).hasSize(unit == lost ? 0 : 10 * runs);
    }
    assertThat(bytes * 8).isEqualTo(5L * 4 * 10 * cellBytes);
  }

  @Test
  void runsThatTouchAcrossStripesAreOneRequest() throws Exception {
    // k = 6: columns 0 and 1 have the same shift, so that one of them is read whole for the other.
    IzsCodec codec = codec(6, 2);
    GroupShape shape = new GroupShape(6, 2, 800, 6L * 5 * 800);
    boolean hasWhole = false;
    for (int lost = 0; lost < 6; lost++) {
      GroupReads plan =
          GroupReads.plan(
              shape,
              codec,
              new TreeSet<>(List.of(lost)),
              without(8, List.of(lost)),
              HalfReads.ALLOWED);
      RepairPlan half = plan.halfPlan().orElseThrow();
      for (RepairPlan.Helper helper : half.helpers()) {
        if (helper.rowsRead().size() == 8) {
          hasWhole = true;
          assertThat(requests(plan, helper.column(), 0)).containsExactly(new ByteRange(0, 4000));
          assertThat(requests(plan, helper.column(), 3)).containsExactly(new ByteRange(2400, 1600));
        }
      }
    }
    assertThat(hasWhole).isTrue();
  }

  @Test
  void halfReadsNeedAllHelpersAndOneDataUnit() throws Exception {
    IzsCodec two = codec(4, 2);
    GroupShape group = new GroupShape(4, 2, 64, 4 * 64 * 3);
    assertThat(isHalf(group, two, List.of(1), List.of(0, 2, 3, 4, 5))).isTrue();
    assertThat(isHalf(group, two, List.of(1), List.of(0, 2, 3, 4))).as("busy parity 1").isFalse();
    assertThat(isHalf(group, two, List.of(1), List.of(2, 3, 4, 5))).as("busy data").isFalse();
    assertThat(isHalf(group, two, List.of(0, 1), List.of(2, 3, 4, 5))).isFalse();
    assertThat(isHalf(group, two, List.of(4), List.of(0, 1, 2, 3, 5))).as("parity").isFalse();
    GroupShape small = new GroupShape(4, 2, 64, 4 * 64 - 1);
    assertThat(isHalf(small, two, List.of(1), List.of(0, 2, 3, 4, 5))).as("partial").isFalse();
    GroupShape three = new GroupShape(4, 3, 64, 4 * 64 * 3);
    assertThat(isHalf(three, codec(4, 3), List.of(1), List.of(0, 2, 3, 4, 5)))
        .as("without parity 2, which is no helper")
        .isTrue();
    GroupShape one = new GroupShape(4, 1, 64, 4 * 64 * 3);
    assertThat(isHalf(one, codec(4, 1), List.of(1), List.of(0, 2, 3, 4))).isFalse();
  }

  private static boolean isHalf(
      GroupShape shape, IzsCodec codec, List<Integer> wanted, List<Integer> usable)
      throws Exception {
    GroupReads plan =
        GroupReads.plan(
            shape, codec, new TreeSet<>(wanted), new TreeSet<>(usable), HalfReads.ALLOWED);
    assertThat(plan.stripe(0).isHalf()).isEqualTo(plan.halfPlan().isPresent());
    return plan.halfPlan().isPresent();
  }

  @Test
  void tooFewSourcesAreRefused() {
    GroupShape shape = new GroupShape(4, 2, 64, 4 * 64 * 3);
    assertThatThrownBy(
            () ->
                GroupReads.plan(
                    shape,
                    codec(4, 2),
                    new TreeSet<>(List.of(0)),
                    new TreeSet<>(List.of(1, 2, 4)),
                    HalfReads.ALLOWED))
        .isInstanceOf(NotEnoughSourcesException.class)
        .hasMessageContaining("wanted=[0], usable=[1, 2, 4], expected 4 usable");
  }

  @Test
  void emptyCellsCostNothing() throws Exception {
    GroupShape shape = new GroupShape(4, 2, 64, 10);
    GroupReads plan =
        GroupReads.plan(
            shape,
            codec(4, 2),
            new TreeSet<>(List.of(0)),
            new TreeSet<>(List.of(4, 5)),
            HalfReads.ALLOWED);
    assertThat(plan.stripe(0).reads())
        .containsExactly(new UnitRead(4, List.of(new ByteRange(0, 10))));
    assertThat(plan.stripe(0).emptyUnits()).containsExactly(1, 2, 3);
  }
}
