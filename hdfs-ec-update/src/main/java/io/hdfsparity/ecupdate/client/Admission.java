/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has all replicas of a group admitted to updates: a node admits one before it lets its connection
 * in, so it is enough that each has answered something. Thread-safe.
 */
final class Admission {
  private static final System.Logger LOG = System.getLogger(Admission.class.getName());
  private static final long LEAVE_TIMEOUT_MS = 10_000;
  private static final long LEAVE_LOOK_MS = 500;
  private static final long AGAIN_MS = 100;

  /** A connection may break, as at a failover; who cannot use a file is to learn so soon. */
  private static final int PROBES = 5;

  private final NodeCalls calls;
  private final long timeoutMs;
  private final long leaveTimeoutMs;
  private final long leaveLookMs;

  Admission(NodeCalls calls, long timeoutMs) {
    this(calls, timeoutMs, Math.min(timeoutMs, LEAVE_TIMEOUT_MS), LEAVE_LOOK_MS);
  }

  /**
   * With other times than usual.
   *
   * @param leaveTimeoutMs how long units are notified that a session leaves
   * @param leaveLookMs after which the session is looked at
   */
  Admission(NodeCalls calls, long timeoutMs, long leaveTimeoutMs, long leaveLookMs) {
    this.calls = calls;
    this.timeoutMs = timeoutMs;
    this.leaveTimeoutMs = leaveTimeoutMs;
    this.leaveLookMs = leaveLookMs;
  }

  /**
   * Returns when all are admitted.
   *
   * @throws GroupRetiredException if one never will be
   * @throws IOException if some are not in good time, with why
   */
  void await(Collection<UnitLocation> units) throws IOException {
    askAll(units, new Request.Probe(), "have replicas admitted to updates", timeoutMs);
  }

  /**
   * Asks all units something that may be done twice; what was lost is asked again.
   *
   * @throws IOException if some have not answered in good time, with why
   */
  Map<UnitLocation, Reply> askAll(Collection<UnitLocation> units, Request request, String doing)
      throws IOException {
    return askAll(units, request, doing, timeoutMs);
  }

  private Map<UnitLocation, Reply> askAll(
      Collection<UnitLocation> units, Request request, String doing, long waitMs)
      throws IOException {
    Map<UnitLocation, Reply> replies = new ConcurrentHashMap<>();
    Map<UnitLocation, String> troubles = new ConcurrentHashMap<>();
    List<CompletableFuture<Reply>> asked = new ArrayList<>();
    for (UnitLocation unit : units) {
      CompletableFuture<Reply> done = new CompletableFuture<>();
      asked.add(done);
      done.thenAccept(reply -> replies.put(unit, reply));
      call(unit, request, done, troubles, 1);
    }
    CompletableFuture<Void> ended = all(asked);
    // Of what the others say nothing would come any more.
    asked.forEach(each -> each.whenComplete((reply, e) -> endIfRetired(ended, e)));
    try {
      ended.get(waitMs, TimeUnit.MILLISECONDS);
      return replies;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot " + doing + ": interrupted");
    } catch (ExecutionException | TimeoutException e) {
      if (e.getCause() instanceof GroupRetiredException retired) {
        throw new GroupRetiredException(String.valueOf(retired.getMessage()));
      }
      throw new IOException(
          ErrorMessage.to(doing)
              .value("ms", waitMs)
              .expected("an answer of all units by then")
              .where("trouble", troubles.values())
              .message(),
          e);
    } finally {
      asked.forEach(each -> each.cancel(false));
    }
  }

  private static void endIfRetired(CompletableFuture<Void> ended, @Nullable Throwable failure) {
    if (failure instanceof GroupRetiredException) {
      ended.completeExceptionally(failure);
    }
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Reply>> each) {
    return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
  }

  /**
   * Tells units that all that a session has changed has ended, everywhere.
   *
   * @param isOver asked, beside, when they do not answer at once: of a session that is over no unit
   *     hears anything
   */
  void leave(Collection<UnitLocation> units, long session, BooleanSupplier isOver) {
    Map<UnitLocation, String> troubles = new ConcurrentHashMap<>();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (UnitLocation unit : units) {
      CompletableFuture<Reply> done = new CompletableFuture<>();
      replies.add(done);
      call(unit, new Request.Leave(session), done, troubles, 1);
    }
    CompletableFuture<Void> over = new CompletableFuture<>();
    CompletableFuture<Void> left = all(replies);
    try {
      left.copy()
          .exceptionally(failure -> null)
          .completeOnTimeout(null, leaveLookMs, TimeUnit.MILLISECONDS)
          .get();
      if (!left.isDone()) {
        beside(
            () -> {
              if (isOver.getAsBoolean()) {
                over.completeExceptionally(new IOException("the session is over"));
              }
            });
      }
      CompletableFuture.anyOf(left, over).get(leaveTimeoutMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "Some units still count as being updated, until hdfs ecupdate -recover: "
              + e
              + ", "
              + troubles.values());
    } finally {
      replies.forEach(each -> each.cancel(false));
    }
  }

  /** It may ask a NameNode that does not answer, for longer than anybody waits for it. */
  private static void beside(Runnable task) {
    Thread thread = new Thread(task, "ec-update-leave");
    thread.setDaemon(true);
    thread.start();
  }

  private void call(
      UnitLocation unit,
      Request request,
      CompletableFuture<Reply> done,
      Map<UnitLocation, String> troubles,
      int attempt) {
    int most = request instanceof Request.Probe ? PROBES : Integer.MAX_VALUE;
    calls.call(
        unit.node(),
        new SlotKey(unit.replica(), 0),
        request,
        new NodeCalls.Listener() {
          @Override
          public void answered(Reply reply) {
            troubles.remove(unit);
            done.complete(reply);
          }

          @Override
          public void lost(String why) {
            troubles.put(unit, why);
            if (attempt == most) {
              done.completeExceptionally(new IOException(why));
              return;
            }
            CompletableFuture.delayedExecutor(AGAIN_MS, TimeUnit.MILLISECONDS)
                .execute(
                    () -> {
                      if (!done.isDone()) {
                        call(unit, request, done, troubles, attempt + 1);
                      }
                    });
          }

          @Override
          public void failed(String why) {
            troubles.put(unit, why);
            done.completeExceptionally(new IOException(why));
          }

          @Override
          public void retired(String why) {
            if (request instanceof Request.Leave) {
              answered(new Reply.Done()); // it lets nobody in, and remembers nobody
              return;
            }
            troubles.put(unit, why);
            done.completeExceptionally(new GroupRetiredException(why));
          }

          @Override
          public void delayed(String why) {
            troubles.put(unit, why);
          }
        });
  }
}
