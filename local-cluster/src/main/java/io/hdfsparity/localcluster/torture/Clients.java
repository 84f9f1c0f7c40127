/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients, each on a thread of its own, until {@link #end}. Thread-safe. */
final class Clients {
  /** Between operations of a client, so that histories stay small. */
  private static final long PAUSE_MS = 30;

  private static final long END_MINUTES = 5;

  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** Starts them. */
  Clients(List<Workload.Client> clients) {
    for (Workload.Client client : clients) {
      Thread thread = new Thread(() -> run(client), client.name());
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void run(Workload.Client client) {
    try (client) {
      while (!end.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
        client.step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      failures.add(e);
    }
  }

  /** Why one has ended by itself, if any has: what it did is not known. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failures.peek());
  }

  /**
   * Ends them; each finishes what it is at.
   *
   * @return names of those that do not end
   */
  List<String> end() throws InterruptedException {
    end.countDown();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(END_MINUTES);
    List<String> left = new ArrayList<>();
    for (Thread thread : threads) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      if (thread.isAlive()) {
        left.add(thread.getName());
      }
    }
    return left;
  }
}
