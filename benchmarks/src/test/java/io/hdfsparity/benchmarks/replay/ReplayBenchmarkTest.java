/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayBenchmarkTest {
  @TempDir Path dir;

  private String trace(String name) throws Exception {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "5,host,1,Write,0,4096,9\n").toString();
  }

  private static List<String> settings(String... traces) {
    return ReplayBenchmark.settings(
        CommandLine.parse(
            new String[] {"out", "--msr", String.join(",", traces)}, ReplayBenchmark.defaults()));
  }

  @Test
  void tracesWhoseFiguresWouldBeOneAreRefused() throws Exception {
    List<String> distinct = settings(trace("a/vol.csv"), trace("b/other.csv.gz"));
    assertThat(distinct).startsWith("vol", "other", "src22");
    TraceFile.requireDistinct(distinct);
    List<String> twice = settings(trace("a/vol.csv"), trace("b/vol.csv"));
    assertThatThrownBy(() -> TraceFile.requireDistinct(twice))
        .isInstanceOf(BadOption.class)
        .hasMessageContaining("trace=vol");
    List<String> asMadeUp = settings(trace("usr0.csv"));
    assertThatThrownBy(() -> TraceFile.requireDistinct(asMadeUp))
        .isInstanceOf(BadOption.class)
        .hasMessageContaining("trace=usr0");
  }
}
