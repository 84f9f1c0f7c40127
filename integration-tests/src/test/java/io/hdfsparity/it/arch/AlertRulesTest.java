/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Alert rules, the page that says what to do about each alert, and the dashboard. */
class AlertRulesTest {
  private static final Path RULES = Path.of("..", "conf", "prometheus-alerts.yml");
  private static final Path PAGE = Path.of("..", "docs", "operate", "alerts.md");
  private static final Pattern METRIC = Pattern.compile("\\b[a-z]+_[a-z_]+\\b");
  private static final Path DASHBOARD = Path.of("..", "conf", "grafana-dashboard.json");

  /** Hadoop's own, which every NameNode has. */
  private static final String OF_EVERY_NAMENODE = MetricNames.name("FSNamesystem", "CapacityTotal");

  private static final Set<String> FUNCTIONS = Set.of("max_over_time", "min_over_time");

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(each -> each.group(1)).toList();
  }

  private static Set<String> metricsOf(String expression) {
    Set<String> names =
        METRIC
            .matcher(expression)
            .results()
            .map(each -> each.group())
            .collect(Collectors.toCollection(TreeSet::new));
    names.removeAll(FUNCTIONS);
    return names;
  }

  @Test
  void everyMetricIsThere() throws IOException {
    Set<String> there = MetricNames.ofTheCode();
    there.add(OF_EVERY_NAMENODE);
    assertThat(there)
        .hasSizeGreaterThan(100)
        .contains("raidp_manager_superchunks_lost", "raidp_data_node_disks", "izs_levels_active")
        .doesNotContain("raidp_data_node_parity_bytes");
    List<String> expressions = found(Pattern.compile("(?m)^ +expr: (.+)$"), RULES);
    assertThat(expressions).hasSizeGreaterThan(10);
    for (String expression : expressions) {
      assertThat(metricsOf(expression)).as(expression).isNotEmpty().isSubsetOf(there);
    }
  }

  @Test
  void everyMetricOfTheDashboardIsThere() throws IOException {
    Set<String> there = MetricNames.ofTheCode();
    List<String> expressions =
        new ObjectMapper()
            .readTree(DASHBOARD.toFile()).findValues("expr").stream()
                .map(JsonNode::asText)
                .toList();
    assertThat(expressions).hasSizeGreaterThan(30);
    for (String expression : expressions) {
      assertThat(metricsOf(expression)).as(expression).isNotEmpty().isSubsetOf(there);
    }
  }

  @Test
  void everyRunbookIsThere() throws IOException {
    List<String> runbooks = found(Pattern.compile("(?m)^ +runbook: (.+)$"), RULES);
    assertThat(runbooks).hasSizeGreaterThan(10);
    assertThat(found(Pattern.compile("(?m)^#+ (.+)$"), PAGE)).containsAll(runbooks);
  }

  @Test
  void thePageNamesTheAlertsThatThereAre() throws IOException {
    List<String> alerts = found(Pattern.compile("(?m)^ +- alert: (\\w+)$"), RULES);
    assertThat(alerts).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    assertThat(found(Pattern.compile("(?m)^\\| `(\\w+)` \\|"), PAGE))
        .containsExactlyInAnyOrderElementsOf(alerts);
  }
}
