/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.trace.Access;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts that need no cluster, with small traces. */
class CasoExperimentsBenchmarkTest {
  private static String msr(Path dir) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int window = 0; window < 200; window++) {
      for (long cell : new long[] {window % 5, 500 + 17 * (window % 5), 1000 + 33 * (window % 5)}) {
        lines.append(window * 20_000L).append(",h,0,Write,").append(4096 * cell);
        lines.append(",4096,0\n");
      }
      lines
          .append(window * 20_000L)
          .append(",h,0,Read,")
          .append(4096L * window)
          .append(",8192,0\n");
    }
    return Files.writeString(dir.resolve("vol_1.csv"), lines).toString();
  }

  @Test
  void writesTableJsonAndPlots(@TempDir Path dir) throws Exception {
    Path out = dir.resolve("out");
    CasoExperimentsBenchmark.run(
        out.toString(),
        "--parts",
        "counts,effort",
        "--msr",
        msr(dir),
        "--volumes",
        "wdev_3",
        "--codes",
        "4-2,3-2",
        "--ratios",
        "20,50",
        "--effort-requests",
        "1000",
        "--rounds",
        "1");
    JsonNode json = new ObjectMapper().readTree(out.resolve("caso-experiments.json").toFile());
    assertThat(json.path("cases")).hasSize(6);
    assertThat(json.toString()).as("no path of this machine").doesNotContain(dir.toString());
    JsonNode third = json.path("cases").get(2);
    assertThat(third.path("trace").asText()).isEqualTo("vol_1");
    assertThat(third.path("code").asText()).isEqualTo("RS(3,2)");
    // Three cells in three stripes by address, in one stripe by what is written together.
    assertThat(third.path("bso").path("parity updates").asLong()).isEqualTo(100 * 3 * 2);
    assertThat(third.path("algorithm1").path("parity updates").asLong()).isEqualTo(100 * 2);
    assertThat(third.path("default").path("parity updates").asLong()).isLessThanOrEqualTo(606);
    assertThat(Files.readString(out.resolve("caso-experiments.txt")))
        .contains("Experiment 2", "recorded traces, 2 cases", "wdev_3 (made up)");
    for (int experiment : new int[] {1, 2, 4}) {
      assertThat(out.resolve("caso-experiments-exp" + experiment + ".png")).isNotEmptyFile();
    }
    assertThat(out.resolve("caso-experiments-effort.json")).isNotEmptyFile();
  }

  @Test
  void partsThatAreUnknownAreRefused(@TempDir Path dir) {
    assertThatThrownBy(
            () -> CasoExperimentsBenchmark.run(dir.toString(), "--parts", "counts,quick"))
        .hasMessageContaining("quick");
  }

  @Test
  void tracesOfOneNameAreRefused(@TempDir Path dir) throws Exception {
    String both =
        msr(Files.createDirectories(dir.resolve("a")))
            + ","
            + msr(Files.createDirectories(dir.resolve("b")));
    assertThatThrownBy(() -> CasoExperimentsBenchmark.run(dir.toString(), "--msr", both))
        .hasMessageContaining("trace=vol_1");
  }

  @Test
  void noCodeAndNoVolumeIsNoStackTrace(@TempDir Path dir) {
    for (String code : new String[] {"4", "4-x", "0-2", "4-2-1"}) {
      assertThatThrownBy(() -> CasoExperimentsBenchmark.run(dir.toString(), "--codes", code))
          .isInstanceOf(BadOption.class)
          .hasMessageContaining("codes=" + code);
    }
  }

  @Test
  void ofALongTraceNoMoreIsReadThanIsWanted(@TempDir Path dir) throws Exception {
    Path file = Path.of(msr(dir));
    Files.writeString(file, Files.readString(file) + "not a line\n");
    CasoTrace trace = CasoTrace.read(file, 40);
    assertThat(trace.writes().size()).isEqualTo(30);
    assertThat(trace.reads().size()).isEqualTo(10);
    assertThatThrownBy(() -> CasoTrace.read(file))
        .hasMessageStartingWith("Cannot read a trace: ")
        .hasMessageContaining("file=" + file);
  }

  @Test
  void denseCellsKeepNeighboursAndStripes() {
    RequestTable writes =
        new RequestTable.Builder()
            .add(new CellRequest(1, Access.WRITE, 24 * 100 + 5, 1))
            .add(new CellRequest(2, Access.WRITE, 24 * 7 + 23, 2))
            .add(new CellRequest(3, Access.WRITE, 24 * 7, 1))
            .build();
    CasoTrace trace = new CasoTrace("t", true, writes, new RequestTable.Builder().build());
    DenseCells dense = new DenseCells(trace);
    RequestTable moved = dense.moved(writes, Access.WRITE);
    assertThat(dense.cellCount()).isEqualTo(3 * 24);
    assertThat(moved.firstCell(0)).isEqualTo(2 * 24 + 5);
    assertThat(moved.firstCell(1)).isEqualTo(23);
    assertThat(moved.cellCount(1)).isEqualTo(2);
    assertThat(moved.firstCell(2)).isZero();
  }
}
