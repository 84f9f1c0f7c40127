/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final long MIB = 1L << 20;

  @Test
  void saysWhatTheThirdReplicaTook() {
    Traffic traffic = new Traffic(100 * MIB, 303 * MIB, 202 * MIB, 10 * MIB, 21 * MIB);
    assertThat(traffic.ratio()).isEqualTo(0.21);
    assertThat(String.join("\n", traffic.table()))
        .contains("303.0 MB")
        .contains("202.0 MB")
        .contains("33 % less")
        .contains("0.21 bytes")
        .contains("10.0 MB");
  }

  @Test
  void saysWhenItIsMoreAndNothingWithoutBasis() {
    assertThat(Traffic.difference(110, 100)).isEqualTo("10 % MORE");
    assertThat(Traffic.difference(100, 100)).isEqualTo("0 % less");
    assertThat(Traffic.difference(5, 0)).isEmpty();
  }

  @Test
  void addsUpTheMovesOfARecovery() throws Exception {
    RecoveryResult result =
        RecoveryResult.NONE.then(
            new ObjectMapper()
                .readTree(
                    """
        {"state":"DONE","superchunks":[
          {"id":1,"kind":"REBUILD","phase":"DONE","bytesDone":10,"blocksDone":2},
          {"id":1,"kind":"COPY","phase":"DONE","bytesDone":10,"blocksDone":2},
          {"id":2,"kind":"COPY","phase":"DONE","bytesDone":7,"blocksDone":1}],"waiting":[]}"""));
    assertThat(result.complete()).isTrue();
    assertThat(result.rebuiltBytes()).isEqualTo(10);
    assertThat(result.rebuiltBlocks()).isEqualTo(2);
    assertThat(result.copied()).isEqualTo(2);
    assertThat(result.bytes()).isEqualTo(27);
  }

  @Test
  void aFailedMoveOrAWaitingSuperchunkIsAProblem() throws Exception {
    RecoveryResult result =
        RecoveryResult.NONE.then(
            new ObjectMapper()
                .readTree(
                    """
        {"state":"DONE","superchunks":[{"id":1,"kind":"REBUILD","phase":"FAILED","note":"no mirror"}],
         "waiting":[{"id":2,"reason":"NO_ROOM","detail":"no spare frame"}]}"""));
    assertThat(result.complete()).isFalse();
    assertThat(result.problems())
        .containsExactly(
            "superchunk 1: REBUILD is FAILED no mirror",
            "superchunk 2 waits: NO_ROOM no spare frame");
    assertThat(result.undone())
        .isEqualTo(
            """
        state=DONE, expected DONE with no superchunk left
          superchunk 1: REBUILD is FAILED no mirror
          superchunk 2 waits: NO_ROOM no spare frame""");
    assertThat(RaidpChapter.reason(result.undone()))
        .isEqualTo("superchunk 1: REBUILD is FAILED no mirror");
  }

  @Test
  void theSecondAttemptDecidesWhetherItIsComplete() throws Exception {
    RecoveryResult first = new RecoveryResult("WAITING", 5, 1, 0, 0, List.of("x"));
    assertThat(first.complete()).isFalse();
    assertThat(first.undone()).startsWith("state=WAITING, expected DONE");
    assertThat(RaidpChapter.reason(RecoveryResult.NONE.undone()))
        .isEqualTo("state=IDLE, expected DONE with no superchunk left");
    RecoveryResult both =
        first.then(
            new ObjectMapper()
                .readTree(
                    """
        {"state":"DONE","superchunks":[
          {"id":1,"kind":"REBUILD","phase":"DONE","bytesDone":1,"blocksDone":1},
          {"id":2,"kind":"COPY","phase":"DONE","bytesDone":5,"blocksDone":1},
          {"id":3,"kind":"COPY","phase":"DONE","bytesDone":3,"blocksDone":1}],"waiting":[]}"""));
    assertThat(both.complete()).isTrue();
    assertThat(both.undone()).isEmpty();
    assertThat(both.rebuiltBlocks()).isEqualTo(2);
    assertThat(both.copied()).isEqualTo(2);
    assertThat(both.bytes()).isEqualTo(14);
  }

  @Test
  void theLastPageHasAllNumbers() {
    Report report = new Report(Chapter.NAME_WIDTH);
    Chapter.addStored(
        report, Collections.nCopies(182, new SourceFile(Path.of("x"), "x", 331 * MIB / 182, 0)));
    new Traffic(331 * MIB, 1_000 * MIB, 667 * MIB, 1, 66 * MIB).addTo(report);
    new RecoveryResult("DONE", 22 * MIB, 12, 6, 120 * MIB, List.of()).addTo(report, 10_000);
    try (Load load = new Load(List.of(), List.of())) {
      IntStream.range(0, 77).forEach(read -> load.read(1000));
      IntStream.range(0, 3).forEach(read -> load.refused());
      IntStream.range(0, 20).forEach(write -> load.written(2 * MIB, 0));
      load.repeated();
      load.addTo(report);
    }
    new CompareStep.Result(202, 371 * MIB, 1, List.of()).addTo(report, ", 371.0 MB");
    RaidpChapter.addHealth(report, 233);
    assertThat(String.join("\n", report.lines()))
        .contains(
            "182 files",
            "331.0 MB",
            "667.0 MB",
            "1000.0 MB",
            "0.20 bytes",
            "33 % less",
            "12 blocks, 22.0 MB",
            "6 superchunks, 120.0 MB",
            "10.0 s, 14.2 MB/s",
            "77 reads of 75.2 KB",
            "20 files of 40.0 MB written",
            "3 refused",
            "0 wrong",
            "1 write repeated",
            "202 files of 202",
            "healthy, 233 blocks");
  }
}
