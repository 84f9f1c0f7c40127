/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import net.bytebuddy.asm.Advice;

/**
 * Holds the thread that enters a method, now and then, so that others overtake it where they seldom
 * do: a race of a microsecond becomes one of many milliseconds. Every method has a time of its own
 * for its next delay, so that one that is called once a second is delayed as often as one in a
 * loop. Thread-safe.
 */
public final class Delays {
  private static final long MEAN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final double MAX_EXPONENT = 7.6; // 2^7.6 ms are about 200 ms
  private static final Map<String, AtomicLong> NEXT_NANOS = new ConcurrentHashMap<>();

  private Delays() {}

  /** The code that is planted. */
  static final class AtEntry {
    private AtEntry() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t.#m") String method) {
      Delays.at(method);
    }
  }

  /**
   * Returns at once, or holds the thread for 1 to 200 ms. An interrupt ends the delay, and the
   * thread stays interrupted.
   */
  public static void at(String method) {
    long now = System.nanoTime();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    AtomicLong next = NEXT_NANOS.get(method);
    if (next == null) {
      NEXT_NANOS.putIfAbsent(method, new AtomicLong(now + pause(random)));
      return;
    }
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + pause(random))) {
      LockSupport.parkNanos((long) (Math.pow(2, random.nextDouble(MAX_EXPONENT)) * 1_000_000));
    }
  }

  private static long pause(ThreadLocalRandom random) {
    return random.nextLong(2 * MEAN_PAUSE_NANOS);
  }
}
