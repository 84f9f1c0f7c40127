/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.web;

import io.hdfsparity.bridge.page.Page;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last page for a while, so that many readers cost as much as one. A page that took long
 * to make is kept longer: making pages takes at most a twentieth of the time. Thread-safe; one
 * thread makes a page, the others wait for it.
 */
final class PageCache {
  private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int IDLE_FACTOR = 20;

  private final Supplier<Page> source;
  private final LongSupplier nanoTime;
  private @Nullable Page last;
  private long freshUntil;

  /**
   * @param nanoTime monotonic
   */
  PageCache(Supplier<Page> source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  synchronized Page get() {
    long now = nanoTime.getAsLong();
    Page kept = last;
    if (kept != null && freshUntil - now > 0) {
      return kept;
    }
    Page made = source.get();
    long end = nanoTime.getAsLong();
    last = made;
    freshUntil = end + Math.max(MIN_NANOS, IDLE_FACTOR * (end - now));
    return made;
  }
}
