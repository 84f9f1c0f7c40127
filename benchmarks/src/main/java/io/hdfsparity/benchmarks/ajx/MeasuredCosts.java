/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.benchmarks.macro.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Costs of messages as {@link AjxBenchmark} has measured them. Immutable.
 *
 * @param json its results
 */
record MeasuredCosts(JsonNode json) {
  /** Busy enough that what threads cost when they have nothing to do counts little. */
  static final String TUNED_BY = "9b: 8 clients x 16";

  private static final Pattern NAME = Pattern.compile("9[ab]: (\\d+) clients x (\\d+)");
  private static final Pattern CODE = Pattern.compile("9c: (\\d+)-of-(\\d+)");
  private static final String READ = "read";
  private static final String WRITE = "write";
  private static final int MESSAGES_OF_A_READ = 2;

  /**
   * Reads result files: all samples count, for the rest the first file does.
   *
   * @throws IOException if one is not there
   */
  static MeasuredCosts read(List<Path> files) throws IOException {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode samples = JsonNodeFactory.instance.arrayNode();
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new IOException(
            "Cannot simulate: expected the results of ecupdate-ajx, file=" + file);
      }
      JsonNode json = new ObjectMapper().readTree(file.toFile());
      json.path("samples").forEach(samples::add);
      if (all.isEmpty()) {
        all.setAll((ObjectNode) json);
      }
    }
    all.set("samples", samples);
    return new MeasuredCosts(all);
  }

  /** Median of the rounds; NaN where there is none. */
  double median(String setting, String contender, String figure) {
    List<Double> values = new ArrayList<>();
    for (JsonNode sample : json.path("samples")) {
      if (sample.path("setting").asText().equals(setting)
          && sample.path("contender").asText().equals(contender)) {
        values.add(sample.path("figures").path(figure).asDouble(Double.NaN));
      }
    }
    return Spread.of(values).median();
  }

  /**
   * Of a message.
   *
   * @param latencyUs of the network that is assumed
   * @param linkMbit of the network that is assumed
   * @throws IOException if the file lacks what is needed
   */
  AjxModel.Costs costs(AjxModel.Kind kind, double latencyUs, double linkMbit) throws IOException {
    boolean isRead = kind == AjxModel.Kind.READ;
    String contender = isRead ? READ : WRITE;
    int messages = isRead ? MESSAGES_OF_A_READ : 2 * (AjxBenchmark.USUAL_PARITY_UNITS + 1);
    double clientUs = median(TUNED_BY, contender, "client CPU us/op") / messages;
    double nodeUs = median(TUNED_BY, contender, "nodes CPU us/op") * 2 / messages;
    double forceUs = median(TUNED_BY, contender, "force ms") * 1000;
    int blockBytes = json.path("block-bytes").asInt();
    if (Double.isNaN(clientUs + nodeUs + forceUs) || blockBytes <= 0) {
      throw new IOException(
          "Cannot simulate: expected " + contender + " of \"" + TUNED_BY + "\" in the results");
    }
    return new AjxModel.Costs(clientUs, nodeUs, forceUs, latencyUs, linkMbit, blockBytes);
  }

  /** What was measured, by its setting, as systems to simulate. */
  Map<String, AjxModel.Spec> systems(AjxModel.Kind kind) {
    String contender = kind == AjxModel.Kind.READ ? READ : WRITE;
    Map<String, AjxModel.Spec> systems = new LinkedHashMap<>();
    for (JsonNode sample : json.path("samples")) {
      if (!sample.path("contender").asText().equals(contender)) {
        continue;
      }
      String setting = sample.path("setting").asText();
      Matcher named = NAME.matcher(setting);
      Matcher code = CODE.matcher(setting);
      int processors = json.path("processors").asInt();
      if (named.matches()) {
        systems.put(
            setting,
            new AjxModel.Spec(
                kind,
                AjxBenchmark.DATA_UNITS,
                AjxBenchmark.DATA_UNITS + AjxBenchmark.USUAL_PARITY_UNITS,
                Integer.parseInt(named.group(1)),
                Integer.parseInt(named.group(2)),
                processors));
      } else if (code.matches()) {
        systems.put(
            setting,
            new AjxModel.Spec(
                kind,
                Integer.parseInt(code.group(1)),
                Integer.parseInt(code.group(2)),
                AjxBenchmark.USUAL_CLIENTS,
                AjxBenchmark.USUAL_OUTSTANDING,
                processors));
      }
    }
    return systems;
  }
}
