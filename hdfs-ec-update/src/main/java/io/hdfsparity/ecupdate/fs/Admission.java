/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.client.NodeCalls;
import io.hdfsparity.ecupdate.client.UnitLocation;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has all replicas of a group admitted to updates: a node admits one before it lets its connection
 * in, so it is enough that each has answered something. Thread-safe.
 */
final class Admission {
  private static final System.Logger LOG = System.getLogger(Admission.class.getName());
  private static final long LEAVE_PATIENCE_MS = 10_000;

  private final NodeCalls calls;
  private final long patienceMs;

  Admission(NodeCalls calls, long patienceMs) {
    this.calls = calls;
    this.patienceMs = patienceMs;
  }

  /**
   * Returns when all are admitted.
   *
   * @throws IOException if some are not in good time, with why
   */
  void await(Collection<UnitLocation> units) throws IOException {
    Map<UnitLocation, String> troubles = new ConcurrentHashMap<>();
    CompletableFuture<?>[] all =
        units.stream().map(unit -> ask(unit, troubles)).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(all).get(patienceMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot have replicas admitted to updates: interrupted");
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          Refusal.to("have replicas admitted to updates")
              .value("ms", patienceMs)
              .expected("all of their group to be admitted by then")
              .where("trouble", troubles.values())
              .message(),
          e);
    }
  }

  /** Tells units that all that a session has changed has ended, everywhere. */
  void leave(Collection<UnitLocation> units, long session) {
    CompletableFuture<?>[] all =
        units.stream()
            .map(
                unit -> {
                  CompletableFuture<Reply> done = new CompletableFuture<>();
                  tell(unit, session, done);
                  return done;
                })
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(all)
          .get(Math.min(patienceMs, LEAVE_PATIENCE_MS), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.WARNING, "Some units still count as being updated: " + e);
    } finally {
      Arrays.stream(all).forEach(each -> each.cancel(false));
    }
  }

  private void tell(UnitLocation unit, long session, CompletableFuture<Reply> done) {
    calls.call(
        unit.node(),
        new SlotKey(unit.replica(), 0),
        new Request.Leave(session),
        new NodeCalls.Listener() {
          @Override
          public void answered(Reply reply) {
            done.complete(reply);
          }

          @Override
          public void lost(String why) {
            if (!done.isDone()) {
              tell(unit, session, done);
            }
          }

          @Override
          public void failed(String why) {
            done.completeExceptionally(new IOException(why));
          }

          @Override
          public void delayed(String why) {}
        });
  }

  private CompletableFuture<Reply> ask(UnitLocation unit, Map<UnitLocation, String> troubles) {
    CompletableFuture<Reply> done = new CompletableFuture<>();
    calls.call(
        unit.node(),
        new SlotKey(unit.replica(), 0),
        new Request.Probe(),
        new NodeCalls.Listener() {
          @Override
          public void answered(Reply reply) {
            troubles.remove(unit);
            done.complete(reply);
          }

          @Override
          public void lost(String why) {
            done.completeExceptionally(new IOException(why));
          }

          @Override
          public void failed(String why) {
            done.completeExceptionally(new IOException(why));
          }

          @Override
          public void delayed(String why) {
            troubles.put(unit, why);
          }
        });
    return done;
  }
}
