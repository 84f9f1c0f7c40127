/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClusterShapeTest {
  private static SourceFile file(long bytes) {
    return new SourceFile(Path.of("x"), "x", bytes, 0);
  }

  @Test
  void aFileTakesWholeUnits() {
    assertThat(ClusterShape.storedBytes(0)).isZero();
    assertThat(ClusterShape.storedBytes(1)).isEqualTo(ClusterShape.UNIT_BYTES);
    assertThat(ClusterShape.storedBytes(ClusterShape.UNIT_BYTES))
        .isEqualTo(ClusterShape.UNIT_BYTES);
    assertThat(ClusterShape.storedBytes(ClusterShape.UNIT_BYTES + 1))
        .isEqualTo(2 * ClusterShape.UNIT_BYTES);
  }

  @Test
  void framesGrowWithTheFiles() throws Exception {
    assertThat(ClusterShape.of(List.of(file(1))).frameBytes()).isEqualTo(64L << 20);
    ClusterShape large = ClusterShape.of(List.of(file(2L << 30)));
    assertThat(large.frameBytes()).isGreaterThan(256L << 20).isLessThan(512L << 20);
    assertThat(large.frameBytes() % ClusterShape.BLOCK_BYTES).isZero();
    assertThat(large.storedBytes()).isLessThan(large.capacityBytes() / 2);
  }

  @Test
  void refusesWhatTheLargestClusterCannotTakeWithNumbers() {
    assertThatThrownBy(() -> ClusterShape.of(List.of(file(20L << 30))))
        .isInstanceOf(QuickstartException.class)
        .hasMessageContaining("1 files take 20.0 GB")
        .hasMessageContaining("expected at most 14.4 GB");
  }

  @Test
  void manySmallFilesCountByUnits() {
    assertThatThrownBy(() -> ClusterShape.of(Collections.nCopies(200_000, file(10))))
        .hasMessageContaining("200000 files take 24.4 GB");
  }

  @Test
  void checksumFilesOfSmallFilesTakeABlockOfTheFileSystem() throws Exception {
    int count = 50_000;
    ClusterShape shape = ClusterShape.of(Collections.nCopies(count, file(ClusterShape.UNIT_BYTES)));
    long taken = count * (ClusterShape.UNIT_BYTES + 4096);
    assertThat(shape.diskBytes()).isGreaterThan(taken * 10 / 3);
    assertThat(new ClusterShape(0, shape.storedBytes()).diskBytes())
        .isBetween(taken * 10 / 3 - 1, taken * 10 / 3 + 1);
  }

  @Test
  void everyFailureOfTwoDisksCanBeRecoveredFrom() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        new RaidpAdmin(
                new Configuration(false),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(
                new String[] {
                  "-plan",
                  "-nodes",
                  String.valueOf(ClusterShape.NODES),
                  "-disks",
                  String.valueOf(ClusterShape.DISKS_PER_NODE),
                  "-racks",
                  String.valueOf(ClusterShape.RACKS),
                  "-frames",
                  String.valueOf(ClusterShape.FRAMES_PER_DISK),
                  "-spare",
                  String.valueOf(ClusterShape.SPARE_SHARE)
                });
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("any 2 disks yes")
        .contains("two disks that share a superchunk: yes (24 of 24 cases tried, 24 fully");
    JsonNode plan = planJson();
    assertThat(plan.path("superchunks")).hasSize(ClusterShape.SUPERCHUNKS);
  }

  private static JsonNode planJson() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        new RaidpAdmin(
                new Configuration(false),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err)
            .run(
                new String[] {
                  "-plan", "-nodes", "6", "-disks", "2", "-racks", "3", "-frames", "6", "-spare",
                  "0.3", "-json"
                });
    assertThat(code).isZero();
    return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
  }
}
