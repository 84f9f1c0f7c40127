/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * How old the bytes are that a decoder puts together. A block reader gives the version that its
 * replica had when it was opened, and sockets keep bytes for as long as a stream pauses, also of a
 * DataNode that has cut the reader off since. Parity of a group that was updated is served only a
 * while after the last update (by default 15 minutes): data units that were opened before that
 * update do not fit it, and no checksum notices.
 *
 * <p>So readers get no older than {@link #MAX_AGE_MS}, and what was read in more than {@link
 * #MAX_READ_MS} is not decoded. Both together are less than that while.
 *
 * <p>Not thread-safe; each of several threads may note the readers of one unit.
 */
final class ReaderAges {
  /** Milliseconds. A sequential stream loses what its sockets hold so often. */
  static final long MAX_AGE_MS = 2 * 60_000;

  /** Milliseconds. A read may wait for several DataNodes that do not answer. */
  static final long MAX_READ_MS = 8 * 60_000;

  /**
   * Milliseconds. Parity fits data that was opened up to so long after it. A session is admitted to
   * a group only a while after the last reader of its parity was closed or cut off, so no update
   * begins meanwhile. That while is 10 s by default, and is there for decoders that open parity
   * before data.
   */
  static final long MAX_SPREAD_MS = 1000;

  private final Clock clock;
  private final long[] openedNanos;
  private final long[] openedIn;

  /** When the DataNode had answered: the version that a reader gives is fixed by then. */
  private final long[] readyNanos;

  private final boolean[] wasReady;
  private long round;
  private long beganNanos;
  private boolean isBegun;

  /** The bytes that a read has got are too old to be decoded. No replica is to blame. */
  static final class OldBytesException extends IOException {
    private static final long serialVersionUID = 1L;

    OldBytesException(ErrorMessage refusal) {
      super(refusal.message());
    }
  }

  ReaderAges(Clock clock, int units) {
    this.clock = clock;
    openedNanos = new long[units];
    openedIn = new long[units];
    readyNanos = new long[units];
    wasReady = new boolean[units];
  }

  /** Readers that are opened from now on are opened later than those so far. */
  void beginRound() {
    round++;
  }

  /** A reader of a unit is about to be opened. */
  void open(int unit) {
    openedNanos[unit] = clock.nanoTime();
    openedIn[unit] = round;
  }

  /** The reader of a unit has been opened. */
  void ready(int unit) {
    readyNanos[unit] = clock.nanoTime();
    wasReady[unit] = true;
  }

  /**
   * Whether the reader of a unit may lack an update that one of the first units has: it was opened
   * in an earlier round, or in the same one long before that was open.
   */
  boolean isBeforeAny(int unit, int firstUnits) {
    return IntStream.range(0, firstUnits)
        .anyMatch(first -> openedIn[unit] < openedIn[first] || isLongBefore(unit, first));
  }

  private boolean isLongBefore(int unit, int other) {
    return wasReady[other]
        && TimeUnit.NANOSECONDS.toMillis(readyNanos[other] - openedNanos[unit]) > MAX_SPREAD_MS;
  }

  /** Whether the reader of a unit that was opened last is too old to be read from. */
  boolean isOld(int unit) {
    return isOlder(clock, openedNanos[unit], MAX_AGE_MS);
  }

  /** As {@link #isOld(int)}, of a stream that opens its readers at about the same time. */
  static boolean isOld(Clock clock, long openedNanos) {
    return isOlder(clock, openedNanos, MAX_AGE_MS);
  }

  /** A read begins, whose bytes are decoded together. */
  void beginRead() {
    beganNanos = clock.nanoTime();
    isBegun = true;
  }

  /**
   * What the read has got is about to be decoded.
   *
   * @throws OldBytesException if that is too old by now
   */
  void requireDecodable(String file) throws OldBytesException {
    if (isBegun && isOlder(clock, beganNanos, MAX_READ_MS)) {
      throw new OldBytesException(
          ErrorMessage.to("decode a block group")
              .value("ms since the read began", sinceMs(clock, beganNanos))
              .expected("at most " + MAX_READ_MS + ": the group may have been updated; read again")
              .where("file", file));
    }
  }

  private static boolean isOlder(Clock clock, long sinceNanos, long ageMs) {
    return sinceMs(clock, sinceNanos) > ageMs;
  }

  private static long sinceMs(Clock clock, long sinceNanos) {
    return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - sinceNanos);
  }
}
