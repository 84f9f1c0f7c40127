/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Blocks of a frame that something is still to be done for, and when. Each is in it at most once.
 * Thread-safe.
 */
final class DueQueue {
  private record Due(long atNanos, int attempts) {}

  private final Map<Long, Due> due = new HashMap<>();
  private Runnable earlier = () -> {};

  /** Called, without a lock, when something became due earlier than before. */
  synchronized void onEarlier(Runnable listener) {
    earlier = listener;
  }

  /** Makes a block due at a time, or earlier if it already is; its attempts start anew. */
  void schedule(long blockId, long atNanos) {
    Runnable listener;
    synchronized (this) {
      Due old = due.get(blockId);
      due.put(
          blockId,
          new Due(old == null || atNanos - old.atNanos() < 0 ? atNanos : old.atNanos(), 0));
      listener = earlier;
    }
    listener.run();
  }

  /** Puts a block back after a try that did not finish, unless it was scheduled anew meanwhile. */
  synchronized void retry(long blockId, int attempts, long atNanos) {
    due.putIfAbsent(blockId, new Due(atNanos, attempts));
  }

  /** Takes out what is due. Values are numbers of earlier attempts. */
  synchronized List<Map.Entry<Long, Integer>> take(long nowNanos, int most) {
    List<Map.Entry<Long, Integer>> taken = new ArrayList<>();
    for (Map.Entry<Long, Due> each : due.entrySet()) {
      if (each.getValue().atNanos() - nowNanos <= 0) {
        taken.add(Map.entry(each.getKey(), each.getValue().attempts()));
        if (taken.size() == most) {
          break;
        }
      }
    }
    taken.forEach(each -> due.remove(each.getKey()));
    return taken;
  }

  /** When the next is due. */
  synchronized OptionalLong nextNanos() {
    return due.values().stream().mapToLong(Due::atNanos).reduce((a, b) -> a - b < 0 ? a : b);
  }

  synchronized int size() {
    return due.size();
  }
}
