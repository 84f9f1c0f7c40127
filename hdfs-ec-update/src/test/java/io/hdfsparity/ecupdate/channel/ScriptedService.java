/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A service whose requests can be held up, to see what the channel does meanwhile. A read of n
 * bytes is answered by n zeros; what the offset means see the constants.
 */
final class ScriptedService implements SlotService {
  /** Offsets of reads that mean something. */
  static final int HELD = 1000;

  static final int REFUSED = 1001;
  static final int BROKEN = 1002;
  static final int NEVER_DURABLE = 1003;

  /** As {@link #HELD}, but answered later: no worker waits. */
  static final int DURABLE_LATER = 1004;

  /** Of each replica. */
  static final int STRIPES = 100_000;

  /** A lock that somebody else has. */
  static final long DENIED = 77;

  /** As many held requests go on as there are permits. */
  final Semaphore permits = new Semaphore(0);

  final AtomicInteger holding = new AtomicInteger();
  final AtomicInteger executed = new AtomicInteger();
  final AtomicInteger passes = new AtomicInteger();
  final List<Long> expired = new CopyOnWriteArrayList<>();

  @Override
  public CompletableFuture<Reply> handle(SlotKey slot, Request request, BooleanSupplier isPermitted)
      throws IOException, InterruptedException {
    if (request instanceof Request.TryLock lock) {
      if (slot.stripe() >= STRIPES) {
        throw new IllegalArgumentException("Cannot serve a slot: stripe=" + slot.stripe());
      } else if (lock.caller().recovery() == DENIED) {
        return CompletableFuture.completedFuture(new Reply.LockReply(false, LockMode.L1));
      }
      return CompletableFuture.completedFuture(new Reply.LockReply(true, LockMode.UNL));
    } else if (request instanceof Request.Read read) {
      switch (read.offset()) {
        case HELD -> {
          holding.incrementAndGet();
          permits.acquire();
          holding.decrementAndGet();
        }
        case REFUSED -> throw new IllegalArgumentException("Cannot read: offset=1001");
        case BROKEN -> throw new IOException("Cannot serve updates: the disk is gone");
        case NEVER_DURABLE -> {
          return CompletableFuture.failedFuture(new IOException("the log is gone"));
        }
        case DURABLE_LATER -> {
          return CompletableFuture.supplyAsync(
              () -> {
                permits.acquireUninterruptibly();
                return new Reply.ReadReply(Bytes.zeros(read.lengthBytes()), LockMode.UNL);
              },
              task -> new Thread(task, "later").start());
        }
        default -> {}
      }
      executed.incrementAndGet();
      return CompletableFuture.completedFuture(
          new Reply.ReadReply(Bytes.zeros(read.lengthBytes()), LockMode.UNL));
    }
    executed.incrementAndGet();
    return CompletableFuture.completedFuture(new Reply.Done());
  }

  @Override
  public void expireLocks(List<HeldLock> locks) {
    passes.incrementAndGet();
    locks.forEach(each -> expired.add(each.lock().client()));
  }
}
