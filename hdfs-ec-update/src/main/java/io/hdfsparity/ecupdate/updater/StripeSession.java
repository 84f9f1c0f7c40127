/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The right to change one closed file in place, as it was granted. Opening one is where permission,
 * snapshots, encryption and missing plugins are judged. Thread-safe; methods with an {@link
 * IOException} may block.
 */
public interface StripeSession {
  /** What the file looks like. */
  FileLayout layout();

  /** What was agreed. */
  SessionTerms terms();

  /**
   * Where the units of a block group are.
   *
   * @param id of the group. Another one than before: it was rewritten, under other ids, with all
   *     that was acknowledged. Nothing that was asked of the earlier one counts any more, and
   *     whatever has not ended must be begun again
   * @param units by index; those that no node has are missing
   */
  record Located(long id, Map<Integer, UnitLocation> units) {
    public Located {
      units = Map.copyOf(units);
    }
  }

  /**
   * Where the units of a block group are now; asked again when calls to one of them do not get
   * through.
   *
   * <p>A unit that has another place than before has been taken from the earlier one for good: what
   * is still done to the copy there does not count, and it never comes back but as AJX's INIT.
   *
   * @param group index in the layout
   *     <p>When this returns for a group for the first time, all nodes of the group are ready for
   *     changes of it (ADR 0014).
   * @throws SessionOverException if the session is over
   */
  Located locate(int group) throws IOException;

  /**
   * Nothing is asked of any other version of a group any more, and nothing that an earlier one says
   * is heard.
   *
   * @param id of the group as it was located last
   */
  default void following(int group, long id) {}

  /**
   * Rewrites a group of which nodes are lost, from those that are left, if that can be done now.
   *
   * @param group that was located before
   * @return whether it has been rewritten, by anybody
   * @throws IOException if that was tried, and has failed; the group is as it was, or it is not
   *     known whether it is
   */
  default boolean heal(int group, Healer healer) throws IOException {
    return false;
  }

  /** Who wants a group healed. Thread-safe. */
  interface Healer {
    /**
     * To be begun before the nodes that are left are locked, and closed behind that: releases,
     * again and again, the locks of recoveries that wait for lost nodes.
     */
    Closeable yielding();

    /**
     * Asked now and then.
     *
     * @throws IOException if it is not wanted any more
     */
    void requireWanted() throws IOException;
  }

  /**
   * Keeps the session for another while.
   *
   * @throws SessionOverException if it is over
   * @throws IOException if that is not known
   */
  void renew() throws IOException;

  /**
   * All that was begun has ended, and nothing more will be: the nodes are notified, as far as that
   * goes.
   *
   * @param unfinished groups of which that is not so
   */
  default void leave(Set<Integer> unfinished) {}

  /**
   * Other sessions that units of a group have noted.
   *
   * @param over on all units, for good: nothing of theirs is executed any more
   * @param left the rest: open, or somebody of whom nothing is known
   */
  record OtherSessions(Set<Long> over, Set<Long> left) {
    /** No other session. */
    public static final OtherSessions NOTHING = new OtherSessions(Set.of(), Set.of());

    public OtherSessions {
      over = Set.copyOf(over);
      left = Set.copyOf(left);
    }

    /** Whether there is one. */
    boolean isAny() {
      return !over.isEmpty() || !left.isEmpty();
    }
  }

  /**
   * Which other sessions may have left something unfinished in a group.
   *
   * @throws IOException if not all units have said so
   */
  default OtherSessions noted(int group) throws IOException {
    return OtherSessions.NOTHING;
  }

  /**
   * Has sessions that did not leave crossed out, on all units of a group: durable on return. May be
   * repeated.
   *
   * @param over as {@link #noted} has said, before each stripe of the group was recovered
   * @throws IOException if some units have not done so
   */
  default void crossOut(int group, Set<Long> over) throws IOException {}

  /**
   * Gives the right back.
   *
   * @param lastWriteMs when bytes were last changed, since the epoch; empty if none were. The
   *     file's modification time
   */
  void end(OptionalLong lastWriteMs) throws IOException;
}
