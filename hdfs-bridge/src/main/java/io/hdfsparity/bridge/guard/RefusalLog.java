/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Counts what a guard refuses, and says which refusals are worth a line of a log: at most one in
 * ten seconds for each rule, since a client may repeat a call as fast as it can. Thread-safe.
 */
public final class RefusalLog {
  private static final long PAUSE_MS = 10_000;

  private final LongSupplier clockMs;
  private final LongAdder[] counts =
      Stream.generate(LongAdder::new).limit(GuardRule.values().length).toArray(LongAdder[]::new);

  /** When the next line of a rule may be logged, and what was counted when the last one was. */
  private final AtomicLongArray nextMs;

  private final AtomicLongArray logged = new AtomicLongArray(GuardRule.values().length);

  /**
   * @param clockMs monotonic, in milliseconds
   */
  public RefusalLog(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.nextMs = new AtomicLongArray(GuardRule.values().length);
    for (GuardRule rule : GuardRule.values()) {
      nextMs.set(rule.ordinal(), clockMs.getAsLong());
    }
  }

  /**
   * Counts one.
   *
   * @return how many there were of the rule since the last that was logged, this one included;
   *     empty if it is not to be logged
   */
  public Optional<Long> count(GuardRule rule) {
    LongAdder counter = counts[rule.ordinal()];
    counter.increment();
    long now = clockMs.getAsLong();
    long next = nextMs.get(rule.ordinal());
    if (now - next < 0 || !nextMs.compareAndSet(rule.ordinal(), next, now + PAUSE_MS)) {
      return Optional.empty();
    }
    long all = counter.sum();
    return Optional.of(all - logged.getAndSet(rule.ordinal(), all));
  }

  /** How many there were since the start. */
  public long total(GuardRule rule) {
    return counts[rule.ordinal()].sum();
  }
}
