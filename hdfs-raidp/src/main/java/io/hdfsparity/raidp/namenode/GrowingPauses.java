/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whom to leave alone for a while, because it was tried in vain: DataNodes that did not answer, so
 * that they do not hold up the questions to others, and blocks that a list of rows did not have. A
 * pause is twice as long each time, up to a maximum. A bounded number is kept; beyond it the one
 * that has failed least recently goes. Thread-safe; time is passed in.
 */
final class GrowingPauses<K> {
  private final long firstMs;
  private final long lastMs;
  private final int maxKept;
  private final Map<K, Pause> pauses = new LinkedHashMap<>();

  private record Pause(long endMs, long lengthMs) {}

  /**
   * @param firstMs the first pause; 0 or more
   * @param lastMs the longest one
   */
  GrowingPauses(long firstMs, long lastMs, int maxKept) {
    this.firstMs = firstMs;
    this.lastMs = lastMs;
    this.maxKept = maxKept;
  }

  /** For DataNodes that sweeps ask every few seconds. */
  static GrowingPauses<String> ofNodes() {
    return new GrowingPauses<>(3_000, 60_000, 10_000);
  }

  /** Whether it is left alone now. */
  synchronized boolean isPaused(K key, long nowMs) {
    Pause pause = pauses.get(key);
    return pause != null && nowMs < pause.endMs();
  }

  synchronized void failed(K key, long nowMs) {
    Pause before = pauses.remove(key);
    long lengthMs = before == null ? firstMs : Math.min(lastMs, 2 * before.lengthMs());
    pauses.put(key, new Pause(nowMs + lengthMs, lengthMs));
    if (pauses.size() > maxKept) {
      pauses.remove(pauses.keySet().iterator().next());
    }
  }

  synchronized void succeeded(K key) {
    pauses.remove(key);
  }

  synchronized void clear() {
    pauses.clear();
  }
}
