/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.Overlap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverlapReadsTest {
  private static IzsCodec anyCodec(Random random) {
    List<Integer> offered = IzsFamily.dataColumns();
    return new IzsCodec(
        Kernels.best(),
        IzsFamily.code(
            offered.get(random.nextInt(offered.size())),
            1 + random.nextInt(IzsFamily.MAX_PARITY_COLUMNS)));
  }

  private static List<OverlapReads.Sample> all(OverlapReads reads) {
    List<OverlapReads.Sample> samples = new ArrayList<>(reads.stretches());
    samples.addAll(reads.whole(0, reads.stripes()));
    return samples;
  }

  /** What the ranges of a sample hold, by unit. */
  private static @Nullable ByteBuffer[] columns(
      OverlapReads.Sample sample, GroupShape shape, byte[][] units) {
    @Nullable ByteBuffer[] columns = new ByteBuffer[shape.units()];
    for (int empty : sample.reads().emptyUnits()) {
      columns[empty] = ByteBuffer.allocate(sample.codewordBytes());
    }
    for (UnitRead read : sample.reads().reads()) {
      ByteBuffer column = ByteBuffer.allocate(sample.codewordBytes());
      for (ByteRange range : read.ranges()) {
        assertThat(range.isEmpty()).isFalse();
        column.put(units[read.unit()], (int) range.offsetBytes(), (int) range.lengthBytes());
      }
      columns[read.unit()] = column.clear();
    }
    return columns;
  }

  private static Overlap.Outcome compare(
      IzsCodec codec, OverlapReads.Sample sample, GroupShape shape, byte[][] units)
      throws IOException {
    return Overlap.compare(
        codec,
        columns(sample, shape, units),
        sample.spares(),
        ByteBuffer.allocate(sample.codewordBytes()));
  }

  private static byte[][] units(GroupTwin twin, GroupShape shape) {
    byte[][] units = new byte[shape.units()][];
    Arrays.setAll(units, twin::unit);
    return units;
  }

  private record Lossy(GroupShape shape, IzsCodec codec, byte[][] units, TreeSet<Integer> lost) {
    static Lossy random(Random random) {
      IzsCodec codec = anyCodec(random);
      int data = codec.code().dataColumns();
      int cellBytes = 1 + random.nextInt(random.nextBoolean() ? 50 : 200_000);
      GroupShape shape =
          new GroupShape(
              data,
              codec.code().parityColumns(),
              cellBytes,
              1 + random.nextInt(Math.min(3 * data * cellBytes, 4_000_000)));
      TreeSet<Integer> lost = new TreeSet<>();
      int losses = 1 + random.nextInt(shape.parityUnits());
      while (lost.size() < losses) {
        lost.add(random.nextInt(shape.units()));
      }
      byte[][] units = OverlapReadsTest.units(GroupTwin.random(shape, codec, random), shape);
      return new Lossy(shape, codec, units, lost);
    }

    TreeSet<Integer> usable() {
      TreeSet<Integer> usable = new TreeSet<>();
      for (int unit = 0; unit < units.length; unit++) {
        if (!lost.contains(unit) && units[unit].length > 0) {
          usable.add(unit);
        }
      }
      return usable;
    }

    OverlapReads reads() {
      return new OverlapReads(shape, codec.code(), usable());
    }
  }

  @Test
  void whatTheCodecHasWrittenFits() {
    SeededRuns.of(60)
        .check(
            random -> {
              Lossy group = Lossy.random(random);
              for (OverlapReads.Sample sample : all(group.reads())) {
                assertThat(compare(group.codec, sample, group.shape, group.units).contradicted())
                    .as("%s without %s", group.shape, group.lost)
                    .isEmpty();
              }
            });
  }

  /** Any byte of a sample, of whatever unit, is one that its comparison rests on. */
  @Test
  void oneWrongByteOfASampleIsSeen() {
    SeededRuns.of(60)
        .check(
            random -> {
              Lossy group = Lossy.random(random);
              for (OverlapReads.Sample sample : all(group.reads())) {
                List<UnitRead> reads = sample.reads().reads();
                UnitRead read = reads.get(random.nextInt(reads.size()));
                ByteRange range = read.ranges().get(random.nextInt(read.ranges().size()));
                int at = (int) range.offsetBytes() + random.nextInt((int) range.lengthBytes());
                byte[] unit = group.units[read.unit()];
                unit[at] ^= (byte) (1 + random.nextInt(255));
                assertThat(compare(group.codec, sample, group.shape, group.units).contradicted())
                    .as("byte %s of unit %s of %s", at, read.unit(), group.shape)
                    .isNotEmpty();
                return;
              }
            });
  }

  @Test
  void parityOfReedSolomonIsSeenInEveryStretch() {
    SeededRuns.of(40)
        .check(
            random -> {
              Lossy group = Lossy.random(random);
              encodeByReedSolomon(group);
              for (OverlapReads.Sample sample : all(group.reads())) {
                Overlap.Outcome outcome = compare(group.codec, sample, group.shape, group.units);
                // A few bytes of wrong parity can be right by chance.
                boolean isShort = sample.codewordBytes() < 16;
                assertThat(isShort || !outcome.contradicted().isEmpty())
                    .as("%s without %s", group.shape, group.lost)
                    .isTrue();
              }
            });
  }

  private static void encodeByReedSolomon(Lossy group) throws IOException {
    GroupShape shape = group.shape;
    RawErasureEncoder coder =
        new RSRawErasureCoderFactory()
            .createEncoder(new ErasureCoderOptions(shape.dataUnits(), shape.parityUnits()));
    for (long stripe = 0; stripe < shape.stripes(); stripe++) {
      int from = (int) shape.cellOffset(stripe);
      ByteBuffer[] data = new ByteBuffer[shape.dataUnits()];
      for (int unit = 0; unit < data.length; unit++) {
        data[unit] = ByteBuffer.allocate(shape.codewordBytes(stripe));
        if (shape.cellBytes(unit, stripe) > 0) {
          data[unit].put(group.units[unit], from, shape.cellBytes(unit, stripe)).rewind();
        }
      }
      ByteBuffer[] parity = new ByteBuffer[shape.parityUnits()];
      for (int unit = 0; unit < parity.length; unit++) {
        parity[unit] =
            ByteBuffer.wrap(group.units[shape.dataUnits() + unit])
                .slice(from, shape.codewordBytes(stripe));
      }
      coder.encode(data, parity);
    }
  }

  /** Of a group of 128 stripes of 1 MiB cells: 3 stretches of 32 KiB of 5 units. */
  @Test
  void stretchesAreAFewKilobytesOfEachUnit() {
    int cellBytes = 1 << 20;
    GroupShape shape = new GroupShape(4, 2, cellBytes, 128L * 4 * cellBytes);
    OverlapReads reads = new OverlapReads(shape, IzsFamily.code(4, 2), List.of(0, 2, 3, 4, 5));
    long bytes = reads.stretches().stream().mapToLong(sample -> sample.reads().lengthBytes()).sum();
    assertThat(bytes).isEqualTo(3 * 5 * 8 * 4096);
    double share = (double) bytes / (4L * 128 * cellBytes);
    assertThat(share).isLessThan(0.001);
  }

  @Test
  void nothingIsReadWhereNothingIsToSpareOrDecodedByParity() {
    GroupShape shape = new GroupShape(4, 2, 64, 4 * 64 * 3);
    for (List<Integer> usable :
        List.of(List.of(0, 1, 2, 4), List.of(2, 3, 4, 5), List.of(0, 1, 2, 3, 4))) {
      assertThat(all(new OverlapReads(shape, IzsFamily.code(4, 2), usable))).isEmpty();
    }
  }

  /** Any k known units of a stripe determine the others, and one that is empty is known. */
  private static boolean isNothingToSpareByCount(GroupShape shape, Set<Integer> usable) {
    int known = 0;
    boolean isDecoded = false;
    for (int unit = 0; unit < shape.units(); unit++) {
      boolean isData = unit < shape.dataUnits();
      boolean isEmpty = isData && (long) unit * shape.cellBytes() >= shape.groupBytes();
      boolean isKnown = isEmpty || usable.contains(unit);
      known += isKnown ? 1 : 0;
      isDecoded |= isData && !isKnown;
    }
    return isDecoded && known <= shape.dataUnits();
  }

  @Test
  void nothingIsToSpareAsItsTwinCounts() {
    int[] answers = new int[2];
    SeededRuns.of(2_000)
        .check(
            random -> {
              IzsCodec codec = anyCodec(random);
              int data = codec.code().dataColumns();
              int cellBytes = 64;
              GroupShape shape =
                  new GroupShape(
                      data,
                      codec.code().parityColumns(),
                      cellBytes,
                      1 + random.nextInt(2 * data * cellBytes));
              Set<Integer> usable = new TreeSet<>();
              for (int unit = 0; unit < shape.units(); unit++) {
                if (random.nextInt(5) > 0) {
                  usable.add(unit);
                }
              }
              boolean expected = isNothingToSpareByCount(shape, usable);
              assertThat(new OverlapReads(shape, codec.code(), usable).isNothingToSpare())
                  .as("%s with units %s", shape, usable)
                  .isEqualTo(expected);
              answers[expected ? 1 : 0]++;
            });
    assertThat(answers).doesNotContain(0);
  }
}
