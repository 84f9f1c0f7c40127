/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Values that are of use for a while only. A bounded number is kept; beyond it the oldest goes
 * first. Thread-safe.
 *
 * <p>Invariant: entries are in the order in which they expire, as all live equally long.
 */
final class ExpiringMap<K, V> {
  private final Clock clock;
  private final long lifeNanos;
  private final int maxEntries;
  private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>();

  private record Entry<V>(V value, int uses, long untilNanos) {}

  ExpiringMap(Clock clock, long lifeMs, int maxEntries) {
    this.clock = clock;
    this.lifeNanos = TimeUnit.MILLISECONDS.toNanos(lifeMs);
    this.maxEntries = maxEntries;
  }

  /** Puts a value in the place of an older one, for one use more. */
  synchronized void put(K key, V value) {
    long now = clock.nanoTime();
    dropExpired(now);
    Entry<V> old = entries.remove(key);
    entries.put(key, new Entry<>(value, old == null ? 1 : old.uses() + 1, now + lifeNanos));
    if (entries.size() > maxEntries) {
      Iterator<K> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  synchronized Optional<V> get(K key) {
    dropExpired(clock.nanoTime());
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  /** One use is over; with the last one the value goes. */
  synchronized void used(K key) {
    entries.computeIfPresent(
        key,
        (id, entry) ->
            entry.uses() == 1
                ? null
                : new Entry<>(entry.value(), entry.uses() - 1, entry.untilNanos()));
  }

  /** The value is of no more use. */
  synchronized void remove(K key) {
    entries.remove(key);
  }

  synchronized int size() {
    dropExpired(clock.nanoTime());
    return entries.size();
  }

  private void dropExpired(long nowNanos) {
    Iterator<Map.Entry<K, Entry<V>>> oldest = entries.entrySet().iterator();
    while (oldest.hasNext() && oldest.next().getValue().untilNanos() - nowNanos <= 0) {
      oldest.remove();
    }
  }
}
