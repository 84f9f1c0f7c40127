/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole simulation, tuned by figures that are made up. */
class AjxModelBenchmarkTest {
  private static final String SAMPLE =
      """
      {"setting": "%s", "contender": "%s", "round": 0, "figures": {"ops/s": 1000.0,
       "client CPU us/op": 100.0, "nodes CPU us/op": 200.0, "force ms": 0.5}}""";

  @Test
  void writesTableJsonAndPlots(@TempDir Path folder) throws Exception {
    Path measured = Files.createDirectory(folder.resolve("ecupdate-ajx"));
    Files.writeString(
        measured.resolve("ecupdate-ajx.json"),
        "{\"processors\": 2, \"block-bytes\": \"4096\", \"samples\": ["
            + String.join(
                ",",
                SAMPLE.formatted(MeasuredCosts.TUNED_BY, "read"),
                SAMPLE.formatted(MeasuredCosts.TUNED_BY, "write"),
                SAMPLE.formatted("9c: 3-of-6", "write"))
            + "]}");
    Path out = folder.resolve("model");
    AjxModelBenchmark.run(out.toString(), "--model-ms", "20");
    JsonNode json = new ObjectMapper().readTree(out.resolve("ecupdate-ajx-model.json").toFile());
    assertThat(json.path("simulation").asBoolean()).isTrue();
    assertThat(json.path("against what was measured")).hasSize(3);
    assertThat(json.path("costs of writes").path("nodeUs").asDouble()).isEqualTo(200 / 3.0);
    assertThat(json.path("operations a second").path("10a: 8-of-10")).hasSize(7);
    for (String figure : new String[] {"10a", "10b", "10c", "10d"}) {
      assertThat(out.resolve("ecupdate-ajx-model-fig" + figure + ".png")).isNotEmptyFile();
    }
  }

  @Test
  void saysWhichResultsItNeeds(@TempDir Path folder) {
    assertThatThrownBy(() -> AjxModelBenchmark.run(folder.resolve("model").toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ecupdate-ajx.json");
  }
}
