/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.core.check.Checks;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Organizes by the method that would have paid: each one learns from the first two thirds of the
 * analysed windows and is tried on the last third, which it has not seen, and once more the other
 * way round: what was learned from the last two thirds is tried on the first. Reads go with the
 * windows of their time.
 *
 * <p>The method that saves the most stripe writes in both together is taken, of those that do not
 * let degraded reads read more than the order of addresses: not on all that is analysed, from which
 * the method that wins learns in the end, and on what was held back by at most 1 %. If none saves
 * enough, the trace says nothing that lasts, and the cells stay in order of address.
 *
 * <p>Same windows, reads and seed, same result. Immutable, thread-safe.
 */
public final class HeldBackOrganizer {
  /** Stripe writes that must be saved on the windows held back: one in so many, and so many. */
  private static final long MIN_SAVED_ONE_IN = 50;

  private static final long MIN_SAVED = 4;

  /** Additional degraded reads on what was held back may be more by one in so many: chance. */
  private static final long READS_ONE_IN = 100;

  private final int dataCells;
  private final CorrelationAnalysis analysis;
  private final ExchangeSearch search;
  private final Consumer<String> stages;

  /**
   * An organizer for stripes of one width.
   *
   * @param dataCells the paper's k, at least 2
   * @param seed of the local search
   */
  public HeldBackOrganizer(int dataCells, CorrelationAnalysis analysis, long seed) {
    this(dataCells, analysis, seed, SearchBounds.DEFAULT, stage -> {});
  }

  /**
   * As above.
   *
   * @param bounds of the local search
   * @param stages called with what is done next, for people who wait
   */
  public HeldBackOrganizer(
      int dataCells,
      CorrelationAnalysis analysis,
      long seed,
      SearchBounds bounds,
      Consumer<String> stages) {
    Checks.argument(dataCells >= 2, "organize stripes", "dataCells", dataCells, ">= 2");
    this.dataCells = dataCells;
    this.analysis = analysis;
    this.search = new ExchangeSearch(seed, bounds);
    this.stages = stages;
  }

  /**
   * What a method costs on what was held back.
   *
   * @param stripeWrites stripes with a written cell, each once a window
   * @param degradedReads cells read in addition, summed over the loss of each node
   */
  public record Trial(long stripeWrites, long degradedReads) {
    static final Trial NONE = new Trial(0, 0);

    Trial plus(Trial other) {
      return new Trial(stripeWrites + other.stripeWrites, degradedReads + other.degradedReads);
    }

    /** Whether it saves enough writes over another one, at no more reads but for chance. */
    boolean paysOver(Trial other) {
      long saved = other.stripeWrites - stripeWrites;
      return saved >= MIN_SAVED
          && saved * MIN_SAVED_ONE_IN >= other.stripeWrites
          && degradedReads <= other.degradedReads + other.degradedReads / READS_ONE_IN;
    }
  }

  /**
   * What was chosen, and why.
   *
   * @param trials of each method
   */
  public record Choice(Organization organization, Method method, Map<Method, Trial> trials) {
    public Choice {
      trials = Map.copyOf(trials);
    }

    /** The trial of a method. */
    public Trial trial(Method of) {
      return trials.getOrDefault(of, Trial.NONE);
    }

    /** The share of parity updates that the chosen method saved on the windows held back. */
    public double estimatedGain() {
      return gain(trial(Method.SEQUENTIAL).stripeWrites(), trial(method).stripeWrites());
    }

    /** The share of additional degraded reads that it saved on the reads held back. */
    public double estimatedReadGain() {
      return gain(trial(Method.SEQUENTIAL).degradedReads(), trial(method).degradedReads());
    }

    private static double gain(long sequential, long chosen) {
      return sequential == 0 ? 0 : 1 - (double) chosen / sequential;
    }
  }

  /** Organizes by some windows, without reads. */
  public Choice organize(TimeWindows analysed) {
    return organize(analysed, RequestSlice.none());
  }

  /** Organizes by some windows and the reads of their time. */
  public Choice organize(TimeWindows analysed, RequestSlice reads) {
    return organize(new Learned("all", new Analysed(analysed, reads), Optional.empty()));
  }

  /**
   * As {@link #organize(TimeWindows, RequestSlice)}, where the paper's greedy is known already.
   *
   * @param greedy Algorithm 1 with {@link Remainder#LAST_GROUP} on all the windows
   */
  public Choice organize(TimeWindows analysed, RequestSlice reads, GroupedOrganization greedy) {
    return organize(new Learned("all", new Analysed(analysed, reads), Optional.of(greedy)));
  }

  private Choice organize(Learned all) {
    Map<Method, Trial> trials = trials(all);
    Trial sequential = trials.getOrDefault(Method.SEQUENTIAL, Trial.NONE);
    List<Method> byGain =
        Arrays.stream(Method.values())
            .filter(method -> trials.getOrDefault(method, sequential).paysOver(sequential))
            .sorted(
                Comparator.comparingLong(
                    method -> trials.getOrDefault(method, sequential).stripeWrites()))
            .toList();
    long sequentialReads = all.degradedReads(Method.SEQUENTIAL);
    for (Method method : byGain) {
      if (all.degradedReads(method) <= sequentialReads) {
        return new Choice(all.organized(method), method, trials);
      }
    }
    return new Choice(all.organized(Method.SEQUENTIAL), Method.SEQUENTIAL, trials);
  }

  private Map<Method, Trial> trials(Learned all) {
    int count = all.analysed.windows().count();
    int third = count / 3;
    Map<Method, Trial> trials = new EnumMap<>(Method.class);
    tryAll(
        all.part("first two thirds", 0, count - third), all.part("", count - third, count), trials);
    tryAll(all.part("last two thirds", third, count), all.part("", 0, third), trials);
    return trials;
  }

  private static void tryAll(Learned learned, Learned heldBack, Map<Method, Trial> trials) {
    for (Method method : Method.values()) {
      Trial trial = heldBack.analysed.trial(learned.organized(method));
      trials.merge(method, trial, Trial::plus);
    }
  }

  /** What the methods learn from some windows and reads; each is run once. */
  private final class Learned {
    private final String name;
    private final Analysed analysed;
    private Optional<GroupedOrganization> greedy;
    private final Map<Method, Organization> organized = new EnumMap<>(Method.class);

    Learned(String name, Analysed analysed, Optional<GroupedOrganization> greedy) {
      this.name = name;
      this.analysed = analysed;
      this.greedy = greedy;
    }

    /** Some of the windows, with the reads of their time. */
    Learned part(String partName, int first, int end) {
      return new Learned(partName, analysed.part(first, end), Optional.empty());
    }

    long degradedReads(Method method) {
      return DegradedReads.of(analysed.reads(), organized(method)).additional();
    }

    Organization organized(Method method) {
      Organization known = organized.get(method);
      if (known == null) {
        known = organize(method);
        organized.put(method, known);
      }
      return known;
    }

    private Organization organize(Method method) {
      return switch (method) {
        case SEQUENTIAL -> new SequentialOrganization(dataCells);
        case SEQUENTIAL_EXCHANGED -> exchanged(method, new SequentialOrganization(dataCells));
        case GREEDY -> InPlaceGroups.of(greedy());
        case GREEDY_EXCHANGED -> exchanged(method, organized(Method.GREEDY));
      };
    }

    private GroupedOrganization greedy() {
      if (greedy.isEmpty()) {
        stages.accept(Method.GREEDY + " on " + name);
        greedy =
            Optional.of(
                new PaperGreedy(dataCells, Remainder.LAST_GROUP)
                    .organize(analysis.analyse(analysed.windows())));
      }
      return greedy.get();
    }

    private Organization exchanged(Method method, Organization base) {
      stages.accept(method + " on " + name);
      return search.improve(base, analysed.windows(), analysed.reads());
    }
  }
}
