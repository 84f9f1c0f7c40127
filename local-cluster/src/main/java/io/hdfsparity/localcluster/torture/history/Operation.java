/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import java.util.List;

/**
 * One operation of a history. Immutable.
 *
 * @param number unique in its history, from 0 on
 * @param client who did it
 * @param kind what was done
 * @param object the cell or file
 * @param value what was written or read, as its kind says
 * @param outcome how it ended
 * @param beginNanos before anything was sent, on the clock of the history
 * @param endNanos after the answer was there; at least {@code beginNanos}
 */
public record Operation(
    long number,
    String client,
    OperationKind kind,
    String object,
    String value,
    Outcome outcome,
    long beginNanos,
    long endNanos) {
  private static final String SEPARATOR = ",";

  /** What a read of several slices gives as its value. */
  public static String joined(List<String> slices) {
    return slices.stream().distinct().count() == 1 ? slices.get(0) : String.join(SEPARATOR, slices);
  }

  /** What its slices hold: one value if all hold the same. */
  public List<String> slices() {
    return List.of(value.split(SEPARATOR, -1));
  }

  /**
   * When it had taken effect at the latest; {@link Long#MAX_VALUE} if that may come at any time.
   */
  public long effectiveEnd() {
    return outcome == Outcome.UNKNOWN ? Long.MAX_VALUE : endNanos;
  }

  /** The same, ended in some way. */
  public Operation ended(Outcome how, String what, long nanos) {
    return new Operation(number, client, kind, object, what, how, beginNanos, nanos);
  }

  /** For people: who, what and when. */
  public String describe() {
    return String.format(
        "#%d %s %s %s=%s %s [%.6f s, %s]",
        number,
        client,
        kind,
        object,
        value,
        outcome,
        beginNanos / 1e9,
        outcome == Outcome.UNKNOWN ? "?" : String.format("%.6f s", endNanos / 1e9));
  }
}
