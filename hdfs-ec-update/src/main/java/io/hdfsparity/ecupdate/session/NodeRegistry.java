/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.session;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * DataNodes that can update replicas: those that have reported lately. Survives a failover, since
 * DataNodes report to standbys too. Thread-safe; takes no other lock.
 *
 * <p><b>Invariant</b>: a DataNode goes by an answer for {@link SessionTimes#validMs} from when it
 * sent the report, which was before it was noted here.
 */
public final class NodeRegistry {
  /** Nodes that are silent so long are forgotten, in fences. */
  private static final int FORGOTTEN_AFTER = 10;

  private final SessionTimes times;
  private final LongSupplier clockMs;
  private final Map<String, Entry> nodes = new HashMap<>();

  private record Entry(NodeReport report, long atMs) {}

  /**
   * @param clockMs monotonic
   */
  public NodeRegistry(SessionTimes times, LongSupplier clockMs) {
    this.times = times;
    this.clockMs = clockMs;
  }

  /** Notes a report. It is noted before the answer to it is made. */
  public synchronized void reported(NodeReport report) {
    long nowMs = clockMs.getAsLong();
    nodes.values().removeIf(each -> nowMs - each.atMs() > FORGOTTEN_AFTER * times.fenceMs());
    nodes.put(report.node().uuid(), new Entry(report, nowMs));
  }

  /** A DataNode, if it can update replicas now. */
  public synchronized Optional<UpdateNode> capable(String uuid) {
    Entry entry = nodes.get(uuid);
    return entry != null && clockMs.getAsLong() - entry.atMs() <= times.validMs()
        ? Optional.of(entry.report().node())
        : Optional.empty();
  }

  /** All DataNodes that can update replicas now. */
  public synchronized List<UpdateNode> capable() {
    long nowMs = clockMs.getAsLong();
    return nodes.values().stream()
        .filter(each -> nowMs - each.atMs() <= times.validMs())
        .map(each -> each.report().node())
        .sorted(Comparator.comparing(UpdateNode::uuid))
        .toList();
  }

  /**
   * Whether no DataNode executes requests of sessions that were over in a version: each has said
   * so, or has been silent for so long that it does not go by an older answer any more.
   */
  public synchronized boolean applied(long incarnation, long version) {
    long nowMs = clockMs.getAsLong();
    return nodes.values().stream()
        .allMatch(
            each ->
                nowMs - each.atMs() > times.fenceMs()
                    || each.report().incarnation() == incarnation
                        && each.report().appliedVersion() >= version);
  }

  /** DataNodes that can update replicas now. */
  public synchronized int size() {
    long nowMs = clockMs.getAsLong();
    return (int)
        nodes.values().stream().filter(each -> nowMs - each.atMs() <= times.validMs()).count();
  }
}
