/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.ecupdate.ajx.Output.RecoveryResult;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * {@code recover()} of Fig. 6; line numbers in comments are those of the figure.
 *
 * <pre>
 *   LOCK 0, 1, .. n-1 --held by another--&gt; release --&gt; YIELDED
 *     | all L1
 *     v
 *   READ all --some RECONS, some ahead of it--&gt; ROLL FORWARD --&gt; READ all
 *     |      \-some RECONS, none ahead-------&gt; RECONSTRUCT from its set
 *     | none RECONS
 *     v
 *   consistent set large enough? --yes--&gt; RECONSTRUCT --all--&gt; FINALIZE --&gt; RECOVERED
 *     | no                                    ^
 *     v                                       | still large enough
 *   WEAKEN to L0 --&gt; POLL parities --large enough--&gt; STRENGTHEN to L1
 *     ^                                       | no
 *     +---------------------------------------+
 * </pre>
 *
 * Polls in which nothing happens any more are counted: beyond {@code stuckAfter} more writers are
 * gone than was demanded to be survived, and k blocks that fit together have to do.
 *
 * <p>It may be asked to yield. While it locks, it releases what it has as it was, and what it is
 * granted still; from then on until FINALIZE it ends as if a lock had been lost.
 *
 * <p>A node that says that the lock is not ours any more ends it from any state before FINALIZE:
 * the other locks are set to EXP, which is what a crash of this client would have led to, and the
 * next recovery continues from there.
 */
final class Recovery {
  private enum Phase {
    LOCKING,
    HOLDING,
    ENDING
  }

  /**
   * Pauses between polls grow up to that of this attempt, mean 16 ms in {@code StripeDriver}: a
   * writer that a collection of garbage stops for a second is not gone.
   */
  private static final int MAX_PAUSE_ATTEMPT = 5;

  private final AjxClient client;
  private final Calls calls;
  private final Shape shape;
  private final LockId id;
  private final List<LockMode> previousModes = new ArrayList<>();

  /** The paper's data[]. */
  private final List<StateReply> states = new ArrayList<>();

  private SortedSet<Integer> consistent = new TreeSet<>();
  private int waiting;
  private boolean isFenced;
  private Phase phase = Phase.LOCKING;
  private Calls.Scope scope = new Calls.Scope();
  private int polls;

  /** What the nodes said at the last poll of writes that are not ended. */
  private List<Set<Tid>> lastRecent = List.of();

  /** More writers are gone than the bound allows: it has to do without room for a lost node. */
  private boolean isBeyondBound;

  Recovery(AjxClient client, LockId id) {
    this.client = client;
    this.id = id;
    calls = client.calls();
    shape = client.shape();
  }

  void start() {
    lock(0);
  }

  // Phase 1.

  /** Lines 2 to 4: in order, so that two recoveries cannot wait for each other. */
  private void lock(int node) {
    calls.call(
        node,
        new Request.TryLock(LockMode.L1, id),
        reply -> {
          Reply.LockReply lock = (Reply.LockReply) reply;
          if (phase != Phase.LOCKING) {
            yieldLate(node, lock);
            return;
          }
          if (!lock.isGranted()) {
            release();
            return;
          }
          previousModes.add(lock.previous());
          if (previousModes.size() < shape.blocks()) {
            lock(node + 1);
          } else {
            phase = Phase.HOLDING;
            readAll();
          }
        });
  }

  /** Lines 4 and 5. */
  private void release() {
    phase = Phase.ENDING;
    if (previousModes.isEmpty()) {
      client.recoveryEnded(RecoveryResult.YIELDED, "another client recovers");
      return;
    }
    waiting = previousModes.size();
    yieldAll();
  }

  private void yieldAll() {
    for (int node = 0; node < previousModes.size(); node++) {
      yieldLock(node, previousModes.get(node));
    }
  }

  private void yieldLock(int node, LockMode previous) {
    calls.call(node, new Request.SetLock(previous, id), reply -> yielded());
  }

  private void yielded() {
    if (--waiting == 0) {
      client.recoveryEnded(RecoveryResult.YIELDED, "another client recovers");
    }
  }

  /** One node was still being asked for its lock when this recovery was asked to yield. */
  private void yieldLate(int node, Reply.LockReply lock) {
    if (lock.isGranted()) {
      yieldLock(node, lock.previous());
    } else {
      yielded();
    }
  }

  /** See {@link AjxClient#yieldNow}. */
  void yieldNow() {
    if (phase == Phase.LOCKING) {
      phase = Phase.ENDING;
      waiting = previousModes.size() + 1;
      yieldAll();
    } else if (phase == Phase.HOLDING) {
      // What is still executed of this afterwards finds that the lock is not ours.
      scope.giveUp();
      scope = new Calls.Scope();
      abort(RecoveryResult.FENCED, "another client waits for the locks");
    }
  }

  // Phase 2.

  /** Line 7. */
  private void readAll() {
    states.clear();
    for (int node = 0; node < shape.blocks(); node++) {
      states.add(null);
    }
    isFenced = false;
    waiting = shape.blocks();
    for (int node = 0; node < shape.blocks(); node++) {
      readState(node, this::choose);
    }
  }

  private void readState(int node, Runnable next) {
    calls.call(
        node,
        new Request.GetState(id),
        reply -> {
          if (reply instanceof StateReply state) {
            states.set(node, state);
          } else {
            isFenced = true;
          }
          answered(next);
        },
        scope);
  }

  /** Lines 8 to 10, with what ADR 0010 says about a recovery that crashed while finalizing. */
  private void choose() {
    List<Integer> written = nodesIn(OpMode.RECONS);
    if (written.isEmpty()) {
      consistent = ConsistentSets.find(shape, states);
      reconstructOrWeaken();
      return;
    }
    long target = Long.MAX_VALUE;
    for (int node : written) {
      target = Math.min(target, states.get(node).targetEpoch());
    }
    long ahead = -1;
    for (StateReply state : states) {
      if (state.opMode() == OpMode.NORM && state.epoch() >= target) {
        ahead = Math.max(ahead, state.epoch());
      }
    }
    if (ahead >= 0) {
      rollForward(written, ahead);
      return;
    }
    consistent = new TreeSet<>(written);
    for (int member : states.get(written.get(0)).consistentSet()) {
      if (states.get(member).opMode() != OpMode.INIT) {
        consistent.add(member);
      }
    }
    reconstruct();
  }

  /**
   * Some node has ended the crashed recovery, so all blocks were written, and that node may have
   * served writes since: what is left of it is to be ended too, and then examined again.
   */
  private void rollForward(List<Integer> nodes, long epoch) {
    ask(
        nodes,
        node -> new Request.FinalizeRecovery(epoch, Request.LockAfter.KEPT, id),
        this::readAll);
  }

  private List<Integer> nodesIn(OpMode mode) {
    return IntStream.range(0, shape.blocks())
        .filter(node -> states.get(node).opMode() == mode)
        .boxed()
        .toList();
  }

  /**
   * Lines 12 and 13. Never fewer than k, however many nodes are lost. Exactly k would do while none
   * is lost until this recovery has ended.
   */
  private boolean isLargeEnough() {
    int slack =
        isBeyondBound
            ? 0
            : client.options().demanded().storageNodes() - nodesIn(OpMode.INIT).size();
    return consistent.size() >= shape.dataBlocks() + Math.max(0, slack);
  }

  private List<Integer> parities() {
    return IntStream.range(shape.dataBlocks(), shape.blocks()).boxed().toList();
  }

  /** Line 14. */
  private void weaken() {
    ask(parities(), node -> new Request.SetLock(LockMode.L0, id), this::poll);
  }

  /**
   * Lines 15 to 18. Beside the parity blocks the data blocks are asked too: if one is lost, its
   * writers start over and never end the adds that are waited for here.
   */
  private void poll() {
    isFenced = false;
    waiting = shape.blocks();
    for (int node = 0; node < shape.dataBlocks(); node++) {
      calls.call(
          node,
          new Request.GetRecent(LockMode.L1, id),
          reply -> {
            isFenced |= !(reply instanceof Reply.RecentReply);
            answered(this::judge);
          },
          scope);
    }
    for (int node : parities()) {
      readState(node, this::judge);
    }
  }

  private void judge() {
    consistent = ConsistentSets.find(shape, states);
    List<Set<Tid>> recent = parities().stream().map(n -> states.get(n).recentList()).toList();
    if (!recent.equals(lastRecent)) {
      lastRecent = recent;
      polls = 0;
      isBeyondBound = false;
    }
    if (++polls >= client.options().stuckAfter()) {
      isBeyondBound = true;
    }
    if (isLargeEnough()) {
      strengthen();
    } else if (isBeyondBound) {
      abort(
          RecoveryResult.STUCK,
          "consistent=" + consistent + " after " + polls + " polls, states=" + states);
    } else {
      calls.after(Math.min(polls, MAX_PAUSE_ATTEMPT), this::poll, scope);
    }
  }

  /** Lines 19 and 20. */
  private void strengthen() {
    isFenced = false;
    waiting = shape.parityBlocks();
    for (int node : parities()) {
      calls.call(
          node,
          new Request.GetRecent(LockMode.L1, id),
          reply -> onStrengthened(node, reply),
          scope);
    }
  }

  private void onStrengthened(int node, Reply reply) {
    if (reply instanceof Reply.RecentReply recent) {
      if (!recent.recentList().equals(states.get(node).recentList())) {
        consistent.remove(node);
      }
    } else {
      isFenced = true;
    }
    answered(this::reconstructOrWeaken);
  }

  private void reconstructOrWeaken() {
    if (isLargeEnough()) {
      reconstruct();
    } else {
      weaken();
    }
  }

  // Phase 3.

  /** Lines 21 and 22. */
  private void reconstruct() {
    SortedMap<Integer, Bytes> known = new TreeMap<>();
    long epoch = 0;
    for (int node = 0; node < shape.blocks(); node++) {
      StateReply state = states.get(node);
      epoch = Math.max(epoch, Math.max(state.epoch(), state.targetEpoch()));
      if (consistent.contains(node) && state.block() != null) {
        known.put(node, state.block());
      }
    }
    List<Bytes> blocks;
    try {
      blocks = client.code().decode(known);
    } catch (InconsistentStripeException e) {
      abort(RecoveryResult.STUCK, String.valueOf(e.getMessage()));
      return;
    }
    long target = epoch + 1;
    ask(
        allNodes(),
        node -> new Request.Reconstruct(consistent, blocks.get(node), target, id),
        () -> finish(target));
  }

  private List<Integer> allNodes() {
    return IntStream.range(0, shape.blocks()).boxed().toList();
  }

  /** Line 23. A node that was lost meanwhile is INIT again, and somebody else's to recover. */
  private void finish(long epoch) {
    phase = Phase.ENDING;
    waiting = shape.blocks();
    for (int node : allNodes()) {
      calls.call(
          node,
          new Request.FinalizeRecovery(epoch, Request.LockAfter.RELEASED, id),
          reply -> {
            if (--waiting == 0) {
              client.recoveryEnded(RecoveryResult.RECOVERED, "epoch=" + epoch);
            }
          });
    }
  }

  /**
   * Asks nodes that we hold; continues when all have done it, or ends if one is not ours any more.
   */
  private void ask(List<Integer> nodes, IntFunction<Request> request, Runnable next) {
    isFenced = false;
    waiting = nodes.size();
    for (int node : nodes) {
      calls.call(
          node,
          request.apply(node),
          reply -> {
            isFenced |= reply instanceof Reply.NotHolder;
            answered(next);
          },
          scope);
    }
  }

  /** One of those asked has answered; the last one decides. */
  private void answered(Runnable next) {
    if (--waiting > 0) {
      return;
    }
    if (isFenced) {
      abort(RecoveryResult.FENCED, "a lock was lost");
    } else {
      next.run();
    }
  }

  private void abort(RecoveryResult result, String detail) {
    phase = Phase.ENDING;
    waiting = shape.blocks();
    for (int node : allNodes()) {
      calls.call(
          node,
          new Request.SetLock(LockMode.EXP, id),
          reply -> {
            if (--waiting == 0) {
              client.recoveryEnded(result, detail);
            }
          });
    }
  }
}
