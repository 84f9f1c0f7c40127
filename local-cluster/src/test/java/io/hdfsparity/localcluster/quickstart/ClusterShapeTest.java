/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static java.lang.String.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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
    requireRecoverable(ClusterShape.NODES, ClusterShape.RACKS);
    requireRecoverable(AllShape.NODES, AllShape.RACKS);
  }

  private static void requireRecoverable(int nodes, int racks) throws Exception {
    int superchunks = ClusterShape.superchunks(nodes);
    String cases = format("%1$s of %1$s cases tried, %1$s fully", superchunks);
    assertThat(plan(nodes, racks)).contains("any 2 disks yes").contains(cases);
    JsonNode plan = new ObjectMapper().readTree(plan(nodes, racks, "-json"));
    assertThat(plan.path("superchunks")).hasSize(superchunks);
  }

  private static String plan(int nodes, int racks, String... more) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<String> args = new ArrayList<>(List.of("-plan"));
    args.addAll(List.of("-nodes", String.valueOf(nodes)));
    args.addAll(List.of("-disks", String.valueOf(ClusterShape.DISKS_PER_NODE)));
    args.addAll(List.of("-racks", String.valueOf(racks)));
    args.addAll(List.of("-frames", String.valueOf(ClusterShape.FRAMES_PER_DISK)));
    args.addAll(List.of("-spare", String.valueOf(ClusterShape.SPARE_SHARE)));
    args.addAll(List.of(more));
    int code =
        new RaidpAdmin(
                new Configuration(false),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(args.toArray(String[]::new));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }
}
