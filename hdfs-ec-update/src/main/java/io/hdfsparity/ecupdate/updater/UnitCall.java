/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Reply;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to a unit, sent again when it was lost for as long as somebody waits: so it must be
 * one that may be asked twice. Thread-safe.
 */
final class UnitCall implements NodeCalls.Listener {
  private static final int PAUSE_MS = 50;
  private static final int MAX_PAUSE_MS = 1000;
  private static final int MIN_WAIT_MS = 1000;

  private final String stripe;
  private final int unit;
  private final String node;
  private final Consumer<Optional<Reply>> whenLate;
  private final BooleanSupplier isOfUse;
  private final AtomicInteger timesLost = new AtomicInteger();
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private Runnable send = () -> {};
  private volatile String trouble = "none";

  /**
   * Not sent yet.
   *
   * @param isOfUse asked each time before it is sent
   */
  UnitCall(
      String stripe,
      int unit,
      String node,
      Consumer<Optional<Reply>> whenLate,
      BooleanSupplier isOfUse) {
    this.stripe = stripe;
    this.unit = unit;
    this.node = node;
    this.whenLate = whenLate;
    this.isOfUse = isOfUse;
  }

  static UnitCall answered(String stripe, int unit, Reply answer) {
    UnitCall call = new UnitCall(stripe, unit, "nobody", late -> {}, () -> true);
    call.answered(answer);
    return call;
  }

  /** Sends it the first time; once. */
  void sendBy(Runnable sender) {
    send = sender;
    sendIfOfUse();
  }

  private void sendIfOfUse() {
    if (isOfUse.getAsBoolean()) {
      send.run();
    } else {
      failed("it is of no use any more; last trouble: " + trouble);
    }
  }

  /**
   * Waits; a second at least. Nobody waits for it any more afterwards.
   *
   * @throws IOException if there is no answer by then, or the node refuses
   */
  Reply await(long endNanos) throws IOException, InterruptedException {
    try {
      return awaitNow(endNanos);
    } finally {
      giveUp();
    }
  }

  /** Whether it has ended, also with no answer; waits for that. */
  boolean hasEndedWithin(long ms) throws InterruptedException {
    try {
      reply.get(ms, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | CancellationException e) {
      return true; // whoever waits for the answer is notified
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** As {@link #await}, but somebody may wait again. */
  Reply awaitNow(long endNanos) throws IOException, InterruptedException {
    try {
      return reply.get(waitMs(endNanos), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      throw new IOException(
          ErrorMessage.to("read " + stripe)
              .value("unit", unit)
              .expected("an answer of " + node)
              .where("last trouble", trouble)
              .message(),
          e);
    }
  }

  /**
   * Tells on another thread how it ended: with an answer, or with an exception where {@link #await}
   * would have thrown one.
   */
  void whenDone(long endNanos, BiConsumer<@Nullable Reply, @Nullable Throwable> listener) {
    reply.orTimeout(waitMs(endNanos), TimeUnit.MILLISECONDS);
    whenDone(listener);
  }

  /** As {@link #whenDone(long, BiConsumer)}, however long it takes. */
  void whenDone(BiConsumer<@Nullable Reply, @Nullable Throwable> listener) {
    // Never on the caller's thread: thousands that end at once would be as many calls deep.
    reply.whenCompleteAsync(listener);
  }

  private static long waitMs(long endNanos) {
    return Math.max(MIN_WAIT_MS, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()));
  }

  /** Nobody waits for it any more. It may still be executed. */
  void giveUp() {
    reply.cancel(false);
  }

  @Override
  public void answered(Reply answer) {
    if (!reply.complete(answer)) {
      whenLate.accept(Optional.of(answer));
    }
  }

  @Override
  public void lost(String why) {
    trouble = why;
    int pauseMs = Math.min(MAX_PAUSE_MS, PAUSE_MS << Math.min(timesLost.getAndIncrement() / 4, 10));
    CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              if (reply.isDone()) {
                whenLate.accept(Optional.empty());
              } else {
                sendIfOfUse();
              }
            });
  }

  @Override
  public void failed(String why) {
    trouble = why;
    reply.completeExceptionally(new IOException(why));
  }

  @Override
  public void delayed(String why) {
    trouble = why;
  }
}
