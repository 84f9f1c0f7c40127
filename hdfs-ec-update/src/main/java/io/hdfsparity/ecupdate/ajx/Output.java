/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.List;

/** What the driver of an {@link AjxClient} must do, or may tell its user. Immutable. */
public sealed interface Output {
  /**
   * Send a request; answer with {@link AjxClient#onReply} or {@link AjxClient#onLost}.
   *
   * @param call names this sending
   * @param node index of the block in the stripe
   */
  record Send(long call, int node, Request request) implements Output {}

  /** Send one request to several nodes, with one message if the network can. */
  record Broadcast(List<Send> sends) implements Output {
    public Broadcast {
      sends = List.copyOf(sends);
    }
  }

  /**
   * Call {@link AjxClient#onTimer} after a back-off; the driver chooses how long, longer and more
   * random the higher the attempt.
   *
   * @param attempt counts from 1
   */
  record StartTimer(long timer, int attempt) implements Output {}

  /** A read has ended. */
  record ReadDone(long operation, Bytes bytes) implements Output {}

  /** A write is durable on all its blocks. */
  record WriteDone(long operation) implements Output {}

  /** Both phases of a garbage collection have ended. */
  record GarbageCollected() implements Output {}

  /**
   * The monitor has looked at all nodes.
   *
   * @param isHealthy whether nothing had to be recovered
   */
  record Probed(boolean isHealthy) implements Output {}

  /** How a recovery of this client ended. */
  enum RecoveryResult {
    /** All blocks are consistent, in a new epoch. */
    RECOVERED,
    /** Another client held a lock, and recovers. */
    YIELDED,
    /** Locks were lost on the way; what was left is expired, and somebody must start over. */
    FENCED,
    /** No consistent set was found in good time, or none exists any more; locks are expired. */
    STUCK
  }

  /**
   * A recovery has ended.
   *
   * @param detail for people
   */
  record RecoveryEnded(RecoveryResult result, String detail) implements Output {}
}
