/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of stripes, as many at a time as the options allow, each aborted after a
 * timeout; and the session, renewed for as long as it is open. Thread-safe.
 */
final class StripeOperations implements Closeable, FileRecovery.Sessions {
  private static final System.Logger LOG = System.getLogger(StripeOperations.class.getName());
  private static final long LOOK_EVERY_MS = 1000;
  private static final long NEVER = Long.MIN_VALUE;

  /** More than all cells of many small writes, and far less than the heap of a DataNode. */
  private static final long MAX_REPLACED_BYTES = 32L << 20;

  private final StripeSession session;
  private final UpdaterOptions options;
  private final GroupLocations nodes;
  private final StripeDrivers drivers;
  private final ScheduledThreadPoolExecutor timers;
  private final ExecutorService mayBlock;
  private final OperationWindow window;
  private final AtomicLong lastWriteMs = new AtomicLong(NEVER);
  private final AtomicLong renewedNanos = new AtomicLong(System.nanoTime());
  private final AtomicBoolean isRenewing = new AtomicBoolean();
  private final AtomicBoolean isRenewalDue = new AtomicBoolean();
  private final AtomicBoolean isClosing = new AtomicBoolean();
  private volatile @Nullable SessionOverException over;
  private volatile boolean isClosed;

  StripeOperations(StripeSession session, NodeCalls calls, UpdaterOptions options, AjxOptions ajx) {
    this.session = session;
    this.options = options;
    timers = new ScheduledThreadPoolExecutor(options.threads(), daemons("ec-update-driver"));
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    mayBlock = Executors.newCachedThreadPool(daemons("ec-update-session"));
    window = new OperationWindow(options.maxOutstanding());
    nodes = new GroupLocations(session, calls, mayBlock, timers, LOOK_EVERY_MS, new Users());
    drivers = new StripeDrivers(session, options, ajx, nodes, timers, MAX_REPLACED_BYTES);
    long everyMs = session.terms().renewEveryMs();
    timers.scheduleWithFixedDelay(
        Timers.guarded(
            this::renewBeside,
            e -> LOG.log(Level.WARNING, "Cannot renew an update session; it is tried again", e)),
        everyMs,
        everyMs,
        TimeUnit.MILLISECONDS);
  }

  /** Is notified of groups; they are looked up after this was made. */
  private final class Users implements GroupLocations.Users {
    @Override
    public void over(SessionOverException why) {
      StripeOperations.this.over(why);
    }

    @Override
    public void restarted(int group, int version) {
      drivers.restart(group, version);
    }

    @Override
    public void yieldNow(int group) {
      drivers.yieldNow(group);
    }
  }

  private static ThreadFactory daemons(String name) {
    AtomicLong next = new AtomicLong();
    return task -> {
      Thread thread = new Thread(task, name + "-" + next.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  private void renewBeside() {
    if (isRenewing.compareAndSet(false, true)) {
      boolean begun = false;
      try {
        mayBlock.execute(this::renew);
        begun = true;
      } catch (RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "The updater is being closed", e);
      } finally {
        if (!begun) {
          isRenewing.set(false);
        }
      }
    }
  }

  private void renew() {
    long begunNanos = System.nanoTime();
    try {
      session.renew();
      renewedNanos.set(begunNanos);
    } catch (SessionOverException e) {
      over(e);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot renew an update session; it is tried again: " + e);
      renewSoon();
    } finally {
      isRenewing.set(false);
    }
  }

  /** A NameNode that has become active takes a session over for a while only. */
  private void renewSoon() {
    if (isClosed || !isRenewalDue.compareAndSet(false, true)) {
      return;
    }
    try {
      timers.schedule(
          () -> {
            isRenewalDue.set(false);
            renewBeside();
          },
          LOOK_EVERY_MS,
          TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed", e);
    }
  }

  /** Nothing that is under way can end any more. */
  private void over(SessionOverException why) {
    over = why;
    drivers.fail(why);
  }

  /**
   * Whether something may be begun.
   *
   * @throws IOException if not
   */
  @Override
  public void checkUsable() throws IOException {
    SessionOverException why = over;
    if (why != null) {
      throw new SessionOverException(String.valueOf(why.getMessage()), why);
    }
    if (isClosed) {
      throw new IOException("Cannot update: the updater is closed");
    }
    long agoMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - renewedNanos.get());
    if (agoMs > session.terms().lostAfterMs()) {
      throw new IOException(
          ErrorMessage.to("update in place")
              .value("last renewal of the session, ms ago", agoMs)
              .expected("<= " + session.terms().lostAfterMs() + ": open a new session")
              .message());
    }
  }

  CompletableFuture<Bytes> read(StripeKey stripe, int block, int offset, int lengthBytes)
      throws IOException {
    return run("read", stripe, block, driver -> driver.read(block, offset, lengthBytes));
  }

  /**
   * Writes to a stripe.
   *
   * @param patches by data block, not empty; the caller changes them no more
   */
  CompletableFuture<Bytes> write(StripeKey stripe, SortedMap<Integer, Patch> patches)
      throws IOException {
    List<SortedMap<Integer, Patch>> rounds =
        PatchRounds.split(patches, session.layout().codeOf(stripe));
    CompletableFuture<Bytes> last = writeRound(stripe, rounds.get(0));
    for (SortedMap<Integer, Patch> round : rounds.subList(1, rounds.size())) {
      last = last.thenCombine(writeRound(stripe, round), (before, after) -> after);
    }
    return last;
  }

  private CompletableFuture<Bytes> writeRound(StripeKey stripe, SortedMap<Integer, Patch> patches)
      throws IOException {
    wrote();
    return run(
        "write",
        stripe,
        driver ->
            driver
                .write(patches)
                .whenComplete(
                    (done, failure) -> {
                      wrote();
                      drivers.written(stripe, patches);
                    }));
  }

  /** When it begins, too: one that is aborted may be made later. */
  private void wrote() {
    lastWriteMs.accumulateAndGet(System.currentTimeMillis(), Math::max);
  }

  /** Several writes of one stripe: all of them, in this order. */
  CompletableFuture<Void> writeInTurn(StripeKey stripe, List<SortedMap<Integer, Patch>> rounds)
      throws IOException {
    List<CompletableFuture<Bytes>> writes = new ArrayList<>();
    for (SortedMap<Integer, Patch> round : rounds) {
      writes.add(write(stripe, round));
    }
    return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
  }

  @Override
  public StripeSession.OtherSessions noted(int group) throws IOException {
    nodes.require(group);
    return session.noted(group);
  }

  @Override
  public void crossOut(int group, Set<Long> over) throws IOException {
    session.crossOut(group, over);
  }

  CompletableFuture<Boolean> probe(StripeKey stripe) throws IOException {
    return run("probe", stripe, StripeDriver::probe);
  }

  CompletableFuture<Void> collectGarbage(StripeKey stripe) throws IOException {
    return run("collect garbage", stripe, StripeDriver::collectGarbage);
  }

  /**
   * Looks whether all units of a stripe fit together.
   *
   * @param waitMs as in {@link StripeVerifier}
   */
  Future<Optional<StripeFinding>> verify(StripeKey stripe, long waitMs) {
    return mayBlock.submit(
        () -> new StripeVerifier(session.layout(), nodes, waitMs).verify(stripe));
  }

  private <T> CompletableFuture<T> run(
      String doing, StripeKey stripe, Function<StripeDriver, CompletableFuture<T>> action)
      throws IOException {
    return run(doing, stripe, OperationWindow.Kind.SEVERAL_UNITS, action);
  }

  private <T> CompletableFuture<T> run(
      String doing, StripeKey stripe, int unit, Function<StripeDriver, CompletableFuture<T>> action)
      throws IOException {
    OperationWindow.Place place = enter(doing, stripe, unit);
    AtomicReference<StripeDriver> used = new AtomicReference<>();
    CompletableFuture<T> real;
    try {
      real =
          drivers.with(
              stripe,
              driver -> {
                used.set(driver);
                return action.apply(driver);
              });
    } catch (RejectedExecutionException e) {
      place.leave();
      throw new IOException("Cannot " + doing + " " + stripe + ": the updater was closed", e);
    } catch (IOException | RuntimeException | Error e) {
      place.leave();
      throw e;
    }
    real.whenComplete((result, failure) -> place.leave());
    CompletableFuture<T> answer = real.copy();
    Runnable giveUp =
        () -> {
          // Before others learn of it, and make it again.
          place.abandon();
          answer.completeExceptionally(late(doing, stripe, trouble(used.get())));
        };
    try {
      Future<?> timer = timers.schedule(giveUp, options.operationMs(), TimeUnit.MILLISECONDS);
      answer.whenComplete((result, failure) -> timer.cancel(false));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed, which ends the operation", e);
    }
    return answer;
  }

  private static String trouble(@Nullable StripeDriver driver) {
    return driver == null ? "" : driver.trouble();
  }

  private OperationWindow.Place enter(String doing, StripeKey stripe, int unit) throws IOException {
    OperationWindow.Kind kind = new OperationWindow.Kind(doing, stripe.group(), unit);
    try {
      OperationWindow.Place place = window.enter(kind, options.operationMs());
      if (place == null) {
        throw late(doing, stripe, "operations that have not ended: " + window.state(kind));
      }
      return place;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("Cannot " + doing);
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private IOException late(String doing, StripeKey stripe, String trouble) {
    return new IOException(
        ErrorMessage.to(doing + " " + stripe)
            .value("ms", options.operationMs())
            .expected("an end by then; it is not known what was done")
            .where("last trouble", trouble.isEmpty() ? "none" : trouble)
            .message());
  }

  int stripes() {
    return drivers.size();
  }

  /** Whether the caller is the one to close. */
  boolean beginClosing() {
    return isClosing.compareAndSet(false, true);
  }

  /**
   * What waits for a lost node continues when its group has been healed: it is waited for as long
   * as groups are, and then for an operation's time.
   */
  private void finish() throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Void> finished = drivers.finish();
    boolean goesOn = true;
    while (!finished.isDone()) {
      int written = nodes.rewrites();
      try {
        finished.get(options.operationMs(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        CompletableFuture<Void> healing = nodes.healings().underWay();
        if (!goesOn || healing.isDone() && nodes.rewrites() == written) {
          throw e;
        }
        CompletableFuture.anyOf(finished, healing).get();
        goesOn = nodes.rewrites() > written;
      }
    }
    finished.get();
  }

  /** What it has locked is released before the session ends: as it was, not as after a crash. */
  private void stopHealing() {
    try {
      nodes.healings().stop().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("The end of a healing never fails", e);
    }
  }

  /**
   * Collects garbage, if nodes let us in good time, and ends the session. Groups that are being
   * healed for something that is under way are waited for.
   */
  @Override
  public void close() throws IOException {
    isClosed = true;
    try {
      finish();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Others find what is left, as that of a client that has crashed.
      LOG.log(Level.WARNING, "Left garbage behind when an updater was closed: " + e);
    }
    stopHealing();
    Set<Integer> unfinished = drivers.seal();
    timers.shutdownNow();
    // No reply, back-off or timeout ends them any more.
    drivers.fail(new IOException("the updater was closed"));
    mayBlock.shutdown();
    session.leave(unfinished);
    long wroteMs = lastWriteMs.get();
    session.end(wroteMs == NEVER ? OptionalLong.empty() : OptionalLong.of(wroteMs));
  }
}
