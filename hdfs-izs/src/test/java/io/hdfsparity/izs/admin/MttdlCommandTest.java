/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MttdlCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String arguments) {
    return new IzsAdmin(
            new Configuration(false),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(("-mttdl " + arguments).trim().split(" "));
  }

  private JsonNode json(String arguments) throws Exception {
    out.reset();
    assertThat(run(arguments + " -json")).as("%s", err).isZero();
    return new ObjectMapper().readTree(out.toByteArray());
  }

  private static String golden(String name) throws Exception {
    try (InputStream in = MttdlCommandTest.class.getResourceAsStream("/golden/v1/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void withoutOptionsItPrintsTheTablesOfThePaper() throws Exception {
    assertThat(run("")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(golden("mttdl-paper.txt"));
  }

  @Test
  void theUsersFiguresTakeThePlaceOfThePapers() throws Exception {
    JsonNode d =
        json("-mttf 50000 -nodeSize 10TB -bandwidth 500GB -k 6 -r 2 -repair serial -sets 3");
    assertThat(d.at("/parameters/mttrHours").asDouble()).isEqualTo(20);
    assertThat(d.at("/parameters/mttfHours").asDouble()).isEqualTo(50_000);
    assertThat(d.path("schemes")).hasSize(3);
    assertThat(d.at("/schemes/0/scheme").asText()).isEqualTo("RS(6,6)");
    assertThat(d.at("/schemes/0/mttdlHours").asDouble()).isCloseTo(50_000 / 6.0 / 3, within(1e-6));
    assertThat(d.at("/schemes/2/utilization").asDouble()).isEqualTo(0.75);
  }

  @Test
  void replicasAreASetTooAndDisksCanBeGiven() throws Exception {
    JsonNode d = json("-n 3 -tolerated 2 -diskMttf 100000 -mttr 5");
    assertThat(d.path("schemes")).hasSize(1);
    // 3 replicas: μ² / (3 · 2 · 1 · λ³)
    assertThat(d.at("/schemes/0/formulaHours").asDouble())
        .isCloseTo(0.04 / (6 * 125e-15), within(1e-1));
    assertThat(d.path("parameters").has("totalBytes")).isFalse();
  }

  @Test
  void moreDataMeansMoreNodes() throws Exception {
    assertThat(json("-total 10TB").at("/schemes/1/scheme").asText()).isEqualTo("RS(11,10)");
    assertThat(json("-nodeSize 2TB").at("/schemes/1/scheme").asText()).isEqualTo("RS(5,4)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-mttf 0",
        "-mttf many",
        "-mttf 1 -diskMttf 1",
        "-mttr 5 -bandwidth 1GB",
        "-n 3",
        "-n 3 -tolerated 3",
        "-n 3 -tolerated 1 -k 2",
        "-k 0",
        "-k 4 -total 4TB",
        "-repair later",
        "-bandwidth 1X",
        "-total 1GB",
        "-sets 0",
        "now"
      })
  void wrongFiguresShowTheUsage(String arguments) {
    assertThat(run(arguments)).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("mttdl: ")
        .contains("Usage: hdfs izs [-mttdl ");
    assertThat(out.size()).isZero();
  }
}
