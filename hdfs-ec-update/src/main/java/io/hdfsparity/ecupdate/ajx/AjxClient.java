/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client of AJX for one stripe: a state machine fed with calls of its user, replies, losses and
 * timers. Each input returns what is to be done; the machine itself sends nothing, waits for
 * nothing and reads no clock.
 *
 * <p>At most {@code cellsAtOnce} data blocks of the stripe are being written at any time; other
 * writes queue in order. The theorems count crashed clients, each with one unfinished write. Reads,
 * garbage collection, probes and at most one recovery continue beside it.
 *
 * <p>Not thread-safe. A machine that is not called any more is a crashed client.
 */
public final class AjxClient {
  private final long clientId;
  private final StripeCode code;
  private final AjxOptions options;
  private final Calls calls = new Calls();
  private final GarbageLists garbage;
  private final Deque<StripeWrite> writes = new ArrayDeque<>();
  private final Monitor monitor;
  private @Nullable Recovery recovery;
  private boolean isCollecting;
  private boolean isProbing;
  private long nextSequence;
  private long nextRecovery;

  /**
   * A client.
   *
   * @param clientId this incarnation of the client, never used before: tids are built from it
   * @throws IllegalArgumentException if the mode of adds does not survive the failures demanded
   */
  public AjxClient(long clientId, StripeCode code, AjxOptions options) {
    this.clientId = clientId;
    this.code = code;
    this.options = options;
    options.requirePermitted(code.shape());
    garbage = new GarbageLists(code.shape());
    monitor = new Monitor(this);
  }

  /** READ (Fig. 4); ends with {@link Output.ReadDone}. */
  public List<Output> read(long operation, int block, int offset, int lengthBytes) {
    Checks.index("read", "block", block, shape().dataBlocks());
    new ReadOperation(this, operation, block, offset, lengthBytes).start();
    return calls.drain();
  }

  /** WRITE (Fig. 5); ends with {@link Output.WriteDone}. */
  public List<Output> write(long operation, int block, Patch patch) {
    return write(operation, new TreeMap<>(Map.of(block, patch)));
  }

  /**
   * WRITE of several data blocks, as many at a time as the options allow. No more atomic than that
   * many writes: readers may see some of them done and some not.
   *
   * @param patches by data block, at least one
   */
  public List<Output> write(long operation, SortedMap<Integer, Patch> patches) {
    Checks.argument(!patches.isEmpty(), "write", "patches", patches, "at least one");
    patches.keySet().forEach(b -> Checks.index("write", "block", b, shape().dataBlocks()));
    StripeWrite write = new StripeWrite(this, operation, patches);
    writes.add(write);
    if (writes.size() == 1) {
      write.start();
    }
    return calls.drain();
  }

  /**
   * One round of garbage collection (Fig. 7); ends with {@link Output.GarbageCollected}. No effect
   * while one is under way.
   */
  public List<Output> collectGarbage() {
    if (!isCollecting) {
      isCollecting = true;
      new GarbageCollection(this, garbage).start();
    }
    return calls.drain();
  }

  /**
   * Looks at all nodes for unfinished writes and lost blocks (section 3.10); ends with {@link
   * Output.Probed}. No effect while one is under way.
   */
  public List<Output> probe() {
    if (!isProbing) {
      isProbing = true;
      monitor.start();
    }
    return calls.drain();
  }

  /** Begins a recovery unless one is under way; ends with {@link Output.RecoveryEnded}. */
  public List<Output> recover() {
    startRecovery();
    return calls.drain();
  }

  /**
   * A recovery that is under way, if there is one, lets its locks go: for when a node has gone that
   * it needs, and another client waits for the locks. What it has begun is left as by a client that
   * has crashed. It ends, with {@link Output.RecoveryEnded}, when all nodes have heard that it
   * does; until then no other one begins.
   *
   * <p>A write that is under way continues as far as it can without the nodes that do not answer:
   * the other client may need what it has to add to those that do (ADR 0023). May be called again
   * and again.
   */
  public List<Output> yieldNow() {
    if (recovery != null) {
      recovery.yieldNow();
    }
    StripeWrite write = writes.peek();
    if (write != null) {
      write.yieldNow();
    }
    return calls.drain();
  }

  /** A node has answered. */
  public List<Output> onReply(long call, Reply reply) {
    calls.onReply(call, reply);
    return calls.drain();
  }

  /**
   * It is not known whether a request was executed, and the transport has made sure that it will
   * not be from now on. It is sent again later.
   */
  public List<Output> onLost(long call) {
    calls.onLost(call);
    return calls.drain();
  }

  /** A back-off is over. */
  public List<Output> onTimer(long timer) {
    calls.onTimer(timer);
    return calls.drain();
  }

  /** Whether no operation is under way. */
  public boolean isIdle() {
    return calls.isIdle();
  }

  /** Completed writes that await garbage collection, over all nodes. */
  public int uncollected() {
    return garbage.size();
  }

  Shape shape() {
    return code.shape();
  }

  StripeCode code() {
    return code;
  }

  AjxOptions options() {
    return options;
  }

  Calls calls() {
    return calls;
  }

  GarbageLists garbage() {
    return garbage;
  }

  Tid nextTid(int block) {
    return new Tid(clientId, nextSequence++, block);
  }

  /** Fig. 6 line 1. */
  void startRecovery() {
    if (recovery == null) {
      recovery = new Recovery(this, new LockId(clientId, nextRecovery++));
      recovery.start();
    }
  }

  void recoveryEnded(Output.RecoveryResult result, String detail) {
    recovery = null;
    calls.emit(new Output.RecoveryEnded(result, detail));
  }

  void writeEnded(StripeWrite write) {
    Checks.state(writes.peek() == write, "end a write", "write", write, "the one under way");
    writes.remove();
    calls.emit(new Output.WriteDone(write.operation()));
    StripeWrite next = writes.peek();
    if (next != null) {
      next.start();
    }
  }

  void collected() {
    isCollecting = false;
    calls.emit(new Output.GarbageCollected());
  }

  void probed(boolean isHealthy) {
    isProbing = false;
    calls.emit(new Output.Probed(isHealthy));
  }
}
