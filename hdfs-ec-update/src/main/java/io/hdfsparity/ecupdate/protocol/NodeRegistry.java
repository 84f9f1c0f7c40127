/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * DataNodes that can update replicas: those that have reported lately. Survives a failover, since
 * DataNodes report to standbys too. Thread-safe; takes no other lock.
 *
 * <p><b>Invariant</b>: a DataNode goes by an answer for {@link SessionTimes#validMs} from when it
 * sent the report, which was before it was noted here; and by none that is not active.
 */
public final class NodeRegistry {
  /** Nodes that are silent so long are forgotten, in fences. */
  private static final int FORGOTTEN_AFTER = 10;

  private final SessionTimes times;
  private final LongSupplier clockMs;
  private final Map<String, Entry> nodes = new HashMap<>();

  /** No node that is not known has reported later; milliseconds of the clock. */
  private long forgottenMs;

  /**
   * A DataNode.
   *
   * @param report the last one
   * @param atMs when it was noted
   * @param heededMs when the last one was noted whose answer it may go by
   */
  private record Entry(NodeReport report, long atMs, long heededMs, GivenUpUnits givenUp) {}

  /**
   * @param clockMs monotonic
   */
  public NodeRegistry(SessionTimes times, LongSupplier clockMs) {
    this.times = times;
    this.clockMs = clockMs;
    this.forgottenMs = clockMs.getAsLong();
  }

  /** Notes a report. It is noted before the answer to it is made. */
  public synchronized void reported(NodeReport report) {
    note(report, true);
  }

  /**
   * Notes a report of which it is settled, before it is noted, that its answer will say no more
   * than that this NameNode is not active. The DataNode continues by what it learned before, as one
   * that is silent does: it keeps nothing waiting for longer than such a one.
   */
  public synchronized void reportedInVain(NodeReport report) {
    note(report, false);
  }

  /**
   * @param isHeeded the DataNode may go by the answer
   */
  private void note(NodeReport report, boolean isHeeded) {
    long nowMs = clockMs.getAsLong();
    forget(nowMs);
    String uuid = report.node().uuid();
    Entry before = nodes.get(uuid);
    long lastHeededMs = before == null ? forgottenMs : before.heededMs();
    GivenUpUnits givenUp =
        before == null ? GivenUpUnits.first(report, nowMs) : before.givenUp().after(report, nowMs);
    nodes.put(uuid, new Entry(report, nowMs, isHeeded ? nowMs : lastHeededMs, givenUp));
  }

  private void forget(long nowMs) {
    nodes.values().removeIf(each -> isForgotten(each, nowMs));
  }

  private boolean isForgotten(Entry entry, long nowMs) {
    boolean isForgotten = nowMs - entry.atMs() > FORGOTTEN_AFTER * times.fenceMs();
    if (isForgotten) {
      forgottenMs = Math.max(forgottenMs, entry.atMs());
    }
    return isForgotten;
  }

  /**
   * Which of some DataNodes may have gone by an answer of this NameNode at a time or later, as far
   * as reports have been noted. One that is not known is none of them only if all that were
   * forgotten had been silent for long enough by then; nor is one that has given up a unit for all
   * of that time: whatever it learned, it has executed nothing of it.
   *
   * @param units block ids: each of the DataNodes has one of them, and no other of that group
   * @param sinceMs on the registry's clock
   * @return ascending
   */
  public synchronized List<String> mayHaveExecutedSince(
      Set<String> uuids, Set<Long> units, long sinceMs) {
    return uuids.stream()
        .filter(
            uuid -> {
              Entry entry = nodes.get(uuid);
              long lastMs = entry == null ? forgottenMs : entry.heededMs();
              return sinceMs - lastMs <= times.fenceMs()
                  && (entry == null || !entry.givenUp().containsAny(units, sinceMs));
            })
        .sorted()
        .toList();
  }

  /** Whether a DataNode has said last that it executes nothing of a unit any more. */
  public synchronized boolean hasGivenUp(String uuid, long unit) {
    Entry entry = nodes.get(uuid);
    return entry != null && entry.givenUp().contains(unit);
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
   * Whether no DataNode executes requests of a session that is over: each has said so of this
   * session, or has been silent, or held back by {@link #reportedInVain}, for so long that it does
   * not go by an older answer any more. What hangs of other sessions, on whatever DataNode, is
   * nothing to this one.
   *
   * @param endVersion the first version that does not list it any more
   */
  public synchronized boolean hasEnded(long incarnation, SessionId id, long endVersion) {
    long nowMs = clockMs.getAsLong();
    return nodes.values().stream()
        .noneMatch(each -> mayExecute(each, incarnation, id, endVersion, nowMs));
  }

  /**
   * DataNodes that keep {@link #hasEnded} from being true of any of some sessions: each goes by
   * this NameNode's answers, and has not said yet that it executes nothing of one of them. One
   * whose request hangs, on a disk for example, stays here until it ends.
   *
   * @param endVersions by session, as for {@link #hasEnded}
   * @return ascending by UUID
   */
  public synchronized List<UpdateNode> notEnded(
      long incarnation, Map<SessionId, Long> endVersions) {
    long nowMs = clockMs.getAsLong();
    return nodes.values().stream()
        .filter(
            node ->
                endVersions.entrySet().stream()
                    .anyMatch(
                        each ->
                            mayExecute(node, incarnation, each.getKey(), each.getValue(), nowMs)))
        .map(each -> each.report().node())
        .sorted(Comparator.comparing(UpdateNode::uuid))
        .toList();
  }

  private boolean mayExecute(
      Entry entry, long incarnation, SessionId id, long endVersion, long nowMs) {
    return !entry.report().isEnded(incarnation, id, endVersion)
        && nowMs - entry.heededMs() <= times.fenceMs();
  }

  /** What DataNodes have said of a session that this NameNode does not know. */
  public enum Suspension {
    /** Some have not said what they know since they go by this NameNode's list. */
    NOT_KNOWN,
    /** Each has had it live, for this owner, and has never ended it. */
    SUSPENDED,
    /** One of them has not, or has ended it, or was started again since; or there is none. */
    NONE
  }

  /**
   * What DataNodes have said of a session.
   *
   * @param uuids of all that have a unit of its file
   * @param incarnation of this NameNode's sessions
   */
  public synchronized Suspension suspension(
      Set<String> uuids, long incarnation, SessionId id, SessionOwner owner) {
    long nowMs = clockMs.getAsLong();
    Suspension all = uuids.isEmpty() ? Suspension.NONE : Suspension.SUSPENDED;
    for (String uuid : uuids) {
      Entry entry = nodes.get(uuid);
      if (entry == null
          || nowMs - entry.atMs() > times.validMs()
          || entry.report().incarnation() != incarnation) {
        all = all == Suspension.NONE ? all : Suspension.NOT_KNOWN;
      } else {
        SessionOwner found = entry.report().suspended().get(id);
        all = found != null && found.isSame(owner) ? all : Suspension.NONE;
      }
    }
    return all;
  }

  /**
   * DataNodes that have said what they keep suspended, and not a session: for messages.
   *
   * @param uuids as for {@link #suspension}
   * @return host and port, ascending
   */
  public synchronized List<String> withoutIt(
      Set<String> uuids, long incarnation, SessionId id, SessionOwner owner) {
    List<String> without = new ArrayList<>();
    for (String uuid : uuids) {
      Entry entry = nodes.get(uuid);
      if (entry != null && suspension(Set.of(uuid), incarnation, id, owner) == Suspension.NONE) {
        without.add(entry.report().node().host() + ":" + entry.report().node().port());
      }
    }
    Collections.sort(without);
    return without;
  }

  /**
   * What DataNodes keep suspended of one file.
   *
   * @param sessions that are exclusive
   * @param isWhole each of the DataNodes has said what it keeps suspended
   */
  public record Exclusives(Set<SessionId> sessions, boolean isWhole) {
    public Exclusives {
      sessions = Set.copyOf(sessions);
    }
  }

  /**
   * Exclusive sessions of a file that DataNodes keep suspended, by what they have said since they
   * go by this NameNode's list.
   *
   * @param uuids of all that have a unit of the file
   * @param incarnation of this NameNode's sessions
   */
  public synchronized Exclusives exclusives(Set<String> uuids, long incarnation, long inodeId) {
    Set<SessionId> found = new HashSet<>();
    boolean isWhole = true;
    for (String uuid : uuids) {
      Entry entry = nodes.get(uuid);
      if (entry == null || entry.report().incarnation() != incarnation) {
        isWhole = false;
      } else {
        entry
            .report()
            .suspended()
            .forEach(
                (id, owner) -> {
                  if (owner.exclusiveInode() == inodeId) {
                    found.add(id);
                  }
                });
      }
    }
    return new Exclusives(found, isWhole);
  }

  /** DataNodes that can update replicas now. */
  public synchronized int size() {
    long nowMs = clockMs.getAsLong();
    return (int)
        nodes.values().stream().filter(each -> nowMs - each.atMs() <= times.validMs()).count();
  }
}
