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

  /**
   * An organizer for stripes of one width.
   *
   * @param dataCells the paper's k, at least 2
   * @param seed of the local search
   */
  public HeldBackOrganizer(int dataCells, CorrelationAnalysis analysis, long seed) {
    Checks.argument(dataCells >= 2, "organize stripes", "dataCells", dataCells, ">= 2");
    this.dataCells = dataCells;
    this.analysis = analysis;
    this.seed = seed;
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
    int third = analysed.count() / 3;
    int last = analysed.count() - third;
    Map<Method, Long> stripes = new EnumMap<>(Method.class);
    tryAll(analysed.slice(0, last), analysed.slice(last, analysed.count()), stripes);
    tryAll(analysed.slice(third, analysed.count()), analysed.slice(0, third), stripes);
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
    return new Choice(organized(best, analysed), best, stripes);
  }

  private static long count(Map<Method, Long> stripes, Method method) {
    return stripes.getOrDefault(method, Long.MAX_VALUE);
  }

  private void tryAll(TimeWindows learned, TimeWindows heldBack, Map<Method, Long> stripes) {
    for (Method method : Method.values()) {
      Organization organization = organized(method, learned);
      stripes.merge(method, StripeWrites.of(heldBack, organization).stripes(), Long::sum);
    }
  }

  private Organization organized(Method method, TimeWindows windows) {
    return switch (method) {
      case SEQUENTIAL -> new SequentialOrganization(dataCells);
      case SEQUENTIAL_EXCHANGED -> exchanged(new SequentialOrganization(dataCells), windows);
      case GREEDY -> greedy(windows);
      case GREEDY_EXCHANGED -> exchanged(greedy(windows), windows);
    };
  }

  private Organization greedy(TimeWindows windows) {
    return new PaperGreedy(dataCells, Remainder.LAST_GROUP).organize(analysis.analyse(windows));
  }

  private Organization exchanged(Organization base, TimeWindows windows) {
    return new ExchangeSearch(seed).improve(base, windows);
  }
}
