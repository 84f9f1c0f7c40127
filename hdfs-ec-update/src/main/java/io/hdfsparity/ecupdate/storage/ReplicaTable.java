/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.storage.log.Recovered;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The replicas that an engine has open, and those that it refuses. Thread-safe. */
final class ReplicaTable implements Closeable {
  /** What is done to the files of a replica that nobody else is at any more. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  private final UpdateLog log;
  private final ReplicaLoader loader;
  private final ReceiptBudget receipts;
  private final Map<ReplicaKey, Replica> open = new ConcurrentHashMap<>();

  /** Replicas that could not be opened, and why. */
  private final Map<ReplicaKey, IOException> refused = new ConcurrentHashMap<>();

  private final ReentrantLock loading = new ReentrantLock();
  private volatile boolean isClosed;

  ReplicaTable(UpdateLog log, ReplicaLoader loader, ReceiptBudget receipts) {
    this.log = log;
    this.receipts = receipts;
    this.loader = loader;
  }

  /** Brings a replica that is in the log to where it was. */
  void recover(ReplicaKey key, Recovered.Replica recovered)
      throws IOException, InterruptedException {
    Optional<Replica> replica = load(key, recovered);
    if (replica.isEmpty() && !refused.containsKey(key)) {
      log.dropped(key);
    }
  }

  /**
   * Empty if it is not there, or refused.
   *
   * @throws IOException if its files cannot be read now, which says nothing of what is in them, and
   *     the log has nothing of it: it may be tried again
   */
  private Optional<Replica> load(ReplicaKey key, Recovered.@Nullable Replica recovered)
      throws IOException, InterruptedException {
    try {
      Optional<Replica> replica = loader.load(key, recovered);
      replica.ifPresent(
          loaded -> {
            loaded.slots().charge(receipts);
            open.put(key, loaded);
            if (isClosed) {
              close(loaded); // one that close() may not have seen
            }
          });
      return replica;
    } catch (IOException | IllegalArgumentException | UncheckedIOException e) {
      // What the log had of it is not in memory now: the next one must not open it without that.
      if (recovered == null && !isOfContent(e)) {
        throw refusal(key, e, "files that can be read; if it stays so, give the replica up");
      }
      refused.put(
          key,
          refusal(key, e, "files that fit together; give the replica up, and it is recovered"));
      return Optional.empty();
    }
  }

  /** Whether the files were read, and another attempt would find the same. */
  private static boolean isOfContent(Exception failure) {
    return failure instanceof FormatException || failure instanceof IllegalArgumentException;
  }

  private static IOException refusal(ReplicaKey key, Exception cause, String rule) {
    return new IOException(
        ErrorMessage.to("open replica " + key).value("cause", cause).expected(rule).message(),
        cause);
  }

  /**
   * A replica, opened if it is not.
   *
   * @throws IOException if the storage does not have it, its files do not fit together, or cannot
   *     be read now
   */
  Replica get(ReplicaKey key) throws IOException, InterruptedException {
    Replica there = open.get(key);
    if (there != null) {
      return there;
    }
    loading.lock();
    try {
      there = open.get(key);
      if (there != null) {
        return there;
      }
      requireOpen(key);
      if (!refused.containsKey(key)) {
        Optional<Replica> loaded = load(key, null);
        if (loaded.isPresent()) {
          return loaded.get();
        }
      }
      IOException why = refused.get(key);
      throw why != null
          ? new IOException(String.valueOf(why.getMessage()), why)
          : new IOException("Cannot serve a replica: " + key + ", expected one of this storage");
    } finally {
      loading.unlock();
    }
  }

  /** A replica if it is open. */
  @Nullable Replica find(ReplicaKey key) {
    return open.get(key);
  }

  /** As {@link Replica#isQuiet}; one that is not open is. */
  boolean isQuiet(ReplicaKey key) {
    VarHandle.fullFence(); // whoever opens it now reads what Replica.requireServed goes by later
    Replica there = open.get(key);
    return there == null || there.isQuiet();
  }

  /** All that are open. */
  Collection<Replica> all() {
    return open.values();
  }

  /**
   * Waits for whoever is at the replica's files; then nobody is any more, and nobody opens it. If
   * the step fails it is refused until this is called again.
   */
  void giveUp(ReplicaKey key, Step then) throws IOException {
    loading.lock();
    try {
      requireOpen(key);
      Replica there = open.get(key);
      refused.remove(key);
      if (there != null) {
        close(there);
        there.slots().forgetAllReceipts(receipts);
        // Not before: until it is closed something of it may be executed (isQuiet).
        open.remove(key);
      }
      try {
        then.run();
      } catch (IOException e) {
        // What the log has of it is not in memory any more.
        refused.put(key, e);
        throw e;
      }
    } finally {
      loading.unlock();
    }
  }

  private void requireOpen(ReplicaKey key) throws IOException {
    if (isClosed) {
      throw new IOException(
          "Cannot serve a replica: " + key + ", expected a storage in service: try again");
    }
  }

  /** On return nobody is at its files. */
  private static void close(Replica replica) {
    replica.maintenance().lock();
    try {
      replica.close();
    } finally {
      replica.maintenance().unlock();
    }
  }

  /**
   * Waits for whoever is at files of replicas, and closes the log: then nobody is at any, nor will
   * be, and another engine may be opened for them.
   */
  @Override
  public void close() throws IOException {
    isClosed = true;
    stopWaiting();
    open.values().forEach(ReplicaTable::close);
    try {
      log.close(); // ends the waiting of one who opens a replica
    } finally {
      loading.lock();
      loading.unlock();
    }
  }

  /** Lets all go that wait for room. */
  void stopWaiting() {
    List.copyOf(open.values()).forEach(replica -> replica.bytes().close());
  }
}
