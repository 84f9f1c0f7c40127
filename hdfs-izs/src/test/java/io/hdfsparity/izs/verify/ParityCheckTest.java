/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.rawcoder.HadoopColumns;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.repair.UnitRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Reads, codes and comparison together, on whole groups in memory. */
class ParityCheckTest {
  private static ColumnCode anyCode(Random random) {
    if (random.nextInt(4) == 0) {
      return random.nextInt(3) == 0
          ? new HadoopColumns(new Configuration(false), "xor", 2 + random.nextInt(4), 1)
          : new HadoopColumns(
              new Configuration(false), "rs", 2 + random.nextInt(5), 1 + random.nextInt(3));
    }
    List<Integer> offered = IzsFamily.dataColumns();
    return new IzsColumns(
        new IzsCodec(
            Kernels.best(),
            IzsFamily.code(
                offered.get(random.nextInt(offered.size())),
                1 + random.nextInt(IzsFamily.MAX_PARITY_COLUMNS))));
  }

  private static GroupShape anyShape(ColumnCode code, Random random) {
    // Now and then cells of which samples take a part.
    int cellBytes = random.nextInt(10) == 0 ? 300_000 : 1 + random.nextInt(3000);
    long groupBytes = 1 + random.nextInt(cellBytes * code.dataUnits() * (1 + random.nextInt(6)));
    return new GroupShape(code.dataUnits(), code.parityUnits(), cellBytes, groupBytes);
  }

  /** Units of a group, its parity made of whole cells. */
  private static byte[][] units(ColumnCode code, GroupShape shape, Random random)
      throws IOException {
    byte[][] units = new byte[shape.units()][];
    for (int unit = 0; unit < units.length; unit++) {
      units[unit] = new byte[(int) shape.blockBytes(unit)];
      random.nextBytes(units[unit]);
    }
    for (long stripe = 0; stripe < shape.stripes(); stripe++) {
      ByteBuffer[] columns = columns(new VerifyReads(shape, code.rows()).stripe(stripe), units);
      ByteBuffer[] parity = Arrays.copyOfRange(columns, code.dataUnits(), columns.length);
      code.encode(Arrays.copyOf(columns, code.dataUnits()), parity);
      for (int i = 0; i < parity.length; i++) {
        parity[i].get(
            0,
            units[code.dataUnits() + i],
            (int) shape.cellOffset(stripe),
            shape.codewordBytes(stripe));
      }
    }
    return units;
  }

  private static ByteBuffer[] columns(VerifyReads.Codeword codeword, byte[][] units) {
    ByteBuffer[] columns = new ByteBuffer[units.length];
    Arrays.setAll(columns, i -> ByteBuffer.allocate(codeword.codewordBytes()));
    for (UnitRead read : codeword.reads()) {
      for (ByteRange range : read.ranges()) {
        columns[read.unit()].put(
            units[read.unit()], (int) range.offsetBytes(), (int) range.lengthBytes());
      }
      columns[read.unit()].clear();
    }
    return columns;
  }

  private static int[] dataBytes(VerifyReads.Codeword codeword, int dataUnits) {
    int[] bytes = new int[dataUnits];
    for (UnitRead read : codeword.reads()) {
      if (read.unit() < dataUnits) {
        bytes[read.unit()] = (int) read.lengthBytes();
      }
    }
    return bytes;
  }

  private static ParityCheck check(
      ColumnCode code, List<VerifyReads.Codeword> codewords, byte[][] units) throws IOException {
    ParityCheck check = new ParityCheck(code, ByteBuffer::allocate);
    for (VerifyReads.Codeword codeword : codewords) {
      check.compare(columns(codeword, units), dataBytes(codeword, code.dataUnits()));
    }
    return check;
  }

  private static List<VerifyReads.Codeword> whole(VerifyReads reads) {
    List<VerifyReads.Codeword> all = new ArrayList<>();
    for (long stripe = 0; stripe < reads.shape().stripes(); stripe++) {
      all.add(reads.stripe(stripe));
    }
    return all;
  }

  @Test
  void soundGroupsFit() {
    SeededRuns.of(300)
        .check(
            random -> {
              ColumnCode code = anyCode(random);
              GroupShape shape = anyShape(code, random);
              byte[][] units = units(code, shape, random);
              VerifyReads reads = new VerifyReads(shape, code.rows());
              assertThat(check(code, reads.samples(), units).fits()).as("samples").isTrue();
              assertThat(check(code, whole(reads), units).fits()).as("whole").isTrue();
            });
  }

  @Test
  void exactlyTheWrongParityUnitsAreNamed() {
    SeededRuns.of(300)
        .check(
            random -> {
              ColumnCode code = anyCode(random);
              GroupShape shape = anyShape(code, random);
              byte[][] units = units(code, shape, random);
              TreeSet<Integer> wrong = new TreeSet<>();
              for (int n = 1 + random.nextInt(code.parityUnits()); n > 0; n--) {
                wrong.add(code.dataUnits() + random.nextInt(code.parityUnits()));
              }
              for (int unit : wrong) {
                byte[] other = new byte[units[unit].length];
                random.nextBytes(other);
                other[random.nextInt(other.length)] = 1;
                int from = random.nextInt(other.length);
                int to = from + 1 + random.nextInt(other.length - from);
                other[from] = (byte) (units[unit][from] ^ 1);
                System.arraycopy(other, from, units[unit], from, to - from);
              }
              ParityCheck found = check(code, whole(new VerifyReads(shape, code.rows())), units);
              assertThat(found.wrongParity()).isEqualTo(List.copyOf(wrong));
              if (wrong.size() < code.parityUnits()) {
                assertThat(found.suspectedData()).isEmpty();
              }
            });
  }

  @Test
  void dataThatExplainsAllIsSuspected() {
    SeededRuns.of(300)
        .check(
            random -> {
              ColumnCode code = anyCode(random);
              GroupShape shape = anyShape(code, random);
              byte[][] units = units(code, shape, random);
              int unit = random.nextInt(code.dataUnits());
              if (units[unit].length == 0) {
                return;
              }
              for (int n = 1 + random.nextInt(3); n > 0; n--) {
                units[unit][random.nextInt(units[unit].length)] ^= (byte) (1 + random.nextInt(255));
              }
              ParityCheck found = check(code, whole(new VerifyReads(shape, code.rows())), units);
              if (code.parityUnits() == 1 || found.fits()) {
                assertThat(found.suspectedData()).isEmpty();
              } else if (code.parityUnits() == 3) {
                assertThat(found.suspectedData()).containsExactly(unit);
              } else {
                assertThat(found.suspectedData()).contains(unit);
              }
            });
  }

  /** Random bytes in all parity units: no data unit can explain them, unless it is a byte or so. */
  @Test
  void foreignParityIsNotBlamedOnData() {
    SeededRuns.of(300)
        .check(
            random -> {
              ColumnCode code = anyCode(random);
              GroupShape shape = anyShape(code, random);
              byte[][] units = units(code, shape, random);
              for (int unit = code.dataUnits(); unit < units.length; unit++) {
                random.nextBytes(units[unit]);
              }
              ParityCheck found = check(code, whole(new VerifyReads(shape, code.rows())), units);
              if (shape.blockBytes(code.dataUnits()) >= 16) {
                assertThat(found.wrongParity()).hasSize(code.parityUnits());
                assertThat(found.suspectedData()).isEmpty();
              }
            });
  }

  @Test
  void samplesAreFewAndOfEachRow() {
    ColumnCode code = new IzsColumns(new IzsCodec(Kernels.best(), IzsFamily.code(4, 2)));
    VerifyReads reads = new VerifyReads(new GroupShape(4, 2, 1 << 20, 400L << 20), code.rows());
    assertThat(reads.samples()).hasSize(3);
    for (VerifyReads.Codeword each : reads.samples()) {
      assertThat(each.lengthBytes()).isEqualTo(6L * VerifyReads.SAMPLE_BYTES);
      assertThat(each.reads().get(0).ranges()).hasSize(8);
    }
    assertThat(reads.areSamplesAll()).isFalse();
    assertThat(new VerifyReads(new GroupShape(4, 2, 4096, 9000), 8).areSamplesAll()).isTrue();
  }
}
