/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Virtual time, and things that one has to wait for. Not thread-safe.
 *
 * <p>Times are in microseconds.
 */
final class VirtualTime {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private double now;
  private long numbers;

  private record Event(double at, long number, Runnable what) {}

  void after(double delay, Runnable what) {
    events.add(new Event(now + delay, numbers++, what));
  }

  /** Lets time pass until a moment. */
  void runUntil(double end) {
    for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
      events.remove();
      now = next.at;
      next.what.run();
    }
    now = end;
  }

  /**
   * Some servers with one queue: processors, or a link with one. Who comes first is served first.
   */
  final class Station {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    Station(int servers) {
      free = servers;
    }

    /** Is served for so long, then continues. */
    void serve(double duration, Runnable then) {
      Runnable begin =
          () ->
              after(
                  duration,
                  () -> {
                    Runnable next = waiting.poll();
                    if (next == null) {
                      free++;
                    } else {
                      next.run();
                    }
                    then.run();
                  });
      if (free > 0) {
        free--;
        begin.run();
      } else {
        waiting.add(begin);
      }
    }
  }

  /** A log with group commit: a force makes all durable that were there when it began. */
  final class Log {
    private final double forceDuration;
    private List<Runnable> waiting = new ArrayList<>();
    private boolean isForcing;

    Log(double forceDuration) {
      this.forceDuration = forceDuration;
    }

    /** Continues when what was appended now is durable. */
    void commit(Runnable then) {
      waiting.add(then);
      if (!isForcing) {
        force();
      }
    }

    private void force() {
      List<Runnable> group = waiting;
      waiting = new ArrayList<>();
      isForcing = true;
      after(
          forceDuration,
          () -> {
            isForcing = false;
            if (!waiting.isEmpty()) {
              force();
            }
            group.forEach(Runnable::run);
          });
    }
  }
}
