/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects findings. Not thread-safe. */
public final class FindingList {
  private final List<Finding> all = new ArrayList<>();

  /**
   * Adds one.
   *
   * @param place a daemon, {@link Finding#THIS_HOST} or {@link Finding#CLUSTER}
   * @param detail what is wrong there, with the values
   */
  public void add(FindingKind kind, String place, String detail) {
    all.add(new Finding(kind, place, detail));
  }

  /** Adds one if a feature of a daemon counts any of what a figure is of. */
  public void addIfPositive(
      FindingKind kind, DescribedDaemon daemon, String feature, String figure) {
    daemon
        .status()
        .figure(feature, figure)
        .filter(each -> !each.equals("0"))
        .ifPresent(each -> add(kind, daemon.place(), figure + "=" + each));
  }

  /** The worst first, then by code, and in the order in which they were found. */
  List<Finding> sorted() {
    return all.stream()
        .distinct()
        .sorted(
            Comparator.comparing((Finding each) -> each.kind().severity())
                .thenComparing(each -> each.kind().code()))
        .toList();
  }
}
