/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.Bounds;

/**
 * On what terms a session was opened. Immutable.
 *
 * @param number of the session, never used before on this cluster, 1 to {@link Integer#MAX_VALUE}:
 *     AJX's clients are {@code number << 32} and what follows, so that locks of a session that has
 *     ended can be recognized by {@code client >>> 32}
 * @param demanded what updates must survive, as the administrator says
 * @param renewEveryMs how often it is renewed
 * @param lostAfterMs without a renewal, after which it may have been given to somebody else, and
 *     nothing is begun any more
 * @param writes whether there are any
 */
public record SessionTerms(
    int number, Bounds.Failures demanded, long renewEveryMs, long lostAfterMs, Writes writes) {
  /** Whether its program writes. */
  public enum Writes {
    ALLOWED,
    /** The NameNode counts on it, and so do other programs. */
    REFUSED
  }

  /** Of a program that writes. */
  public SessionTerms(int number, Bounds.Failures demanded, long renewEveryMs, long lostAfterMs) {
    this(number, demanded, renewEveryMs, lostAfterMs, Writes.ALLOWED);
  }

  public SessionTerms {
    Checks.argument(number > 0, "open an update session", "number", number, "> 0");
    Checks.argument(
        renewEveryMs > 0, "open an update session", "renewEveryMs", renewEveryMs, "> 0");
    Checks.argument(
        lostAfterMs > renewEveryMs,
        "open an update session",
        "lostAfterMs",
        lostAfterMs,
        "> renewEveryMs=" + renewEveryMs);
  }
}
