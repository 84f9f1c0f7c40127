/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole benchmark on a cluster of processes, as short as it can be. */
@Tag("full")
class AjxBenchmarkTest {
  @Test
  void measuresWritesAndWhatTheProtocolKeeps(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("out");
    AjxBenchmark.run(
        out.toString(),
        "--rounds",
        "1",
        "--only",
        "write",
        "--outstanding",
        "2",
        "--clients",
        "1",
        "--parity-units",
        "2",
        "--seconds",
        "1",
        "--warm-up",
        "1",
        "--size-mb",
        "1",
        "--dir",
        folder.resolve("clusters").toString());
    MeasuredCosts results = MeasuredCosts.read(List.of(out.resolve("ecupdate-ajx.json")));
    assertThat(results.median("9a: 2 clients x 2", "write", "ops/s")).isPositive();
    assertThat(results.median("protocol state", "write", "cells in state files")).isPositive();
    assertThat(out.resolve("ecupdate-ajx.png")).isNotEmptyFile();
  }
}
