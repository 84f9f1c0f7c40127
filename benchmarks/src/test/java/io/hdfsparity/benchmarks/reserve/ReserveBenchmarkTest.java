/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole benchmark, with a hundredth of the trace. */
class ReserveBenchmarkTest {
  @Test
  void writesTableJsonAndPlots(@TempDir Path out) throws Exception {
    ReserveBenchmark.run(out.toString(), "--part-percent", "1");
    JsonNode json = new ObjectMapper().readTree(out.resolve("ecupdate-reserve.json").toFile());
    assertThat(json.path("simulation").asBoolean()).isTrue();
    String table = Files.readString(out.resolve("ecupdate-reserve.txt"));
    assertThat(json.path("outcomes")).isNotEmpty();
    for (JsonNode outcome : json.path("outcomes")) {
      assertThat(table).contains(outcome.path("policy").asText());
      assertThat(outcome.path("overhead by half day")).hasSize(82);
      assertThat(outcome.path("merges per 1000 writes by day")).hasSize(41);
    }
    assertThat(table).contains("SIMULATION", "baseline 16 MiB", "shrink+merge 16 MiB by 2 MiB");
    assertThat(out.resolve("ecupdate-reserve-fig9.png")).isNotEmptyFile();
    assertThat(out.resolve("ecupdate-reserve-fig10.png")).isNotEmptyFile();
  }
}
