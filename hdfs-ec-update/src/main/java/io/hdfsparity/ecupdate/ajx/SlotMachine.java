/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A storage node of AJX for one block of one stripe (Figs. 4 to 7). Each request is answered from
 * the state at hand: no waiting, no messages of its own, no clock.
 *
 * <p>Durability: {@link #handle} changes the state and names the record that must be logged; the
 * reply may leave when that record and all before it are durable. After a restart the machine is
 * made again from the last {@link #durable()} and the records since, by {@link #replay}.
 *
 * <p>A request may be sent again by a client that got no reply, provided that the transport has
 * made sure that the earlier copy will not be executed any more: swaps and adds are recognized by
 * their tid, locks by their holder, everything else may be repeated anyway.
 *
 * <p>Not thread-safe: one request at a time.
 */
public final class SlotMachine {
  /**
   * Most tids in both lists together, and most receipts. Clients collect them long before; one that
   * never does, on purpose or not, must not fill the memory of the node.
   */
  static final int MAX_TIDS = 1024;

  /** Most tids in both lists together while a recovery waits for the adds of writes under way. */
  public static final int MAX_LISTED_TIDS = 2 * MAX_TIDS;

  static final int MAX_RECEIPTS = 64;

  private static final Reply DONE = new Reply.Done();

  private final StripeCode code;
  private final int block;
  private final Content content;
  private final SlotState state;
  private final RequestCheck check;

  /**
   * A storage node as it is after a restart, or for the first time.
   *
   * @param code of the stripe
   * @param block index of the block in its stripe, 0..n-1
   * @param durable what was kept; locks in it count as expired
   */
  public SlotMachine(StripeCode code, int block, DurableSlot durable, Content content) {
    Checks.index("serve a block", "block", block, code.shape().blocks());
    this.code = code;
    this.block = block;
    this.content = content;
    state = new SlotState(durable);
    check = new RequestCheck(code.shape(), block, content.length());
  }

  /** What must be kept over a restart, beside the bytes. */
  public DurableSlot durable() {
    return state.durable();
  }

  /** As {@link DurableSlot#isQuiescent}: a machine made of the epoch alone would do the same. */
  public boolean isQuiescent() {
    return state.isQuiescent();
  }

  /** Receipts of swaps that were not collected, as they are now. */
  public Collection<SwapReceipt> receipts() {
    return state.receipts();
  }

  /**
   * Forgets receipts of clients that are over: none of them asks again what a swap was answered. It
   * is not logged, so after a restart they may be there again. A client that is alive after all is
   * not answered from a receipt any more. Its swap counts as one that needs a recovery, as after a
   * crash of that client.
   *
   * @return those that were there
   */
  public List<SwapReceipt> forgetReceipts(LongPredicate clients) {
    return state.forgetReceipts(clients);
  }

  public LockMode lockMode() {
    return state.lockMode();
  }

  public OpMode opMode() {
    return state.opMode();
  }

  public long epoch() {
    return state.epoch();
  }

  /** Who holds the lock; null unless L0 or L1. */
  public @Nullable LockId holder() {
    return state.holder();
  }

  /**
   * Fig. 6 line 34: the holder has failed, or is taken for failed. A holder that is alive after all
   * learns so from the next request that needs the lock. Of no effect if the lock is not that
   * holder's.
   */
  public void expireLock(LockId failed) {
    if (state.isHeldBy(failed)) {
      state.expire();
    }
  }

  /**
   * Refuses what makes no sense for this block in any state. Looks at nothing that changes: needs
   * no lock.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public void check(Request request) {
    check.check(request);
  }

  /**
   * Answers a request.
   *
   * @throws IllegalArgumentException as {@link #check}, or if it makes no sense now; nothing has
   *     changed then
   */
  public Outcome handle(Request asked) {
    check(asked);
    Request request = multiplied(asked);
    if (request instanceof Request.Read read) {
      return Outcome.of(read(read));
    } else if (request instanceof Request.Swap swap) {
      return swap(swap);
    } else if (request instanceof Request.Add add) {
      return add(add.delta(), List.of(new Request.Part(add.ntid(), add.otid())), add.epoch());
    } else if (request instanceof Request.AddAll add) {
      return add(add.delta(), add.parts(), add.epoch());
    } else if (request instanceof Request.CheckTid check) {
      return Outcome.of(checkTid(check));
    } else if (request instanceof Request.GcOld gc) {
      return collect(new LogRecord.Discarded(gc.tids()));
    } else if (request instanceof Request.GcRecent gc) {
      return collect(new LogRecord.Retired(gc.tids()));
    } else if (request instanceof Request.Probe) {
      return Outcome.of(
          new Reply.ProbeReply(
              state.opMode(), state.lockMode(), state.epoch(), state.recentList()));
    }
    return recover(request);
  }

  private Outcome recover(Request request) {
    if (request instanceof Request.TryLock lock) {
      return tryLock(lock);
    } else if (request instanceof Request.SetLock lock) {
      return setLock(lock);
    } else if (request instanceof Request.GetState get) {
      return state.isHeldBy(get.caller()) ? Outcome.of(getState()) : notHolder();
    } else if (request instanceof Request.GetRecent recent) {
      return Outcome.of(getRecent(recent));
    } else if (request instanceof Request.Reconstruct reconstruct) {
      return reconstruct(reconstruct);
    } else if (request instanceof Request.FinalizeRecovery finish) {
      return finish(finish);
    }
    throw new IllegalArgumentException("Cannot answer a request: request=" + request);
  }

  private Outcome logged(Reply reply, LogRecord record) {
    replay(record);
    return new Outcome(reply, record);
  }

  /** Makes a change that was logged, once, in the order of the log. */
  public void replay(LogRecord record) {
    if (record instanceof LogRecord.Swapped swapped) {
      content.overwrite(swapped.patch());
    } else if (record instanceof LogRecord.Added added) {
      content.add(added.delta());
    } else if (record instanceof LogRecord.Reconstructed done) {
      content.overwrite(new Patch(0, done.block()));
    }
    state.replay(record);
  }

  /** Fig. 4 lines 12 to 14. */
  private Reply read(Request.Read request) {
    if (state.opMode() != OpMode.NORM || state.lockMode() != LockMode.UNL) {
      return new Reply.ReadReply(null, state.lockMode());
    }
    return new Reply.ReadReply(
        content.read(request.offset(), request.lengthBytes()), state.lockMode());
  }

  /** Fig. 5 lines 27 to 34. */
  private Outcome swap(Request.Swap request) {
    // Even when locked: a recovery in L0 waits for this client's adds, which need the answer.
    SwapReceipt before = state.receipt(request.ntid());
    if (before != null) {
      return Outcome.of(
          new Reply.SwapReply(before.previous(), before.epoch(), before.otid(), state.lockMode()));
    }
    // One that is full is refused as one that needs a recovery, which empties the lists. So is one
    // that was made, and whose receipt is gone: made again it would answer its own bytes, and the
    // client would change no parity.
    if (state.hasSeen(request.ntid())
        || state.opMode() != OpMode.NORM
        || state.lockMode() != LockMode.UNL
        || state.tids() >= MAX_TIDS
        || state.receiptsBeside(request.ntid()) >= MAX_RECEIPTS) {
      return Outcome.of(new Reply.SwapReply(null, state.epoch(), null, state.lockMode()));
    }
    Bytes previous = content.read(request.patch().offset(), request.patch().bytes().length());
    SwapReceipt receipt = new SwapReceipt(request.ntid(), previous, state.epoch(), state.latest());
    return logged(
        new Reply.SwapReply(previous, state.epoch(), receipt.otid(), state.lockMode()),
        new LogRecord.Swapped(request.patch(), receipt));
  }

  /** Fig. 5 lines 36 to 42. */
  private Outcome add(Patch delta, List<Request.Part> parts, long epoch) {
    List<Tid> tids = new ArrayList<>();
    int seen = 0;
    boolean isEarly = false;
    for (Request.Part part : parts) {
      tids.add(part.ntid());
      seen += state.hasSeen(part.ntid()) ? 1 : 0;
      isEarly |= part.otid() != null && !state.hasSeen(part.otid());
    }
    // Sent again. Even when locked: a client that is refused may start over with another swap, and
    // a recovery in L0 waits for the rest of this write's adds.
    if (seen == parts.size()) {
      return Outcome.of(addReply(Reply.AddStatus.OK));
    }
    if (state.opMode() != OpMode.NORM
        || state.lockMode() == LockMode.L1
        || state.lockMode() == LockMode.EXP
        || epoch < state.epoch()) {
      return Outcome.of(addReply(Reply.AddStatus.REFUSED));
    }
    // One that is full is to be asked again, and a client that has asked often enough recovers the
    // stripe. That recovery waits in L0 for the adds of writes under way, so they need more room.
    int limit = state.lockMode() == LockMode.UNL ? MAX_TIDS : MAX_LISTED_TIDS;
    if (isEarly || seen > 0 || state.tids() + parts.size() > limit) {
      return Outcome.of(addReply(Reply.AddStatus.ORDER));
    }
    return logged(addReply(Reply.AddStatus.OK), new LogRecord.Added(delta, tids));
  }

  /**
   * The request as if the client had multiplied: so it tells how many bytes it changes, which may
   * be more than a broadcast delta has. Looks at nothing that changes: needs no lock.
   *
   * @param request that has been {@link #check}ed
   */
  public Request multiplied(Request request) {
    return request instanceof Request.Add add && add.scaling() == Request.Scaling.BY_NODE
        ? new Request.Add(
            code.change(block, add.ntid().block(), add.delta()),
            Request.Scaling.BY_CLIENT,
            add.ntid(),
            add.otid(),
            add.epoch())
        : request;
  }

  private Reply addReply(Reply.AddStatus status) {
    return new Reply.AddReply(status, state.opMode(), state.lockMode());
  }

  /** Fig. 5 lines 43 to 45. */
  private Reply checkTid(Request.CheckTid request) {
    if (!state.recentList().contains(request.ntid())) {
      return Reply.CheckTidReply.INIT;
    }
    return state.recentList().contains(request.otid())
        ? Reply.CheckTidReply.NOCHANGE
        : Reply.CheckTidReply.GC;
  }

  /** Fig. 6 lines 25 and 26. */
  private Outcome tryLock(Request.TryLock request) {
    if (state.isHeldBy(request.caller())) {
      // Sent again: the answer must be the first one, or an expired lock is released as if
      // unlocked.
      return Outcome.of(new Reply.LockReply(true, state.modeBeforeLock()));
    }
    LockMode previous = state.lockMode();
    if (previous.isHeld()) {
      return Outcome.of(new Reply.LockReply(false, previous));
    }
    state.hold(request.mode(), request.caller());
    return logged(new Reply.LockReply(true, previous), new LogRecord.Locked());
  }

  /** Fig. 6, below line 26; for the holder only. */
  private Outcome setLock(Request.SetLock request) {
    if (!state.isHeldBy(request.caller())) {
      return notHolder();
    }
    switch (request.mode()) {
      case UNL -> {
        return logged(DONE, new LogRecord.Unlocked());
      }
      case EXP -> state.expire();
      case L0, L1 -> state.hold(request.mode(), request.caller());
    }
    return Outcome.of(DONE);
  }

  /**
   * Fig. 6 lines 27 and 28, but for line 27's condition: a block in RECONS is right, and the next
   * recovery cannot do without it. See ADR 0010.
   */
  private Reply getState() {
    return new Reply.StateReply(
        state.opMode(),
        state.epoch(),
        state.consistentSet(),
        state.targetEpoch(),
        state.oldList(),
        state.recentList(),
        state.opMode() == OpMode.INIT ? null : content.read(0, content.length()));
  }

  private Reply getRecent(Request.GetRecent request) {
    if (!state.isHeldBy(request.caller())) {
      return new Reply.NotHolder(state.opMode(), state.lockMode());
    }
    state.hold(request.mode(), request.caller());
    return new Reply.RecentReply(state.recentList());
  }

  /** Fig. 6 lines 29 and 30; for the holder only. */
  private Outcome reconstruct(Request.Reconstruct request) {
    if (!state.isHeldBy(request.caller())) {
      return notHolder();
    }
    Checks.argument(
        request.targetEpoch() > state.epoch(),
        "reconstruct a block",
        "targetEpoch",
        request.targetEpoch(),
        "> epoch=" + state.epoch());
    return logged(
        DONE,
        new LogRecord.Reconstructed(
            request.consistentSet(), request.block(), request.targetEpoch()));
  }

  /** Fig. 6 lines 31 to 33; for the holder only. */
  private Outcome finish(Request.FinalizeRecovery request) {
    if (!state.isHeldBy(request.caller())) {
      return notHolder();
    }
    Checks.argument(
        request.epoch() >= state.epoch(),
        "finalize a recovery",
        "epoch",
        request.epoch(),
        ">= " + state.epoch());
    return logged(
        DONE,
        new LogRecord.Finalized(request.epoch(), request.lockAfter() == Request.LockAfter.KEPT));
  }

  /** Fig. 7. */
  private Outcome collect(LogRecord record) {
    if (state.opMode() != OpMode.NORM || state.lockMode() != LockMode.UNL) {
      return Outcome.of(new Reply.GcRefused(state.opMode(), state.lockMode()));
    }
    return logged(DONE, record);
  }

  private Outcome notHolder() {
    return Outcome.of(new Reply.NotHolder(state.opMode(), state.lockMode()));
  }

  /** For messages. */
  @Override
  public String toString() {
    List<Object> parts =
        List.of(state.opMode(), state.lockMode(), state.epoch(), state.recentList());
    return "block " + block + " " + parts;
  }
}
