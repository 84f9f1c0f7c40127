/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.core.check.Checks;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Organizes by the method that would have paid: each one learns from the first two thirds of the
 * analysed windows and is tried on the last third, which it has not seen, and once more the other
 * way round: what was learned from the last two thirds is tried on the first. If none saves enough
 * in both together, the trace says nothing that lasts, and the cells stay in order of address. The
 * method that wins then learns from all analysed windows.
 *
 * <p>Same windows and seed, same result. Immutable, thread-safe.
 */
public final class HeldBackOrganizer {
  /** Stripe writes that must be saved on the windows held back: one in so many, and so many. */
  private static final long MIN_SAVED_ONE_IN = 50;

  private static final long MIN_SAVED = 4;

  private final int dataCells;
  private final CorrelationAnalysis analysis;
  private final long seed;
  private final Consumer<String> stages;

  /**
   * An organizer for stripes of one width.
   *
   * @param dataCells the paper's k, at least 2
   * @param seed of the local search
   */
  public HeldBackOrganizer(int dataCells, CorrelationAnalysis analysis, long seed) {
    this(dataCells, analysis, seed, stage -> {});
  }

  /**
   * As above.
   *
   * @param stages is told what is done next, for people who wait
   */
  public HeldBackOrganizer(
      int dataCells, CorrelationAnalysis analysis, long seed, Consumer<String> stages) {
    Checks.argument(dataCells >= 2, "organize stripes", "dataCells", dataCells, ">= 2");
    this.dataCells = dataCells;
    this.analysis = analysis;
    this.seed = seed;
    this.stages = stages;
  }

  /**
   * What was chosen, and why.
   *
   * @param heldBackStripes stripe writes of each method on the windows that were held back
   */
  public record Choice(
      Organization organization, Method method, Map<Method, Long> heldBackStripes) {
    public Choice {
      heldBackStripes = Map.copyOf(heldBackStripes);
    }

    /** The share of parity updates that the chosen method saved on the windows held back. */
    public double estimatedGain() {
      long sequential = heldBackStripes.getOrDefault(Method.SEQUENTIAL, 0L);
      long chosen = heldBackStripes.getOrDefault(method, 0L);
      return sequential == 0 ? 0 : 1 - (double) chosen / sequential;
    }
  }

  /** Organizes by some windows. */
  public Choice organize(TimeWindows analysed) {
    return organize(new Learned("all", analysed, Optional.empty()));
  }

  /**
   * As {@link #organize(TimeWindows)}, where the paper's greedy is known already.
   *
   * @param greedy Algorithm 1 with {@link Remainder#LAST_GROUP} on all the windows
   */
  public Choice organize(TimeWindows analysed, GroupedOrganization greedy) {
    return organize(new Learned("all", analysed, Optional.of(greedy)));
  }

  private Choice organize(Learned all) {
    TimeWindows analysed = all.windows;
    int third = analysed.count() / 3;
    int last = analysed.count() - third;
    Map<Method, Long> stripes = new EnumMap<>(Method.class);
    tryAll(
        new Learned("first two thirds", analysed.slice(0, last), Optional.empty()),
        analysed.slice(last, analysed.count()),
        stripes);
    tryAll(
        new Learned("last two thirds", analysed.slice(third, analysed.count()), Optional.empty()),
        analysed.slice(0, third),
        stripes);
    Method best = Method.SEQUENTIAL;
    for (Method method : Method.values()) {
      if (count(stripes, method) < count(stripes, best)) {
        best = method;
      }
    }
    long sequential = count(stripes, Method.SEQUENTIAL);
    long saved = sequential - count(stripes, best);
    if (saved < MIN_SAVED || saved * MIN_SAVED_ONE_IN < sequential) {
      best = Method.SEQUENTIAL;
    }
    return new Choice(all.organized(best), best, stripes);
  }

  private static long count(Map<Method, Long> stripes, Method method) {
    return stripes.getOrDefault(method, Long.MAX_VALUE);
  }

  private static void tryAll(Learned learned, TimeWindows heldBack, Map<Method, Long> stripes) {
    for (Method method : Method.values()) {
      Organization organization = learned.organized(method);
      stripes.merge(method, StripeWrites.of(heldBack, organization).stripes(), Long::sum);
    }
  }

  /** What the methods learn from some windows; the greedy is run once. */
  private final class Learned {
    private final String name;
    private final TimeWindows windows;
    private Optional<GroupedOrganization> greedy;

    Learned(String name, TimeWindows windows, Optional<GroupedOrganization> greedy) {
      this.name = name;
      this.windows = windows;
      this.greedy = greedy;
    }

    Organization organized(Method method) {
      return switch (method) {
        case SEQUENTIAL -> new SequentialOrganization(dataCells);
        case SEQUENTIAL_EXCHANGED -> exchanged(method, new SequentialOrganization(dataCells));
        case GREEDY -> greedy();
        case GREEDY_EXCHANGED -> exchanged(method, greedy());
      };
    }

    private GroupedOrganization greedy() {
      if (greedy.isEmpty()) {
        stages.accept(Method.GREEDY + " on " + name);
        greedy =
            Optional.of(
                new PaperGreedy(dataCells, Remainder.LAST_GROUP)
                    .organize(analysis.analyse(windows)));
      }
      return greedy.get();
    }

    private Organization exchanged(Method method, Organization base) {
      stages.accept(method + " on " + name);
      return new ExchangeSearch(seed).improve(base, windows);
    }
  }
}
