/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.RepairCounters;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;

class IzsShapeTest {
  private static final long MIB = 1L << 20;
  private static final long[] LENGTHS = {
    0, 1, MIB - 1, MIB, MIB + 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 11 * MIB + 7, 32 * MIB
  };

  /** Hadoop's own arithmetic on lengths of units. */
  private static long unitBytes(ErasureCodingPolicy policy, long groupBytes, int unit) {
    return groupBytes == 0 ? 0 : StripedBlockUtil.getInternalBlockLength(groupBytes, policy, unit);
  }

  /** Four bytes for each 512, behind a header; none for a unit that is not there. */
  private static long withChecksums(long unitBytes) {
    return unitBytes == 0 ? 0 : unitBytes + 7 + (unitBytes + 511) / 512 * 4;
  }

  private static SourceFile file(long lengthBytes) {
    return new SourceFile(Path.of("x"), "x", lengthBytes, 0);
  }

  @Test
  void unitsAreAsLongAsHadoopMakesThem() {
    for (int level = 1; level <= 3; level++) {
      ErasureCodingPolicy policy =
          new ErasureCodingPolicy(
              new ECSchema("izs", IzsShape.DATA_UNITS, level), (int) IzsShape.CELL_BYTES);
      for (long length : LENGTHS) {
        long sum = 0;
        for (int unit = 0; unit < IzsShape.DATA_UNITS + level; unit++) {
          assertThat(IzsShape.space(level).unitBytes(length, unit))
              .as("unit %d of %d bytes", unit, length)
              .isEqualTo(unitBytes(policy, length, unit));
          sum += withChecksums(unitBytes(policy, length, unit));
        }
        assertThat(IzsShape.space(level).fileBytes(List.of(file(length)))).isEqualTo(sum);
      }
    }
  }

  @Test
  void whatIsDroppedIsMoreThanTheAllowanceForHeaders() {
    List<SourceFile> files = List.of(file(5 * MIB));
    long kept = IzsShape.space(1).fileBytes(files);
    // Five data cells, and two parity cells for each of two stripes.
    long stored = 9 * MIB;
    assertThat(stored + stored / 128).isGreaterThan(kept);
    assertThat(IzsShape.maxBytes(files)).isGreaterThan(IzsShape.space(3).fileBytes(files));
  }

  @Test
  void tinyFilesTakeABlockOfTheFileSystemForEachUnitAndItsChecksums() {
    List<SourceFile> files = Collections.nCopies(10_000, file(1));
    // One data unit and one to three of parity, of 1 byte and 11 of checksums.
    assertThat(IzsShape.space(1).fileBytes(files)).isEqualTo(10_000L * 2 * 12);
    assertThat(IzsShape.maxBytes(files))
        .isEqualTo(10_000L * 4 * (8 << 10) + 10_000L * 2 * 3 * (8 << 10) / IzsShape.NODES);
  }

  @Test
  void policiesAreThoseOfTheSample() throws Exception {
    String sample = java.nio.file.Files.readString(Path.of("../conf/user_ec_policies.xml"));
    assertThat(IzsShape.policy(2)).isEqualTo("IZS-4-2-1024k");
    for (int level = 1; level <= 3; level++) {
      assertThat(sample).contains("IZSk4m" + level);
    }
  }

  @Test
  void onlyFiveEighthsAreFiveEighths() {
    // Ten full stripes: RS reads 40 MiB, izs 25 MiB; and 8 MiB for what is not full.
    IzsRepair repair = repair(33 * MIB, 15 * MIB);
    assertThat(repair.rsBytes()).isEqualTo(48 * MIB);
    assertThat(repair.fullBytes()).isEqualTo(25 * MIB);
    assertThat(repair.isFiveEighths()).isTrue();
    assertThat(String.join("\n", repair.table()))
        .contains("62.5 % = 5/8, to the byte", "25.0 MB", "40.0 MB", "8.0 MB", "33.0 MB", "68.8 %");
    IzsRepair oneMore = repair(33 * MIB + 1, 15 * MIB - 1);
    assertThat(oneMore.isFiveEighths()).isFalse();
    assertThat(String.join("\n", oneMore.table())).doesNotContain("5/8");
  }

  private static IzsRepair repair(long readBytes, long savedBytes) {
    return new IzsRepair(
        new UnitMap.Holding(3, 12, 7, 18 * MIB, 10),
        new RepairCounters(7, 4, 8, 0, 0, readBytes, savedBytes, 0),
        9_000);
  }

  @Test
  void theLastPageHasAllNumbers() {
    Report report = new Report(Chapter.NAME_WIDTH);
    IzsSpace space = new IzsSpace(450 * MIB, 525 * MIB, 375 * MIB);
    Chapter.addStored(
        report, Collections.nCopies(260, new SourceFile(Path.of("x"), "x", 300 * MIB / 260, 0)));
    repair(33 * MIB, 15 * MIB).addTo(report);
    IzsChapter.addRaised(report, 263, 1_000, 12_400);
    IzsChapter.addLowered(report, 700);
    space.addTo(report);
    IzsChapter.addReads(report, 856, 501);
    IzsChapter.addSurvived(report, 4, 8);
    new CompareStep.Result(260, 300 * MIB, 1, List.of()).addTo(report, "");
    assertThat(String.join("\n", report.lines()))
        .contains(
            "260 files, 300.0 MB",
            "12 units of 18.0 MB in 9.0 s",
            "33.0 MB, RS: 48.0 MB; of full stripes 62.5 %",
            "263 block groups in 1.0 s, new parity units there after 12.4 s",
            "level 2 450.0 MB, level 3 525.0 MB, level 1 375.0 MB",
            "856 ranges during the repair, 501",
            "4 of 8, and all files read",
            "260 files of 260");
    assertThat(String.join("\n", space.table(300 * MIB)))
        .contains("IZS-4-2-1024k", "1.50 times", "1.75 times", "1.25 times");
  }
}
