/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The drivers of a file's stripes: at most so many are kept that nobody uses, the ones that were
 * used last. One that is released has its garbage collected first, or nodes would keep it for ever.
 *
 * <p>Nodes keep the bytes that the last write of each data block has replaced in memory until they
 * are collected. So garbage is collected after so many writes of a stripe, and when a stripe has
 * not been written for a while, and, oldest first, when there are more than so many of these bytes
 * in all stripes: however large the file and the writes are, a session takes no more of its nodes'
 * memory, and one that writes nothing takes none.
 *
 * <p>Thread-safe.
 */
final class StripeDrivers {
  private static final System.Logger LOG = System.getLogger(StripeDrivers.class.getName());

  /** Between looks for stripes that were not written since the last one. */
  private static final long IDLE_MS = 10_000;

  /** A driver, and who needs it. */
  private static final class Entry {
    final StripeDriver driver;
    final ReplacedBytes replaced = new ReplacedBytes();
    int users;
    boolean isRetiring;
    boolean isCollecting;
    boolean isWrittenSinceLook;
    int writes;

    Entry(StripeDriver driver) {
      this.driver = driver;
    }
  }

  private final StripeSession session;
  private final UpdaterOptions options;
  private final AjxOptions ajx;
  private final GroupLocations nodes;
  private final ScheduledExecutorService timers;
  private final long maxReplacedBytes;
  private final Map<StripeKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /** Those with bytes that nodes keep, in the order in which they got the first. */
  private final Set<Entry> replacing = new LinkedHashSet<>();

  /** Sum over {@link #replacing}. */
  private long replacedBytes;

  private boolean isLookDue;

  /** Chance makes up for what a session's number lacks: no identifier is ever used again. */
  private final int firstClient = new SecureRandom().nextInt();

  private long nextClient;
  private boolean isSealed;

  /**
   * Groups of drivers that have failed, and are not kept any more: what they began may be there in
   * part. By the latest version of the group in which that was so.
   */
  private final Map<Integer, Integer> failed = new HashMap<>();

  /**
   * Of no stripe yet.
   *
   * @param maxReplacedBytes that nodes may keep of all stripes, beside those of writes under way
   */
  StripeDrivers(
      StripeSession session,
      UpdaterOptions options,
      AjxOptions ajx,
      GroupLocations nodes,
      ScheduledExecutorService timers,
      long maxReplacedBytes) {
    this.session = session;
    this.maxReplacedBytes = maxReplacedBytes;
    this.options = options;
    this.ajx = ajx;
    this.nodes = nodes;
    this.timers = timers;
  }

  /** Does something with the driver of a stripe, which is kept until that has ended. */
  <T> CompletableFuture<T> with(
      StripeKey stripe, Function<StripeDriver, CompletableFuture<T>> action) throws IOException {
    nodes.require(stripe.group());
    Entry entry = use(stripe);
    return action.apply(entry.driver).whenComplete((result, failure) -> release(entry));
  }

  private synchronized Entry use(StripeKey stripe) throws IOException {
    if (isSealed) {
      throw new IOException("Cannot update: the updater is closed");
    }
    Entry there = entries.get(stripe);
    if (there != null && there.driver.hasFailed()) {
      entries.remove(stripe);
      forgetReplaced(there);
      left(there.driver);
      there = null;
    }
    if (there == null) {
      there =
          new Entry(
              new StripeDriver(
                  stripe,
                  nodes.version(stripe.group()),
                  newClient(stripe),
                  nodes,
                  timers,
                  options.maxBackOffMs(),
                  this::collectReplaced));
      entries.put(stripe, there);
    }
    there.users++;
    return there;
  }

  private synchronized void left(StripeDriver failedOne) {
    LOG.log(Level.WARNING, "Left a stripe unfinished: " + failedOne.state());
    failed.merge(failedOne.stripe().group(), failedOne.version(), Math::max);
  }

  private synchronized AjxClient newClient(StripeKey stripe) throws IOException {
    if (nextClient >>> 32 != 0) {
      throw new IOException(
          "Cannot write: clients of the session=" + nextClient + ", expected a new session");
    }
    long client =
        (long) session.terms().number() << 32
            | Integer.toUnsignedLong(firstClient + (int) nextClient++);
    return new AjxClient(client, session.layout().codeOf(stripe), ajx);
  }

  /**
   * A group was rewritten, and is known under its new ids: what is under way is done again there.
   * Drivers that are made while this runs know the new version.
   */
  void restart(int group, int version) {
    for (StripeDriver driver : of(group)) {
      try {
        driver.restart(newClient(driver.stripe()), version);
      } catch (IOException e) {
        driver.fail(e);
      } catch (RuntimeException e) {
        driver.fail(new IOException("the protocol's client failed: " + e, e)); // but no other one
      }
    }
    synchronized (this) {
      // What they have left behind has gone with the old ids.
      failed.computeIfPresent(group, (index, in) -> in < version ? null : in);
      List<Entry> gone =
          entries.values().stream()
              .filter(
                  entry ->
                      entry.driver.stripe().group() == group
                          && entry.driver.hasFailed()
                          && entry.driver.version() < version)
              .toList();
      entries.values().removeAll(gone);
      gone.forEach(this::forgetReplaced);
    }
  }

  /** Recoveries of a group let their locks go, and writes continue without lost nodes. */
  void yieldNow(int group) {
    for (StripeDriver driver : of(group)) {
      try {
        driver.yieldNow();
      } catch (RuntimeException e) {
        driver.fail(new IOException("the protocol's client failed: " + e, e)); // but no other one
      }
    }
  }

  private synchronized List<StripeDriver> of(int group) {
    return entries.values().stream()
        .map(entry -> entry.driver)
        .filter(driver -> driver.stripe().group() == group)
        .toList();
  }

  private void release(Entry entry) {
    List<Entry> toRetire = new ArrayList<>();
    synchronized (this) {
      entry.users--;
      int tooMany = entries.size() - options.maxStripes();
      for (Entry eldest : entries.values()) {
        if (tooMany-- <= 0) {
          break;
        }
        if (eldest.users == 0 && !eldest.isRetiring) {
          eldest.isRetiring = true;
          toRetire.add(eldest);
        }
      }
    }
    toRetire.forEach(this::retire);
  }

  /**
   * A write has ended: now and then garbage is collected, of its stripe or of others.
   *
   * @param patches by data block
   */
  void written(StripeKey stripe, SortedMap<Integer, Patch> patches) {
    List<Entry> due = new ArrayList<>();
    synchronized (this) {
      Entry entry = entries.get(stripe);
      if (entry == null) {
        return;
      }
      entry.writes++;
      entry.isWrittenSinceLook = true;
      replacedBytes += entry.replaced.add(patches);
      replacing.add(entry);
      takeDue(entry, due);
      lookLater();
    }
    due.forEach(this::collect);
  }

  /** Under the lock. */
  private void lookLater() {
    if (isLookDue || replacing.isEmpty()) {
      return;
    }
    try {
      timers.schedule(this::collectIdle, IDLE_MS, TimeUnit.MILLISECONDS);
      isLookDue = true;
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed", e);
    }
  }

  /** A node may have no room for what the next write replaces, before there is less of this. */
  private void collectReplaced() {
    List<Entry> due = new ArrayList<>();
    synchronized (this) {
      // Cells of writes that have not ended, too: they may wait for each other's room.
      for (Entry entry : entries.values()) {
        if (!entry.isCollecting && entry.driver.uncollected() > 0) {
          take(entry, due);
        }
      }
    }
    due.forEach(this::collect);
  }

  private void collectIdle() {
    List<Entry> due = new ArrayList<>();
    synchronized (this) {
      isLookDue = false;
      for (Entry entry : List.copyOf(replacing)) {
        if (!entry.isWrittenSinceLook && !entry.isCollecting) {
          take(entry, due);
        }
        entry.isWrittenSinceLook = false;
      }
      lookLater();
    }
    // Of what is not written any more nothing is left on the nodes: no later write ends it.
    due.forEach(entry -> collect(entry, collectAll(entry.driver)));
  }

  /** Under the lock. */
  private void takeDue(Entry latest, List<Entry> due) {
    if (!latest.isCollecting && latest.writes >= options.collectAfter()) {
      take(latest, due);
    }
    // One that is being collected may have been written since: its turn comes when that has ended.
    Iterator<Entry> oldest = replacing.iterator();
    while (replacedBytes > maxReplacedBytes && oldest.hasNext()) {
      Entry next = oldest.next();
      if (!next.isCollecting) {
        oldest.remove();
        take(next, due);
      }
    }
  }

  private void take(Entry entry, List<Entry> due) {
    entry.isCollecting = true;
    entry.writes = 0;
    forgetReplaced(entry);
    due.add(entry);
  }

  private void collect(Entry entry) {
    collect(entry, entry.driver.collectGarbage());
  }

  private void collect(Entry entry, CompletableFuture<Void> rounds) {
    rounds.whenComplete(
        (done, failure) -> {
          List<Entry> due = new ArrayList<>();
          synchronized (this) {
            entry.isCollecting = false;
            takeDue(entry, due);
          }
          due.forEach(this::collect);
        });
  }

  private synchronized void forgetReplaced(Entry entry) {
    replacing.remove(entry);
    replacedBytes -= entry.replaced.clear();
  }

  /** Not while a recovery is under way: it may have to yield, and others wait for it. */
  private void retire(Entry entry) {
    collectAll(entry.driver)
        .thenCompose(collected -> entry.driver.whenIdle())
        .whenComplete(
            (done, failure) -> {
              synchronized (this) {
                entry.isRetiring = false;
                boolean hasFailed = entry.driver.hasFailed();
                if (entry.users == 0
                    && entries.get(entry.driver.stripe()) == entry
                    && (hasFailed || entry.driver.isFinished())) {
                  entries.remove(entry.driver.stripe());
                  forgetReplaced(entry);
                  if (hasFailed) {
                    left(entry.driver);
                  }
                }
              }
            });
  }

  /** Two rounds: what the first retires, the second discards. */
  private static CompletableFuture<Void> collectAll(StripeDriver driver) {
    if (driver.uncollected() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return driver.collectGarbage().thenCompose(first -> driver.collectGarbage());
  }

  /** Collects all garbage there is, and ends when nothing is under way. */
  CompletableFuture<Void> finish() {
    List<StripeDriver> all;
    synchronized (this) {
      all = entries.values().stream().map(entry -> entry.driver).toList();
    }
    return CompletableFuture.allOf(
        all.stream()
            .map(driver -> collectRest(driver).thenCompose(done -> driver.whenIdle()))
            .toArray(CompletableFuture[]::new));
  }

  /** A round may have been under way before the last write ended: then it takes one more. */
  private static CompletableFuture<Void> collectRest(StripeDriver driver) {
    if (driver.uncollected() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return driver.collectGarbage().thenCompose(done -> collectRest(driver));
  }

  /**
   * Nothing more is begun from now on.
   *
   * @return groups in which something that was begun has not ended on all nodes
   */
  synchronized Set<Integer> seal() {
    isSealed = true;
    Set<Integer> groups = new HashSet<>(failed.keySet());
    for (Entry entry : entries.values()) {
      // A user may be about to begin something.
      if (entry.users > 0 || !entry.driver.isFinished()) {
        LOG.log(
            Level.WARNING,
            "Closed while a stripe was unfinished: users="
                + entry.users
                + ", "
                + entry.driver.state());
        groups.add(entry.driver.stripe().group());
      }
    }
    return groups;
  }

  /** All that is under way fails. */
  void fail(IOException why) {
    List<StripeDriver> all;
    synchronized (this) {
      all = entries.values().stream().map(entry -> entry.driver).toList();
    }
    all.forEach(driver -> driver.fail(why));
  }

  /** For tests. */
  synchronized int size() {
    return entries.size();
  }
}
