/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.overlay;

import io.hdfsparity.core.check.Checks;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Keeps stock decoders from mixing versions of one block group: they take some units from before a
 * write and some from after it, and no checksum can notice.
 *
 * <p>A stock reader or reconstruction that decodes must open a parity unit, so parity is the gate:
 *
 * <pre>
 *              writer enters (waits for parity pins)
 *   OPEN  ------------------------------------------------&gt;  WRITING
 *    ^                                                          | last writer leaves
 *    |  quiet for G, and no data snapshot older than            v
 *    +--------- the last write pinned since then ----------- SETTLING
 * </pre>
 *
 * <p>What it promises: a stock decoder gets right bytes or an error, provided that it takes no
 * longer than G from the last byte that it read of a data unit that it has closed to opening
 * parity. Reconstruction is refused while not OPEN, never delayed: a delayed one holds snapshots of
 * data units that are older than the write that it waits for.
 *
 * <p>Invariants: while parity is pinned there is no writer; parity is pinned only while no data
 * snapshot older than the last write is.
 *
 * <p>Time comes in with each call, in milliseconds of a clock that does not go back. Not
 * thread-safe.
 */
public final class GroupFence {
  private final long quietMs;
  private final Set<Long> writers = new HashSet<>();

  /** Data snapshots that are pinned, by the number of writes that had begun when they were. */
  private final TreeMap<Long, Integer> dataPins = new TreeMap<>();

  private int parityPins;
  private long writesBegun;
  private long lastActivityMs;

  /** What state the group is in. */
  public enum State {
    OPEN,
    WRITING,
    SETTLING
  }

  /** A data snapshot that a reader holds. */
  public record DataPin(long writesBegun) {}

  /**
   * A fence of a group.
   *
   * @param quietMs G
   * @param openedMs since when nobody has written, as far as is known. Who wrote before a restart
   *     of the node that keeps the fence is forgotten, so there it is the time of the restart
   */
  public GroupFence(long quietMs, long openedMs) {
    Checks.argument(quietMs >= 0, "fence a group", "quietMs", quietMs, ">= 0");
    this.quietMs = quietMs;
    lastActivityMs = openedMs;
  }

  public State state(long nowMs) {
    if (!writers.isEmpty()) {
      return State.WRITING;
    }
    boolean isQuiet = nowMs - lastActivityMs >= quietMs;
    boolean isCurrent = dataPins.isEmpty() || dataPins.firstKey() >= writesBegun;
    return isQuiet && isCurrent ? State.OPEN : State.SETTLING;
  }

  /**
   * A session wants to write.
   *
   * @return false if it must wait, because a stock decoder holds parity
   */
  public boolean tryEnter(long writer, long nowMs) {
    if (parityPins > 0) {
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
  public DataPin pinData() {
    // With a writer inside, the snapshot may be of the middle of its writes: older than their end.
    long at = writers.isEmpty() ? writesBegun : writesBegun - 1;
    dataPins.merge(at, 1, Integer::sum);
    return new DataPin(at);
  }

  /**
   * A stock reader closes a data unit. If others have written since it opened it, the bytes that it
   * took along are old, and G begins anew.
   */
  public void unpinData(DataPin pin, long nowMs) {
    Integer readers = dataPins.get(pin.writesBegun());
    Checks.state(readers != null, "unpin data", "pin", pin, "one that is pinned");
    if (readers != null && readers > 1) {
      dataPins.put(pin.writesBegun(), readers - 1);
    } else {
      dataPins.remove(pin.writesBegun());
    }
    if (pin.writesBegun() < writesBegun) {
      lastActivityMs = nowMs;
    }
  }

  /**
   * A stock reader opens a parity unit.
   *
   * @return false if it must wait, or be refused
   */
  public boolean tryPinParity(long nowMs) {
    if (state(nowMs) != State.OPEN) {
      return false;
    }
    parityPins++;
    return true;
  }

  /** A stock reader closes a parity unit. */
  public void unpinParity() {
    Checks.state(parityPins > 0, "unpin parity", "parityPins", parityPins, "> 0");
    parityPins--;
  }

  /** Whether a reconstruction may begin; it must be refused otherwise. */
  public boolean mayReconstruct(long nowMs) {
    return state(nowMs) == State.OPEN;
  }

  /** For messages and metrics: pinned data snapshots, and how many writes ago each was taken. */
  public Map<Long, Integer> pinnedData() {
    return Map.copyOf(dataPins);
  }
}
