/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.core.check.Checks;
import java.util.function.Consumer;

/**
 * Changes an organization that was made for another workload: by the local search, from where the
 * cells are, and of that only the stripes that gain ({@link GainingStripes}).
 *
 * <p>It is tried as in {@link HeldBackOrganizer}: what is learned from two thirds of the windows
 * must save parity updates on the third that was held back, both ways round, against the
 * organization that there is. If it does not, nothing changes.
 *
 * <p>Same windows, reads and seed, same result. Immutable, thread-safe.
 */
public final class Reorganizer {
  private final ExchangeSearch search;
  private final Consumer<String> stages;

  /**
   * @param seed of the local search
   * @param bounds of the local search
   * @param stages called with what is done next, for people who wait
   */
  public Reorganizer(long seed, SearchBounds bounds, Consumer<String> stages) {
    this.search = new ExchangeSearch(seed, bounds);
    this.stages = stages;
  }

  /**
   * What is to change.
   *
   * @param organization the present one if nothing is
   * @param stripes how many stripes change
   * @param present what the present organization costs on what was held back
   * @param tried what was learned costs there
   */
  public record Change(
      Organization organization,
      long stripes,
      HeldBackOrganizer.Trial present,
      HeldBackOrganizer.Trial tried) {
    /** The share of parity updates that was saved on the windows held back. */
    public double estimatedGain() {
      return present.stripeWrites() == 0
          ? 0
          : 1 - (double) tried.stripeWrites() / present.stripeWrites();
    }
  }

  /**
   * Looks what would gain.
   *
   * @param present organization of the cells, stripes of at least two
   */
  public Change reorganize(Organization present, TimeWindows windows, RequestSlice reads) {
    Checks.argument(
        present.dataCells() >= 2, "organize stripes", "dataCells", present.dataCells(), ">= 2");
    Analysed all = new Analysed(windows, reads);
    int count = windows.count();
    int third = count / 3;
    Analysed last = all.part(count - third, count);
    Analysed first = all.part(0, third);
    Organization byFirst =
        learned("first two thirds", present, all.part(0, count - third)).organization();
    Organization byLast =
        learned("last two thirds", present, all.part(third, count)).organization();
    HeldBackOrganizer.Trial before = last.trial(present).plus(first.trial(present));
    HeldBackOrganizer.Trial tried = last.trial(byFirst).plus(first.trial(byLast));
    if (tried.paysOver(before)) {
      GainingStripes.GainingResult taken = learned("all", present, all);
      return new Change(taken.organization(), taken.stripes(), before, tried);
    }
    return new Change(present, 0, before, tried);
  }

  private GainingStripes.GainingResult learned(String name, Organization present, Analysed from) {
    stages.accept("exchanging cells, by " + name);
    return GainingStripes.of(
        present,
        search.improve(present, from.windows(), from.reads()),
        from.windows(),
        from.reads());
  }
}
