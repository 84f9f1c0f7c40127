/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.util.Random;

/**
 * Runs a property many times, each on a {@link Random} of its own seed. A failure names the seed;
 * {@code -Dseed=<seed>} runs that one alone. The seeds are the same in each build, so that what a
 * build says of a change does not depend on chance; {@code -Dseeds=fresh} takes others each time,
 * and {@code -Dseeds=<number>} those that follow from the number.
 *
 * <p>Immutable, thread-safe.
 */
public final class SeededRuns {
  /** System property that holds the one seed to run. */
  public static final String SEED_PROPERTY = "seed";

  /** System property that says which seeds to run: a number, or {@value #FRESH}. */
  public static final String SEEDS_PROPERTY = "seeds";

  /** System property: so many times the runs that a test asks for; 1 without it. */
  public static final String TIMES_PROPERTY = "seeds.times";

  private static final String FRESH = "fresh";

  /** A property; throws when it does not hold. */
  @FunctionalInterface
  public interface Property {
    void check(Random random) throws Exception;
  }

  private final int runs;

  private SeededRuns(int runs) {
    this.runs = runs;
  }

  /** So many runs, where nobody asks for more. */
  public static SeededRuns of(int runs) {
    Checks.argument(runs > 0, "run a property", "runs", runs, "> 0");
    return new SeededRuns(runs);
  }

  /**
   * Checks a property.
   *
   * @throws AssertionError with the seed and the cause, at the first run that fails
   */
  public void check(Property property) {
    String onlySeed = System.getProperty(SEED_PROPERTY, "");
    if (!onlySeed.isEmpty()) {
      runOnce(Long.parseLong(onlySeed), property);
      return;
    }
    Random seeds = seeds(System.getProperty(SEEDS_PROPERTY, "0"));
    int all = runs * Integer.getInteger(TIMES_PROPERTY, 1);
    for (int run = 0; run < all; run++) {
      runOnce(run == 0 ? 0 : seeds.nextLong(), property);
    }
  }

  /** Whether this build shall take other seeds than each other one does. */
  public static boolean isFresh() {
    return System.getProperty(SEEDS_PROPERTY, "").equals(FRESH);
  }

  /** Where the seeds come from. */
  static Random seeds(String choice) {
    if (choice.equals(FRESH)) {
      return new Random();
    }
    try {
      return new Random(Long.parseLong(choice));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Cannot run a property: "
              + SEEDS_PROPERTY
              + "="
              + choice
              + ", expected a number or "
              + FRESH,
          e);
    }
  }

  private static void runOnce(long seed, Property property) {
    try {
      property.check(new Random(seed));
    } catch (Exception | AssertionError e) {
      String message =
          "Property failed: seed=" + seed + ", rerun with -D" + SEED_PROPERTY + "=" + seed;
      // Also on the console: a report that cuts long messages must not lose it.
      System.err.println(message);
      throw new AssertionError(message + ": " + e.getMessage(), e);
    }
  }
}
