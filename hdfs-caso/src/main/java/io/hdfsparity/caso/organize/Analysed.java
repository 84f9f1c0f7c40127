/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;

/**
 * Windows, and the reads of their time. Immutable.
 *
 * @param windows in which cells are written
 * @param reads between the first and the last of them, and around
 */
record Analysed(TimeWindows windows, RequestSlice reads) {
  /** Some of the windows, with the reads of their time. */
  Analysed part(int first, int end) {
    RequestSlice part = reads;
    if (first > 0) {
      part = first < windows.count() ? part.notBefore(windows.beginTicks(first)) : none();
    }
    if (end < windows.count()) {
      part = part.before(windows.beginTicks(end));
    }
    return new Analysed(windows.slice(first, end), part);
  }

  private RequestSlice none() {
    return new RequestSlice(reads.requests(), reads.to(), reads.to());
  }

  /** What they cost under an organization. */
  HeldBackOrganizer.Trial trial(Organization organization) {
    return new HeldBackOrganizer.Trial(
        StripeWrites.of(windows, organization).stripes(),
        DegradedReads.of(reads, organization).additional());
  }
}
