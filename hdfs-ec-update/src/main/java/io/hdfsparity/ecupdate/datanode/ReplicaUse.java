/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Whether a replica that was admitted to updates is quiescent: what a decoder reads of it then fits
 * together with every other unit of its group that is quiescent.
 *
 * <p>A session is noted here, durably, before its first change of any unit of the group, and
 * crossed out only when it has said that all its changes have ended on all units. So a replica
 * without sessions has none in its group that may change something, or has left something half
 * done. A session that ends otherwise, or is not known, stays.
 *
 * <p>A decoder may still have data from before the last change, though: a replica comes to rest
 * only a while after the last session has left.
 *
 * <p>Once a reconstruction has read it, some unit of the group may be in two places, one of them
 * away. Should that come back, nobody would see that it is older than the rest: so no session
 * enters any more. All that a reconstruction reads remember it, admitted or not. They are enough to
 * decode the group, and each that is lost later is reconstructed from as many that remember.
 *
 * <p>Time comes in with each call, in milliseconds of a clock that does not go back. Not
 * thread-safe.
 */
final class ReplicaUse {
  /** Somebody: never leaves. */
  static final SessionId UNKNOWN = new SessionId(0);

  static final HeaderFormat FORMAT = new HeaderFormat("ECUPUSED", 1, 1);

  /** More are forgotten, but not that there were some. */
  private static final int MAX_SESSIONS = 1000;

  private final LinkedHashSet<SessionId> sessions;
  private Copies copies;
  private boolean isCopyKept;
  private boolean isDamaged;
  private long activeUntilMs;
  private int entering;
  private long changes;

  /** Which other replicas of the block there may be. The order is that of the bytes on disk. */
  enum Copies {
    /** None: neither was it copied, nor is it a copy. */
    NONE,
    /** It was read to be copied or rebuilt from, or was moved here from another disk. */
    COPIED,
    /**
     * Another DataNode has sent it: it has all changes that its group will ever have, for it was
     * quiescent, and takes no more. An original on a disk that was away meanwhile is not newer.
     */
    RECEIVED
  }

  /** What outlives a restart. */
  record Kept(Set<SessionId> sessions, Copies copies) {
    /** Of a replica that nobody has changed yet. */
    static final Kept FRESH = new Kept(Set.of(), Copies.NONE);

    /** Of a replica about which nothing is known. */
    static final Kept NOTHING = new Kept(Set.of(UNKNOWN), Copies.NONE);

    boolean isCopied() {
      return copies != Copies.NONE;
    }

    byte[] encode(ReplicaKey key) {
      ByteBuffer payload = ByteBuffer.allocate(1 + Integer.BYTES + sessions.size() * Long.BYTES);
      payload.put((byte) copies.ordinal()).putInt(sessions.size());
      sessions.forEach(session -> payload.putLong(session.value()));
      ByteBuffer header = FORMAT.encode(key.toString(), payload.flip());
      byte[] bytes = new byte[header.remaining()];
      header.get(bytes);
      return bytes;
    }

    static Kept decode(byte[] bytes, ReplicaKey key, String place) throws FormatException {
      ByteBuffer payload = FORMAT.decode(ByteBuffer.wrap(bytes), key.toString(), place).payload();
      try {
        int number = payload.get();
        // What is not known is not trusted.
        Copies copies =
            number >= 0 && number < Copies.values().length
                ? Copies.values()[number]
                : Copies.COPIED;
        Set<SessionId> sessions = new LinkedHashSet<>();
        for (int left = payload.getInt(); left > 0; left--) {
          sessions.add(new SessionId(payload.getLong()));
        }
        return new Kept(sessions, copies);
      } catch (BufferUnderflowException e) {
        CorruptFormatException corrupt =
            new CorruptFormatException(
                "Cannot read sessions: payload=" + e + ", expected sessions, file=" + place);
        corrupt.initCause(e);
        throw corrupt;
      }
    }
  }

  /**
   * Of a replica.
   *
   * @param activeUntilMs decoders may have older data until then
   */
  ReplicaUse(Kept kept, long activeUntilMs) {
    sessions = new LinkedHashSet<>(kept.sessions());
    copies = kept.copies();
    isCopyKept = kept.isCopied();
    this.activeUntilMs = activeUntilMs;
  }

  /** Of a replica whose notes cannot be read: nobody enters it, and nothing more is noted. */
  static ReplicaUse damaged(long activeUntilMs) {
    ReplicaUse use = new ReplicaUse(Kept.NOTHING, activeUntilMs);
    use.isDamaged = true;
    return use;
  }

  boolean isDamaged() {
    return isDamaged;
  }

  Kept kept() {
    return new Kept(new LinkedHashSet<>(sessions), copies);
  }

  boolean isAtRest(long nowMs) {
    return sessions.isEmpty() && entering == 0 && nowMs - activeUntilMs >= 0;
  }

  /** Whether all sessions have left it, with nothing unfinished. */
  boolean isLeft() {
    return sessions.isEmpty() && entering == 0;
  }

  /** Grows whenever a session comes, or goes. */
  long changes() {
    return changes;
  }

  /** A session is about to enter: not quiescent until {@link #endEntering}. */
  void beginEntering() {
    entering++;
    changes++;
  }

  /**
   * It has entered, or was refused.
   *
   * @param untilMs when decoders may come again if it was: long enough for it to try again
   */
  void endEntering(long untilMs) {
    entering--;
    notBefore(untilMs);
  }

  /**
   * A session may make changes from now on.
   *
   * @return whether it was not noted before
   */
  boolean enter(SessionId session) {
    changes++;
    if (!sessions.add(session)) {
      return false;
    }
    if (sessions.size() > MAX_SESSIONS) {
      sessions.remove(sessions.iterator().next());
      sessions.add(UNKNOWN);
    }
    return true;
  }

  /**
   * All that a session has changed has ended, on all units of the group.
   *
   * @param untilMs how long decoders may have older data
   * @return whether it was noted
   */
  boolean leave(SessionId session, long untilMs) {
    if (session.equals(UNKNOWN) || !sessions.remove(session)) {
      return false;
    }
    changes++;
    notBefore(untilMs);
    return true;
  }

  private void notBefore(long untilMs) {
    activeUntilMs = Math.max(activeUntilMs, untilMs);
  }

  void copied() {
    if (!isCopied()) {
      copies = Copies.COPIED;
    }
  }

  boolean isCopied() {
    return copies != Copies.NONE;
  }

  /** That it was copied is durable: nobody enters it any more, over restarts. */
  void copyKept() {
    isCopyKept = true;
  }

  /**
   * Whether nobody can change the group any more: when this was read to be copied, or came as a
   * copy, no session had left anything unfinished, and none enters since.
   */
  boolean isRetired() {
    return isCopyKept && !isDamaged && sessions.stream().allMatch(UNKNOWN::equals);
  }
}
