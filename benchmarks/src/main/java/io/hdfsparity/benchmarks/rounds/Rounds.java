/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures all cases once a round, in a new random order each time, since a machine's speed drifts;
 * writes results after each case, so that another run can continue from there. Not thread-safe.
 */
public final class Rounds {
  private final CommandLine options;
  private final Layout layout;

  /** Measures one case. */
  @FunctionalInterface
  public interface Measurement {
    /** Figures by name. */
    Map<String, Double> of(Case what) throws Exception;
  }

  /** Measures a contender in several settings at once. */
  @FunctionalInterface
  public interface JointMeasurement {
    /** Figures by setting and name. */
    Map<String, Map<String, Double>> of(String contender) throws Exception;
  }

  public Rounds(CommandLine options, Layout layout) {
    this.options = options;
    this.layout = layout;
  }

  /**
   * Runs all rounds.
   *
   * @param cases all of them; option {@code only} leaves the contenders that it names
   */
  public void run(List<Case> cases, Measurement measurement) throws Exception {
    runAll(cases, cases, each -> Map.of(each.setting(), measurement.of(each)));
  }

  /** The same, where all settings of a contender are measured together. */
  public void runJointly(List<Case> cases, JointMeasurement measurement) throws Exception {
    List<Case> contenders =
        cases.stream().map(Case::contender).distinct().map(name -> new Case("", name)).toList();
    runAll(cases, contenders, each -> measurement.of(each.contender()));
  }

  /** Gives figures by setting and name. */
  @FunctionalInterface
  private interface Step {
    Map<String, Map<String, Double>> take(Case what) throws Exception;
  }

  private void runAll(List<Case> cases, List<Case> steps, Step step) throws Exception {
    requireKnown(cases);
    List<String> only = options.texts("only");
    List<Sample> samples = new ArrayList<>(earlier());
    TimeLimit limit = new TimeLimit(options);
    for (int round = 0; round < options.number("rounds"); round++) {
      List<Case> order = new ArrayList<>(steps);
      order.removeIf(each -> !only.isEmpty() && !only.contains(each.contender()));
      Collections.shuffle(order, new Random(options.seed() + round));
      for (Case each : order) {
        if (isMeasured(each, round, samples)) {
          continue;
        }
        if (limit.isReached()) {
          report(cases, samples).write(options.out());
          System.out.println(report(cases, samples).table());
          System.out.println("Not finished: the same with --resume yes goes on");
          return;
        }
        limit.begin();
        for (Map.Entry<String, Map<String, Double>> figures : step.take(each).entrySet()) {
          Sample sample = new Sample(figures.getKey(), each.contender(), round, figures.getValue());
          samples.add(sample);
          System.out.println(sample);
        }
        System.out.println("took " + limit.end() + " s");
        report(cases, samples).write(options.out());
      }
    }
    System.out.println(report(cases, samples).table());
  }

  /** What is measured jointly has no setting; samples come for all of them or none. */
  private static boolean isMeasured(Case step, int round, List<Sample> samples) {
    return samples.stream()
        .anyMatch(
            sample ->
                sample.round() == round
                    && sample.contender().equals(step.contender())
                    && (step.setting().isEmpty() || sample.setting().equals(step.setting())));
  }

  private void requireKnown(List<Case> cases) {
    List<String> known = cases.stream().map(Case::contender).distinct().toList();
    for (String name : options.texts("only")) {
      if (!known.contains(name)) {
        throw new BadOption("only", name, "some of " + known);
      }
    }
  }

  private RoundsReport report(List<Case> cases, List<Sample> samples) {
    return new RoundsReport(
        layout, options.describe(layout.benchmark(), layout.paper()), cases, samples);
  }

  private List<Sample> earlier() throws IOException {
    if (!options.resume()) {
      Files.createDirectories(options.out());
      return List.of();
    }
    return EarlierRounds.read(
        options.out().resolve(layout.benchmark() + ".json"),
        options.describe(layout.benchmark(), layout.paper()),
        Sample.class);
  }
}
