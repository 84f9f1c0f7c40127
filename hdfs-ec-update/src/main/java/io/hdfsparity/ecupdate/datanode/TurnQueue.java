/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.channel.ChannelError;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are executed one at a time, while the users who wait take turns. It has no thread of
 * its own and occupies one of its executor's while there are tasks.
 *
 * <p>Invariants: at most one task is executed at a time; there is at most one task of a key, so
 * whoever asks again keeps his place; no user has more than his limit. Thread-safe.
 */
final class TurnQueue {
  /** What is done. */
  interface Task {
    void run() throws IOException;
  }

  /** A task's name: of two with the same one the first stands for both. */
  record Key(String user, long blockId, long session) {}

  private record Entry(Key key, Task task, CompletableFuture<Void> done) {}

  private final int maxUserTasks;
  private final Executor executor;

  /** Who has his turn next comes first. */
  private final Map<String, Deque<Entry>> waiting = new LinkedHashMap<>();

  private final Map<Key, Entry> known = new HashMap<>();
  private boolean isRunning;
  private boolean isClosed;

  /**
   * Empty.
   *
   * @param maxUserTasks of one user at a time
   * @param executor may block in tasks
   */
  TurnQueue(int maxUserTasks, Executor executor) {
    this.maxUserTasks = maxUserTasks;
    this.executor = executor;
  }

  /**
   * Queues a task, unless that of its key is in the queue or under way. Does not block.
   *
   * @return completes when the task has ended, on a thread of the executor; with {@link
   *     AccessRefusedException} if the user has too many
   */
  CompletableFuture<Void> add(Key key, Task task) {
    Entry entry = new Entry(key, task, new CompletableFuture<>());
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.failedFuture(stopped());
      }
      Entry same = known.get(key);
      if (same != null) {
        return same.done;
      }
      Deque<Entry> own = waiting.computeIfAbsent(key.user(), user -> new ArrayDeque<>());
      if (own.size() >= maxUserTasks) {
        return CompletableFuture.failedFuture(
            new AccessRefusedException(
                ChannelError.BUSY,
                "first updates of one user that wait for a disk, expected <= " + maxUserTasks));
      }
      own.add(entry);
      known.put(key, entry);
      if (isRunning) {
        return entry.done;
      }
      isRunning = true;
    }
    start();
    return entry.done;
  }

  private static IOException stopped() {
    return new AccessRefusedException(ChannelError.SHUTDOWN, "the node stops");
  }

  private void start() {
    try {
      executor.execute(this::runAll);
    } catch (RejectedExecutionException e) {
      close();
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more: those who come later may get one.
      failAll(e);
    }
  }

  private void failAll(Throwable cause) {
    List<Entry> left;
    synchronized (this) {
      isRunning = false;
      left = takeAll();
    }
    left.forEach(each -> each.done.completeExceptionally(cause));
  }

  private List<Entry> takeAll() {
    List<Entry> left = new ArrayList<>();
    waiting.values().forEach(left::addAll);
    waiting.clear();
    left.forEach(each -> known.remove(each.key));
    return left;
  }

  private void runAll() {
    for (Entry next = next(null); next != null; next = next(next)) {
      try {
        next.task.run();
        next.done.complete(null);
      } catch (IOException | RuntimeException | Error e) {
        next.done.completeExceptionally(e);
      }
    }
  }

  private synchronized @Nullable Entry next(@Nullable Entry ended) {
    if (ended != null) {
      known.remove(ended.key, ended);
    }
    Iterator<Deque<Entry>> users = waiting.values().iterator();
    if (!users.hasNext()) {
      isRunning = false;
      return null;
    }
    Deque<Entry> own = users.next();
    users.remove();
    Entry next = own.remove();
    if (!own.isEmpty()) {
      waiting.put(next.key.user(), own); // at the end
    }
    return next;
  }

  /** Ends what has not begun: for ever. What is under way continues. */
  void close() {
    List<Entry> left;
    synchronized (this) {
      isClosed = true;
      left = takeAll();
    }
    left.forEach(each -> each.done.completeExceptionally(stopped()));
  }
}
