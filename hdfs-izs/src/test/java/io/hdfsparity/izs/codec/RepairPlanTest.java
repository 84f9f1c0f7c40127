/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.gf.Kernels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What repair reads, and that what it reads is enough. */
class RepairPlanTest {
  static List<ZigzagCode> codes() {
    return CodewordTwin.codes();
  }

  private static IzsCodec codec(ZigzagCode code) {
    return new IzsCodec(Kernels.best(), code);
  }

  /** Only the planned runs are handed over, so nothing else can be read. */
  @ParameterizedTest
  @MethodSource("codes")
  void everyColumnIsRebuiltFromThePlannedRunsAlone(ZigzagCode code) {
    IzsCodec codec = codec(code);
    CodewordTwin twin = CodewordTwin.of(code);
    SeededRuns.of(2)
        .check(
            random -> {
              int several = code.rows() * (20_000 + random.nextInt(20_000)) + random.nextInt(8);
              for (int length :
                  IntStream.concat(
                          IntStream.rangeClosed(1, 3 * code.rows() + 5), IntStream.of(several))
                      .toArray()) {
                int lost = random.nextInt(code.columns());
                checkRepair(codec, lost, twin.randomCodeword(random, length), random);
              }
              byte[][] codeword = twin.randomCodeword(random, 7 * code.rows() + 3);
              for (int lost = 0; lost < code.columns(); lost++) {
                checkRepair(codec, lost, codeword, random);
              }
            });
  }

  private static void checkRepair(IzsCodec codec, int lost, byte[][] codeword, Random random) {
    int length = codeword[0].length;
    boolean isDirect = random.nextBoolean();
    RepairPlan plan = codec.repairPlan(lost);
    ByteBuffer[] runs = new ByteBuffer[plan.helpers().size()];
    for (int i = 0; i < runs.length; i++) {
      byte[] column = codeword[plan.helpers().get(i).column()];
      ByteBuffer read = ByteBuffer.allocate((int) plan.bytesRead(i, length));
      for (ByteRange range : plan.ranges(i, length)) {
        read.put(column, (int) range.offsetBytes(), (int) range.lengthBytes());
      }
      assertThat(read.hasRemaining()).isFalse();
      runs[i] = Columns.buffer(read.array(), isDirect, random);
    }
    ByteBuffer rebuilt = Columns.poisoned(length, isDirect, random);
    codec.repair(plan, runs, rebuilt);
    assertThat(Columns.bytes(rebuilt))
        .as("%s column %d of %d bytes", codec.code(), lost, length)
        .isEqualTo(codeword[lost]);
  }

  @ParameterizedTest
  @CsvSource({
    "4,2,.625,.625,.625", "4,3,.625,.625,.625",
    "6,2,.583333,.666667,.638889", "6,3,.583333,.666667,.638889",
    "8,2,.5625,.625,.609375", "8,3,.5625,.625,.609375",
    "10,2,.6,.6,.6", "10,3,.6,.6,.6",
    "4,1,1,1,1", "10,1,1,1,1"
  })
  void sharesAreAsDocumented(int k, int r, double least, double most, double mean) {
    checkShares(IzsFamily.code(k, r), least, most, mean);
  }

  /** The paper's equation 3: k * r / (k + 2r - 2) = 4/3 for (6, 4). */
  @Test
  void twoDuplicationReadsWhatThePaperSays() {
    checkShares(TwoDuplication.code(), .75, .75, .75);
  }

  private static void checkShares(ZigzagCode code, double least, double most, double mean) {
    double[] shares =
        IntStream.range(0, code.dataColumns())
            .mapToDouble(lost -> codec(code).repairPlan(lost).shareOfFullRead())
            .toArray();
    assertThat(IntStream.range(0, shares.length).mapToDouble(i -> shares[i]).min().orElseThrow())
        .isCloseTo(least, within(1e-6));
    assertThat(IntStream.range(0, shares.length).mapToDouble(i -> shares[i]).max().orElseThrow())
        .isCloseTo(most, within(1e-6));
    assertThat(
            IntStream.range(0, shares.length).mapToDouble(i -> shares[i]).average().orElseThrow())
        .isCloseTo(mean, within(1e-6));
  }

  @Test
  void fullCellOfFourDataColumnsTakesExactlyFiveEighths() {
    int cell = 1 << 20;
    for (int r = 2; r <= 3; r++) {
      IzsCodec codec = codec(IzsFamily.code(4, r));
      int[] runs = {3, 4, 2, 1};
      for (int lost = 0; lost < 4; lost++) {
        RepairPlan plan = codec.repairPlan(lost);
        assertThat(plan.bytesRead(cell)).isEqualTo(5L * cell / 2);
        assertThat(plan.shareOfFullRead(cell)).isEqualTo(.625);
        assertThat(plan.helpers()).hasSize(5);
        for (int helper = 0; helper < 5; helper++) {
          assertThat(plan.bytesRead(helper, cell)).isEqualTo(cell / 2);
          assertThat(plan.ranges(helper, cell)).hasSize(runs[lost]);
        }
      }
    }
  }

  /** Behind the last row there are no two halves: k whole tails are read. */
  @Test
  void tailIsReadInFullFromAsManyColumnsAsData() {
    RepairPlan plan = codec(IzsFamily.code(4, 2)).repairPlan(3);
    assertThat(plan.bytesRead(8 * 100 + 7)).isEqualTo(20 * 100 + 4 * 7);
    assertThat(plan.bytesRead(7)).isEqualTo(4 * 7);
    assertThat(plan.ranges(0, 8 * 100 + 7))
        .containsExactly(new ByteRange(0, 400), new ByteRange(800, 7));
    assertThat(plan.ranges(3, 7)).containsExactly(new ByteRange(0, 7));
    assertThat(plan.ranges(4, 7)).isEmpty();
  }

  @Test
  void planCanBeRead() {
    assertThat(codec(IzsFamily.code(4, 2)).repairPlan(0))
        .hasToString(
            """
            IZS-4-2: rebuild column 0 from 20 of 32 rows (0.6250 of a full read)
              column 1: rows 0 3 5-6 of 8, tail
              column 2: rows 0 3 5-6 of 8, tail
              column 3: rows 0 3 5-6 of 8, tail
              column 4: rows 0 3 5-6 of 8, tail
              column 5: rows 1-2 4 7 of 8""");
    assertThat(codec(IzsFamily.code(4, 3)).repairPlan(6).toString())
        .startsWith("IZS-4-3: rebuild column 6 from 32 of 32 rows (1.0000 of a full read)\n")
        .contains("  column 3: rows 0-7 of 8, tail");
  }

  @Test
  void plansAreMadeOnceAndBelongToTheirCodec() {
    IzsCodec codec = codec(IzsFamily.code(4, 2));
    assertThat(codec.repairPlan(1)).isSameAs(codec.repairPlan(1));
    RepairPlan foreign = codec(IzsFamily.code(4, 3)).repairPlan(1);
    assertThatThrownBy(() -> codec.repair(foreign, new ByteBuffer[5], ByteBuffer.allocate(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot repair a column: plan=IZS-4-3, expected one of this codec");
    assertThatThrownBy(
            () ->
                codec.repair(
                    codec.repairPlan(1),
                    Columns.poisoned(5, 8, true, new Random(0)),
                    ByteBuffer.allocate(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot repair a column: helperRuns[0].remaining=8, expected = 4");
  }
}
