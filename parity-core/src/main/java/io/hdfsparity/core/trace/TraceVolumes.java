/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which volumes the requests of a trace are of, and which of them are taken. A line that has the
 * same host and disk as the one before costs a comparison. Of more than {@value #MOST} volumes the
 * further ones are not distinguished. Not thread-safe.
 */
public final class TraceVolumes {
  /** Most that are kept. */
  public static final int MOST = 10_000;

  private static final int MAX_SHOWN = 5;

  private final OptionalLong diskNumber;
  private final Set<TraceVolume> taken = new LinkedHashSet<>();
  private final Set<TraceVolume> others = new LinkedHashSet<>();
  private String last = "";
  private boolean isLastTaken;
  private long otherRequests;

  /** All are taken. */
  public TraceVolumes() {
    this(OptionalLong.empty());
  }

  /**
   * @param diskNumber requests that have another DiskNumber are not taken; empty: all are
   */
  public TraceVolumes(OptionalLong diskNumber) {
    this.diskNumber = diskNumber;
  }

  /**
   * Whether a request is taken.
   *
   * @param line that {@link MsrFormat} understands
   */
  public boolean takes(String line) {
    int begin = line.indexOf(',') + 1;
    int end = line.indexOf(',', line.indexOf(',', begin) + 1);
    if (end - begin != last.length() || !line.startsWith(last, begin)) {
      last = line.substring(begin, end);
      TraceVolume volume = TraceVolume.of(last);
      isLastTaken = diskNumber.isEmpty() || diskNumber.equals(volume.diskNumber());
      Set<TraceVolume> kept = isLastTaken ? taken : others;
      if (kept.size() < MOST) {
        kept.add(volume);
      }
    }
    otherRequests += isLastTaken ? 0 : 1;
    return isLastTaken;
  }

  /** Those of which requests were taken, in the order in which they came first. */
  public Set<TraceVolume> taken() {
    return Collections.unmodifiableSet(taken);
  }

  /** Those of which none were. */
  public Set<TraceVolume> others() {
    return Collections.unmodifiableSet(others);
  }

  /** Requests that were not taken. */
  public long otherRequests() {
    return otherRequests;
  }

  /** The first of some, for messages. */
  public static String shown(Set<?> volumes) {
    return volumes.stream()
        .limit(MAX_SHOWN)
        .map(Object::toString)
        .collect(Collectors.joining(", ", "[", volumes.size() > MAX_SHOWN ? ", ...]" : "]"));
  }
}
