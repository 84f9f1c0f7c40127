/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Who was asked about and not found to be live a moment ago: he is refused without asking again,
 * for asking takes a thread and a NameNode. A session that a later list has is admitted before this
 * is looked at. Thread-safe.
 */
final class RefusedSessions {
  private static final int MOST = 4096;

  /** Empty: all blocks. */
  private record Refused(SessionId session, OptionalLong blockId) {}

  private final long validMs;
  private final LongSupplier clockMs;

  /** Until when, the eldest first. */
  private final Map<Refused, Long> refused =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Refused, Long> eldest) {
          return size() > MOST;
        }
      };

  /**
   * Nobody is refused yet.
   *
   * @param validMs how long nothing is asked again
   * @param clockMs monotonic
   */
  RefusedSessions(long validMs, LongSupplier clockMs) {
    this.validMs = validMs;
    this.clockMs = clockMs;
  }

  /** A NameNode calls the unit's group replaced. */
  synchronized void refuse(SessionId session, long blockId) {
    refuse(new Refused(session, OptionalLong.of(blockId)));
  }

  /**
   * A NameNode does not know the session, or does not answer: whatever block the next token is for,
   * the answer would be the same.
   */
  synchronized void refuse(SessionId session) {
    refuse(new Refused(session, OptionalLong.empty()));
  }

  private void refuse(Refused who) {
    refused.remove(who);
    refused.put(who, clockMs.getAsLong() + validMs);
  }

  /** Whether that was so a moment ago. */
  synchronized boolean isRefused(SessionId session, long blockId) {
    return isRefused(new Refused(session, OptionalLong.empty()))
        || isRefused(new Refused(session, OptionalLong.of(blockId)));
  }

  private boolean isRefused(Refused who) {
    Long untilMs = refused.get(who);
    return untilMs != null && untilMs - clockMs.getAsLong() > 0;
  }

  synchronized int size() {
    return refused.size();
  }
}
