/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureHostTest {
  /** What features were told, in that order. */
  private static final List<String> TOLD = new ArrayList<>();

  private static final List<String> OFF = new ArrayList<>();

  private final Configuration conf = new Configuration(false);
  private FeatureHost<String, Part> host =
      new FeatureHost<>(
          Part.class,
          List.of(new Second(), new First(), new Log()),
          Set.of("first", "second", "elsewhere"));

  /** A feature that writes down what it is told, and fails where the configuration says. */
  static class Part implements Feature<String> {
    private final String part;
    private Configuration conf = new Configuration(false);

    Part(String part) {
      this.part = part;
    }

    @Override
    public String name() {
      return part.replaceAll("-.*", "");
    }

    @Override
    public String part() {
      return part;
    }

    @Override
    public Optional<String> lacks(Configuration with) {
      conf = with;
      return with.getBoolean(part + ".lacks", false)
          ? Optional.of(part + ".path=<one>")
          : Optional.empty();
    }

    private void told(String step) throws IOException {
      TOLD.add(part + " " + step);
      if (step.equals(conf.get(part + ".fails"))) {
        throw new IOException("as the test wants");
      }
      if (step.equals(conf.get(part + ".errs"))) {
        throw new OutOfMemoryError("as the test wants");
      }
    }

    @Override
    public void protect(String daemon) throws IOException {
      assertThat(daemon).isEqualTo("daemon");
      told("protect");
    }

    @Override
    public void protectWhenOff(String daemon) {
      OFF.add(part());
    }

    @Override
    public void start(FeatureContext<String> context) throws IOException {
      told("start");
    }

    @Override
    public void ready() throws IOException {
      told("ready");
    }

    @Override
    public void failed(Throwable cause) {
      TOLD.add(part + " failed");
    }

    @Override
    public void stop() {
      TOLD.add(part + " stop");
    }
  }

  /** By its own class, so that another can take its place. */
  public static class First extends Part {
    public First() {
      super("first");
    }
  }

  /** A second part of that. */
  static class Log extends Part {
    Log() {
      super("first-log");
    }
  }

  /** Another. */
  static class Second extends Part {
    Second() {
      super("second");
    }
  }

  /** Takes First's place. */
  public static final class Other extends First {
    @Override
    public void protect(String daemon) {
      TOLD.add("other protect");
    }
  }

  /** A feature, but not of this daemon. */
  public static final class OfDataNodes implements DataNodeFeature {
    @Override
    public String name() {
      return "elsewhere";
    }

    @Override
    public void start(FeatureContext<DataNode> context) {}

    @Override
    public void stop() {}
  }

  @AfterEach
  void end() {
    host.stop();
    TOLD.clear();
    OFF.clear();
  }

  private void start() {
    host.start(
        "daemon",
        conf,
        "",
        List.of(),
        unused -> {
          throw new IllegalArgumentException("nothing is served");
        });
  }

  private static Map<String, Object> metrics() {
    MetricsSource source = DefaultMetricsSystem.instance().getSource("ParityFeatures");
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, /* all= */ true);
    Map<String, Object> values = new TreeMap<>();
    collector
        .getRecords()
        .forEach(
            record -> {
              record.tags().forEach(tag -> values.put(tag.name(), tag.value()));
              record.metrics().forEach(metric -> values.put(metric.name(), metric.value()));
            });
    return values;
  }

  @Test
  void allThatCanBeStartedAreStartedTogether() {
    conf.setBoolean("second.lacks", true);
    start();
    assertThat(TOLD)
        .containsExactly(
            "first protect",
            "first-log protect",
            "first start",
            "first-log start",
            "first ready",
            "first-log ready");
    assertThat(metrics())
        .containsEntry("FirstInService", 1)
        .containsEntry("FirstFailedClosed", 0)
        .containsEntry("FirstState", "in service")
        .containsEntry("SecondInService", 0)
        .containsEntry("SecondFailedClosed", 0)
        .containsEntry("FirstLogInService", 1);
    assertThat((String) metrics().get("SecondState")).startsWith("off: second.path");
    TOLD.clear();
    OFF.clear();
    host.stop();
    assertThat(TOLD)
        .as("what is off has looked after its files until now")
        .containsExactly("second stop", "first-log stop", "first stop");
  }

  @Test
  void theListSaysWhatIsStarted() {
    conf.set("dfs.parity.features", "second, elsewhere");
    start();
    assertThat(TOLD).containsExactly("second protect", "second start", "second ready");
    assertThat(OFF).as("what is off looks after its files").containsExactly("first", "first-log");
    assertThat((String) metrics().get("FirstState")).startsWith("off");
    assertThat(host.features()).hasSize(1);
  }

  @Test
  void aListedFeatureWithoutItsSettingsFails() {
    conf.set("dfs.parity.features", "first,second");
    conf.setBoolean("second.lacks", true);
    start();
    assertThat(TOLD)
        .contains("first ready", "second protect", "second failed")
        .doesNotContain("second start");
    assertThat((String) metrics().get("SecondState"))
        .startsWith("failed closed: Cannot start a feature: feature")
        .contains("second.path");
  }

  @ParameterizedTest
  @CsvSource({"protect,fails", "start,fails", "ready,fails", "protect,errs", "start,errs"})
  void oneThatFailsTakesNoOtherDown(String step, String how) {
    conf.set("first." + how, step);
    host =
        new FeatureHost<>(
            Part.class, List.of(new First(), new Second()), Set.of("first", "second"));
    start();
    assertThat(TOLD)
        .contains(
            "first " + step, "first failed", "second protect", "second start", "second ready");
    assertThat(TOLD).filteredOn("first failed"::equals).hasSize(1);
    assertThat(metrics())
        .containsEntry("FirstFailedClosed", 1)
        .containsEntry("FirstInService", 0)
        .containsEntry("SecondInService", 1);
    assertThat((String) metrics().get("FirstState")).contains("as the test wants");
  }

  @ParameterizedTest
  @ValueSource(strings = {"first,thrid", "first,io.hdfsparity.None", "first,java.lang.String"})
  void anUnknownNameFailsAllThatCouldBeMeant(String list) {
    conf.set("dfs.parity.features", list);
    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dfs.parity.features=" + list)
        .hasMessageContaining("elsewhere, first, second")
        .hasMessageContaining(list.substring(6));
    assertThat(TOLD)
        .containsExactly(
            "first protect",
            "first-log protect",
            "second protect",
            "first failed",
            "first-log failed",
            "second failed");
    assertThat(metrics()).containsEntry("FirstFailedClosed", 1);
  }

  @Test
  void aMisspeltKeyIsNoDefault() {
    conf.set("dfs.parity.feature", "first");
    assertThatThrownBy(this::start).hasMessageContaining("dfs.parity.feature=first");
    assertThat(metrics()).containsEntry("SecondFailedClosed", 1);
  }

  @Test
  void aClassTakesThePlaceOfTheFeatureThatItExtends() {
    conf.set("dfs.parity.features", "first," + Other.class.getName());
    start();
    assertThat(TOLD)
        .contains("other protect", "first-log protect", "first start")
        .doesNotContain("first protect");
    host.stop();
    TOLD.clear();
    OFF.clear();
    conf.set("dfs.parity.features", Other.class.getName() + "," + OfDataNodes.class.getName());
    start();
    assertThat(TOLD).containsExactly("other protect", "first start", "first ready");
  }
}
