/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Samples of rounds that an earlier run has measured, so that a long measurement can be interrupted
 * and resumed.
 */
public final class EarlierRounds {
  private static final Set<String> GROWS = Set.of("rounds", "samples", "summary");

  /** Name of the option that asks for them. */
  public static final String OPTION = "resume";

  /** Name of the entry that tells which trace files were measured, where there are any. */
  public static final String TRACES = "traces";

  private EarlierRounds() {}

  /**
   * Whether the options given ask for them.
   *
   * @throws BadOption when they say neither yes nor no
   */
  public static boolean areWanted(Map<String, String> given) {
    String value = given.getOrDefault(OPTION, "no");
    if (!value.equals("yes") && !value.equals("no")) {
      throw new BadOption(OPTION, value, "yes or no");
    }
    return value.equals("yes");
  }

  /**
   * Reads the samples of a result file.
   *
   * @param file as it was written after the last case or round
   * @param now what the file would say of machine, commit and options if it were written now
   * @throws IOException when there is none, or when it says anything else: its samples could not be
   *     compared
   */
  public static <T> List<T> read(Path file, Map<String, Object> now, Class<T> type)
      throws IOException {
    ObjectMapper json = new ObjectMapper();
    if (!Files.exists(file)) {
      throw new IOException("Cannot resume: expected the results of an earlier run, file=" + file);
    }
    JsonNode earlier = json.readTree(file.toFile());
    // Through the text, as the other one: a long that fits into an int is an int then.
    JsonNode expected = json.readTree(json.writeValueAsString(now));
    Set<String> names = new LinkedHashSet<>(now.keySet());
    // Results of before it was written have none, as those of a run without trace files.
    names.add(TRACES);
    for (String name : names) {
      if (!GROWS.contains(name) && !expected.path(name).equals(earlier.path(name))) {
        throw new IOException(
            "Cannot resume: "
                + name
                + "="
                + expected.path(name)
                + ", expected that of the earlier run, "
                + earlier.path(name)
                + ", file="
                + file);
      }
    }
    List<T> samples = new ArrayList<>();
    for (JsonNode sample : earlier.path("samples")) {
      samples.add(json.treeToValue(sample, type));
    }
    return samples;
  }
}
