/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import java.util.PriorityQueue;
import java.util.Random;

/** Virtual time: what happens next, in an order that the seed decides. */
final class Timeline {
  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Random random;
  private long now;
  private long order;
  private long executed;

  Timeline(Random random) {
    this.random = random;
  }

  long now() {
    return now;
  }

  long executed() {
    return executed;
  }

  void at(long time, Runnable action) {
    events.add(new Event(Math.max(time, now), order++, action));
  }

  void after(long delay, Runnable action) {
    at(now + delay, action);
  }

  /** Mostly short, sometimes so long that dozens of other messages overtake. */
  long delay() {
    int kind = random.nextInt(20);
    if (kind < 15) {
      return 1 + random.nextInt(20);
    }
    return kind < 19 ? 20 + random.nextInt(200) : 200 + random.nextInt(2000);
  }

  /**
   * Runs until nothing is left to happen.
   *
   * @return false if that takes more than so many events
   */
  boolean runAll(long limit) {
    while (!events.isEmpty()) {
      if (executed >= limit) {
        return false;
      }
      Event event = events.remove();
      now = event.at;
      executed++;
      event.action.run();
    }
    return true;
  }
}
