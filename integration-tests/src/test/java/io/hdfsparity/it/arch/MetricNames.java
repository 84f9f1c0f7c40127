/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import io.hdfsparity.bridge.feature.DataNodeFeature;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.guard.GuardRule;
import io.hdfsparity.raidp.namenode.SuperchunkState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/**
 * The metrics that the daemons have at {@code /prom}: read from the sources of the classes that
 * make them, and named by Hadoop. Stateless.
 */
final class MetricNames {
  private static final Pattern RECORD =
      Pattern.compile("String (\\w*)(?:RECORD|NAME) = \"(\\w+)\"");
  private static final Pattern METRIC =
      Pattern.compile(
          "(?:(\\w+)\\.add(?:Gauge|Counter)\\(\\s*(?:Interns\\.)?info\\(|(?:gauge|counter)\\(\\s*\\w+,)\\s*\"([A-Z]\\w+)\",");
  private static final PrometheusMetricsSink SINK = new PrometheusMetricsSink();

  private MetricNames() {}

  /** All of them, as {@code raidp_manager_problems}. */
  static Set<String> ofTheCode() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path module : SourceTree.moduleDirectories()) {
      for (Path source : SourceTree.javaFiles(module.resolve("src/main/java")).toList()) {
        if (source.toString().endsWith("Metrics.java")) {
          names.addAll(of(Files.readString(source)));
        }
      }
    }
    for (SuperchunkState each : SuperchunkState.values()) {
      names.add(name("RaidpManager", "Superchunks" + capitalized(each.name())));
    }
    for (GuardRule each : GuardRule.values()) {
      names.add(name("ParityClientGuard", each.counter()));
    }
    for (String part : parts()) {
      names.add(name("ParityFeatures", part + "InService"));
      names.add(name("ParityFeatures", part + "FailedClosed"));
    }
    return names;
  }

  /** A class has one record, or another one for what is added to {@code node}. */
  private static Set<String> of(String source) {
    List<MatchResult> records = RECORD.matcher(source).results().toList();
    Set<String> names = new TreeSet<>();
    METRIC
        .matcher(source)
        .results()
        .forEach(
            metric -> {
              String prefix = "node".equals(metric.group(1)) ? "NODE_" : "";
              records.stream()
                  .filter(record -> record.group(1).equals(prefix))
                  .forEach(record -> names.add(name(record.group(2), metric.group(2))));
            });
    return names;
  }

  private static Set<String> parts() {
    List<String> parts = new ArrayList<>();
    ServiceLoader.load(NameNodeFeature.class).forEach(each -> parts.add(each.part()));
    ServiceLoader.load(DataNodeFeature.class).forEach(each -> parts.add(each.part()));
    return parts.stream()
        .map(part -> Arrays.stream(part.split("-", -1)))
        .map(words -> words.map(MetricNames::capitalized).collect(Collectors.joining()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String capitalized(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT)
        + word.substring(1).toLowerCase(Locale.ROOT);
  }

  /** As Hadoop names it. */
  static String name(String record, String metric) {
    return SINK.prometheusName(record, metric);
  }
}
