/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FioFiguresTest {
  /** As fio 3.33 writes it, shortened. */
  private static final String REPORT =
      """
      note: some versions write lines first
      {"fio version": "fio-3.33", "jobs": [{"jobname": "job", "error": 0,
        "read": {"total_ios": 0, "iops": 0.0, "bw_bytes": 0, "clat_ns": {}},
        "write": {"total_ios": 1000, "iops": 250.5, "bw_bytes": 2097152,
          "clat_ns": {"percentile": {"50.000000": 1500000, "99.000000": 9000000}}}}]}
      """;

  @Test
  void figuresAreThoseOfTheSideThatWasMeasured() throws IOException {
    assertThat(FioFigures.of(REPORT, "write"))
        .containsEntry("operations/s", 250.5)
        .containsEntry("MB/s", 2.0)
        .containsEntry("p50 ms", 1.5)
        .containsEntry("p99 ms", 9.0)
        .hasSize(4);
  }

  @Test
  void aJobThatFailedOrDidNothingGivesNoFigures() {
    assertThatThrownBy(() -> FioFigures.of(REPORT, "read"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("operations=0");
    String failed = REPORT.replace("\"error\": 0", "\"error\": 5");
    assertThatThrownBy(() -> FioFigures.of(failed, "write")).hasMessageContaining("error=5");
    assertThatThrownBy(() -> FioFigures.of("{}", "write")).hasMessageContaining("error=");
  }

  @Test
  void jobsAreAllKindsByAllSizes() {
    assertThat(FioJob.all(List.of(4, 1024)))
        .extracting(FioJob::setting)
        .containsExactly(
            "read 4 KiB",
            "read 1024 KiB",
            "randread 4 KiB",
            "randread 1024 KiB",
            "write 4 KiB",
            "write 1024 KiB",
            "randwrite 4 KiB",
            "randwrite 1024 KiB");
    assertThat(FioJob.all(List.of(4))).filteredOn(FioJob::isWrite).hasSize(2);
  }
}
