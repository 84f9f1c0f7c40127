/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Blocks of a frame that something is still to be done for, and when. Each is in it at most once.
 * Thread-safe.
 */
final class DueQueue {
  private record Due(long blockId, long atNanos, int attempts) {}

  /** Instants of {@link System#nanoTime} are compared by their difference. */
  private static final Comparator<Due> BY_TIME =
      (a, b) -> {
        long later = a.atNanos() - b.atNanos();
        return later != 0 ? Long.signum(later) : Long.compare(a.blockId(), b.blockId());
      };

  private final Map<Long, Due> due = new HashMap<>();
  private final TreeSet<Due> byTime = new TreeSet<>(BY_TIME);
  private Runnable earlier = () -> {};

  /** Called, without a lock, when something became due earlier than before. */
  synchronized void onEarlier(Runnable listener) {
    earlier = listener;
  }

  /** Makes a block due at a time, or earlier if it already is; its attempts start over. */
  void schedule(long blockId, long atNanos) {
    Runnable listener;
    synchronized (this) {
      Due old = due.get(blockId);
      boolean sooner = old == null || atNanos - old.atNanos() < 0;
      boolean first = byTime.isEmpty() || atNanos - byTime.first().atNanos() < 0;
      put(new Due(blockId, sooner ? atNanos : old.atNanos(), 0));
      listener = sooner && first ? earlier : () -> {};
    }
    listener.run();
  }

  /** Puts a block back after a try that did not finish, unless it was scheduled again meanwhile. */
  synchronized void retry(long blockId, int attempts, long atNanos) {
    if (!due.containsKey(blockId)) {
      put(new Due(blockId, atNanos, attempts));
    }
  }

  private void put(Due now) {
    Due old = due.put(now.blockId(), now);
    if (old != null) {
      byTime.remove(old);
    }
    byTime.add(now);
  }

  /** Takes out what is due, the oldest first. Values are numbers of earlier attempts. */
  synchronized List<Map.Entry<Long, Integer>> take(long nowNanos, int most) {
    List<Map.Entry<Long, Integer>> taken = new ArrayList<>();
    while (taken.size() < most && !byTime.isEmpty() && byTime.first().atNanos() - nowNanos <= 0) {
      Due next = byTime.pollFirst();
      due.remove(next.blockId());
      taken.add(Map.entry(next.blockId(), next.attempts()));
    }
    return taken;
  }

  /** When the next is due. */
  synchronized OptionalLong nextNanos() {
    return byTime.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byTime.first().atNanos());
  }

  synchronized int size() {
    return due.size();
  }
}
