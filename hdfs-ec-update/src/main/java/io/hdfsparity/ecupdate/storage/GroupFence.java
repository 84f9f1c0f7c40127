/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps stock decoders from mixing versions of one block group: they take some units from before a
 * write and some from after it, and no checksum can notice.
 *
 * <p>A stock reader or reconstruction that decodes must open a parity unit, so parity is the gate:
 *
 * <pre>
 *              writer enters: no parity pinned, nobody reconstructs,
 *              and the last parity unit was closed at least G ago
 *   OPEN  ------------------------------------------------&gt;  WRITING
 *    ^                                                          | last writer leaves
 *    |  quiet for G, and no data snapshot older than            v
 *    +--------- the last write pinned since then ----------- SETTLING
 * </pre>
 *
 * <p>What it promises: a stock decoder gets units of one version or an error, provided that it
 * opens its last unit less than G after it has closed its first. Reconstruction is refused while
 * not OPEN, never delayed: a delayed one holds snapshots of data units that are older than the
 * write that it waits for. One that was admitted keeps writers out until it has ended.
 *
 * <p><b>What is not known.</b> Holds are in memory. Whoever keeps the fence knows all of them since
 * some time, that of its own start at the latest; who read, decoded or wrote before that is not
 * known, and may go on until that time and the longest life of a hold have passed. Until then
 * everybody is refused but readers of data units. This rests on two things that the keeper owes: a
 * hold is cut off when it is {@link #overdue}, and a writer that entered before a restart enters
 * again before it writes on.
 *
 * <p>Invariants: while parity is pinned or somebody reconstructs there is no writer; parity is
 * pinned only while no data snapshot older than the last write is.
 *
 * <p>Time comes in with each call, in milliseconds of a clock that does not go back. Not
 * thread-safe.
 */
public final class GroupFence {
  /**
   * Times of a fence.
   *
   * @param quietMs G
   * @param maxHoldMs after which a hold is cut off
   */
  public record Options(long quietMs, long maxHoldMs) {
    public Options {
      Checks.argument(quietMs >= 0, "fence a group", "quietMs", quietMs, ">= 0");
      Checks.argument(maxHoldMs >= 0, "fence a group", "maxHoldMs", maxHoldMs, ">= 0");
    }
  }

  /** What state the group is in. */
  public enum State {
    OPEN,
    WRITING,
    SETTLING
  }

  /** Why somebody holds the group. */
  public enum Kind {
    /** A snapshot of a data unit. */
    DATA,
    /** A snapshot of a parity unit. */
    PARITY,
    RECONSTRUCTION
  }

  /**
   * What a reader holds from opening a unit to closing it, and a reconstruction while it runs.
   *
   * @param number never used before by this fence
   * @param writesBegun when it began; one less with a writer inside
   * @param sinceMs when it began
   */
  public record Hold(Kind kind, long number, long writesBegun, long sinceMs) {}

  private final Options options;
  private final Set<Long> writers = new HashSet<>();
  private final Map<Long, Hold> holds = new LinkedHashMap<>();
  private long nextHold;
  private long writesBegun;

  /** Last write, or last close of bytes older than a write. */
  private long lastActivityMs;

  /** After which a decoder may still open data units, for G. */
  private long lastParityClosedMs;

  /**
   * A fence of a group.
   *
   * @param knownSinceMs since when the caller knows of all readers, decoders and writers of the
   *     group; those that are there now are to be reported next
   */
  public GroupFence(Options options, long knownSinceMs) {
    this.options = options;
    lastActivityMs = Math.addExact(knownSinceMs, options.maxHoldMs());
    lastParityClosedMs = lastActivityMs;
  }

  public State state(long nowMs) {
    if (!writers.isEmpty()) {
      return State.WRITING;
    }
    boolean isQuiet = nowMs - lastActivityMs >= options.quietMs();
    boolean isCurrent =
        holds.values().stream()
            .noneMatch(hold -> hold.kind() == Kind.DATA && hold.writesBegun() < writesBegun);
    return isQuiet && isCurrent ? State.OPEN : State.SETTLING;
  }

  /**
   * A session wants to write.
   *
   * @return false if it must wait, because a stock decoder may be under way
   */
  public boolean tryEnter(long writer, long nowMs) {
    boolean isDecoded = holds.values().stream().anyMatch(hold -> hold.kind() != Kind.DATA);
    if (isDecoded || nowMs - lastParityClosedMs < options.quietMs()) {
      return false;
    }
    Checks.argument(writers.add(writer), "enter a fence", "writer", writer, "one not inside");
    writesBegun++;
    lastActivityMs = nowMs;
    return true;
  }

  /** A session has written its last, on all units. */
  public void leave(long writer, long nowMs) {
    Checks.argument(writers.remove(writer), "leave a fence", "writer", writer, "one inside");
    lastActivityMs = nowMs;
  }

  /** A stock reader opens a data unit: always allowed. */
  public Hold pinData(long nowMs) {
    return hold(Kind.DATA, nowMs);
  }

  /**
   * A stock reader opens a parity unit.
   *
   * @return empty if it must wait, or be refused
   */
  public Optional<Hold> tryPinParity(long nowMs) {
    return state(nowMs) == State.OPEN ? Optional.of(hold(Kind.PARITY, nowMs)) : Optional.empty();
  }

  /**
   * A reconstruction begins; until it is released there is no writer.
   *
   * @return empty if it must be refused
   */
  public Optional<Hold> tryReconstruct(long nowMs) {
    return state(nowMs) == State.OPEN
        ? Optional.of(hold(Kind.RECONSTRUCTION, nowMs))
        : Optional.empty();
  }

  private Hold hold(Kind kind, long nowMs) {
    // With a writer inside, the snapshot may be of the middle of its writes: older than their end.
    long at = writers.isEmpty() ? writesBegun : writesBegun - 1;
    Hold hold = new Hold(kind, nextHold++, at, nowMs);
    holds.put(hold.number(), hold);
    return hold;
  }

  /**
   * A unit is closed, or a reconstruction has ended. If others have written since a data unit was
   * opened, the bytes that its reader took along are old, and G starts over for decoders. Whoever
   * closes parity may open data units next, and G begins for writers.
   */
  public void release(Hold hold, long nowMs) {
    Checks.state(
        holds.remove(hold.number(), hold), "release a hold", "hold", hold, "one that is held");
    if (hold.kind() != Kind.DATA) {
      lastParityClosedMs = nowMs;
    } else if (hold.writesBegun() < writesBegun) {
      lastActivityMs = nowMs;
    }
  }

  /** Holds that have lasted too long: to be cut off, and then released. */
  public List<Hold> overdue(long nowMs) {
    return holds.values().stream()
        .filter(hold -> nowMs - hold.sinceMs() >= options.maxHoldMs())
        .toList();
  }

  /** For messages and metrics. */
  public List<Hold> holds() {
    return List.copyOf(holds.values());
  }
}
