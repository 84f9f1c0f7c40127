/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import java.util.Random;

/**
 * Local search: exchanges the places of two cells as long as that lets the windows touch fewer
 * stripes.
 *
 * <p>Looks at cells that are written in at least two windows, those in the most windows first,
 * those in equally many in an order drawn from the seed. Each may go to the stripes of the cells
 * that come with it most often, in exchange for any cell there, and goes to where the most stripe
 * writes are saved; a single one is taken for chance. The number of stripe writes in the windows
 * that are looked at never rises. Same seed, same result.
 *
 * <p>A round costs O(k P) for P pairs of cells that come in one window, each counted as often as
 * they do: see {@link ExchangeRun}. Stateless, thread-safe.
 */
final class ExchangeSearch {
  private static final int MAX_ROUNDS = 4;

  private final long seed;

  ExchangeSearch(long seed) {
    this.seed = seed;
  }

  /** The base, or a better organization of these windows. */
  Organization improve(Organization base, TimeWindows windows) {
    ExchangeRun run = new ExchangeRun(base, NewestWindows.of(windows));
    int[] order = run.order(new Random(seed));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      long saved = 0;
      for (int cell : order) {
        saved += run.moveBest(cell);
      }
      if (saved == 0) {
        break;
      }
    }
    return run.result();
  }
}
