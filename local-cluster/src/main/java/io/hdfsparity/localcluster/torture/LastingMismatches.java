/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Parity that stays wrong, as {@code raidp -fsck} says it look after look. A cluster heals from
 * much else, but parity that does not fit its replicas stays, so a check need not wait for it. Not
 * thread-safe.
 */
final class LastingMismatches {
  /** Kinds of findings, from a comparison of parity with all of its replicas. */
  private static final String PARITY = "parity-mismatch";

  private final long lastingNanos;
  private Set<String> lasting = Set.of();
  private long sinceNanos;

  /**
   * None was seen yet.
   *
   * @param lasting what is found for so long stays
   */
  LastingMismatches(Duration lasting) {
    this.lastingNanos = lasting.toNanos();
  }

  /**
   * What this look and all others of the last time have found; empty if there is nothing, or if it
   * is too early to say so.
   *
   * @param findings an array of {@code raidp -fsck -json}
   * @param nowNanos of a clock that never goes back
   */
  Optional<String> after(JsonNode findings, long nowNanos) {
    Set<String> wrong = new HashSet<>();
    for (JsonNode each : findings) {
      if (each.path("kind").asText().equals(PARITY) && !each.path("repaired").asBoolean()) {
        wrong.add(each.toString());
      }
    }
    boolean isFirst = lasting.isEmpty();
    Set<String> still = new HashSet<>(wrong);
    still.retainAll(lasting);
    if (isFirst || still.isEmpty()) {
      sinceNanos = nowNanos;
      lasting = wrong;
      return Optional.empty();
    }
    lasting = still;
    return nowNanos - sinceNanos >= lastingNanos
        ? Optional.of(still.stream().sorted().toList().toString())
        : Optional.empty();
  }
}
