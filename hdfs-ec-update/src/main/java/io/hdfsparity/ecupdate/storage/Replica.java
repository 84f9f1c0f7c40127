/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A replica that the engine has open. Thread-safe, but for what its maintenance lock guards: only
 * its holder moves changes from layer to layer and writes the replica's state.
 */
final class Replica {
  private final ReplicaKey key;
  private final ReplicaStore store;
  private final VersionedBytes bytes;
  private final ReservedDeltas reserved;
  private final ReentrantLock maintenance = new ReentrantLock();
  private final SlotTable slots;

  /**
   * As it was written last, without the slots that were not quiescent then: those have machines.
   * Written under {@code maintenance}.
   */
  private volatile ReplicaState state;

  /** Slots that the state on disk lists one by one. Guarded by {@code maintenance}. */
  private int listedSlots;

  /** Whether a slot was changed since {@link #pollChanged}. */
  private volatile boolean isChanged = true;

  /** Whether the state on disk may have receipts that were forgotten. */
  private volatile boolean isStateStale;

  private volatile UpdateScheme scheme;
  private volatile boolean isClosed;

  /** Why its changes cannot be brought into its file; null if they can. */
  private volatile @Nullable IOException damage;

  private final Postponement postponement = new Postponement();

  /** Whether a stripe may be INIT. Turns false once and for all. */
  private volatile boolean mayHaveGarbage;

  /** Of Algorithm 1. Guarded by {@code maintenance}. */
  private ReservedSpace space;

  Replica(
      ReplicaKey key,
      ReplicaStore store,
      ReservedDeltas reserved,
      VersionedBytes bytes,
      ReplicaState state,
      ReservedSpaceOptions reserving) {
    ReservedSpaceOptions options = reserving.forBlock(store.layout().lengthBytes());
    this.key = key;
    this.store = store;
    this.reserved = reserved;
    this.bytes = bytes;
    this.state = state.withoutSlots();
    listedSlots = state.slots().size();
    slots = new SlotTable(key, store.layout(), bytes, stripe -> this.state.slot(stripe).slot());
    state.slots().forEach((stripe, kept) -> slots.put(stripe, kept.slot()));
    mayHaveGarbage =
        state.fresh() == OpMode.INIT
            || state.slots().values().stream()
                .anyMatch(kept -> kept.slot().opMode() == OpMode.INIT);
    scheme = UpdateScheme.of(state.scheme().isEmpty() ? store.scheme() : state.scheme());
    space =
        reserved.hasArea()
            ? new ReservedSpace(
                options,
                reserved.reservedBytes(),
                reserved.usedBytes(),
                reserved.usedBytes(),
                state.utility())
            : ReservedSpace.initial(options);
  }

  ReplicaKey key() {
    return key;
  }

  ReplicaStore store() {
    return store;
  }

  ReplicaLayout layout() {
    return store.layout();
  }

  VersionedBytes bytes() {
    return bytes;
  }

  ReservedDeltas reserved() {
    return reserved;
  }

  ReentrantLock maintenance() {
    return maintenance;
  }

  ReplicaState state() {
    return state;
  }

  /** A state was written. Under {@code maintenance}. */
  void state(ReplicaState written) {
    state = written.withoutSlots();
    listedSlots = written.slots().size();
  }

  int listedSlots() {
    return listedSlots;
  }

  /** A slot is changed. */
  void changed() {
    if (!isChanged) {
      isChanged = true;
    }
  }

  /** Whether a slot was changed since this was called before. */
  boolean pollChanged() {
    boolean was = isChanged;
    isChanged = false;
    return was;
  }

  /**
   * Forgets receipts of clients that are over, as {@link SlotTable#forgetReceipts}. The state on
   * disk still has them, until it is written the next time.
   */
  void forgetReceipts(LongPredicate clients, ReceiptBudget budget) {
    if (slots.forgetReceipts(clients, budget)) {
      isStateStale = true;
    }
  }

  /** Whether the state on disk is due to be written, though no slot was changed. */
  boolean isStateStale() {
    return isStateStale;
  }

  void stateStale(boolean isStale) {
    isStateStale = isStale;
  }

  boolean isClosed() {
    return isClosed;
  }

  /**
   * Asked under the lock of a request's slot.
   *
   * @throws IOException if no request is executed any more
   */
  void requireServed() throws IOException {
    requireOpen();
    store.requireServed();
  }

  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException("Cannot serve a replica: " + key + " was released");
    }
  }

  /**
   * Whether no request is being executed that has passed {@link #requireServed} before this was
   * called. Does not wait.
   */
  boolean isQuiet() {
    // Whoever makes a slot now reads what requireServed goes by after this: it was written before.
    VarHandle.fullFence();
    return slots.isQuiet();
  }

  /**
   * Bytes of the file are damaged that a change is to be added to: no more changes are taken, and
   * those that are there stay where they are. What is not damaged is still read.
   */
  void damaged(IOException why) {
    damage = why;
    bytes.close(); // who waits for room would wait for ever
  }

  boolean isDamaged() {
    return damage != null;
  }

  /**
   * Its changes could not be brought on, though nothing is damaged: they stay where they are, and
   * it is tried again. Whoever waits for room is refused.
   */
  void postponed(IOException why) {
    if (postponement.begin(why)) {
      store.postponed(why);
    }
    bytes.judgeWaitingAgain();
  }

  /** Its changes could be brought on. */
  void notPostponed() {
    postponement.end();
  }

  boolean isPostponed() {
    return postponement.cause() != null;
  }

  /** As {@link Postponement#pollDue}. */
  boolean pollDue(int maxRounds) {
    return postponement.pollDue(maxRounds);
  }

  /** Why its changes could not be brought on the last time; empty: they could. */
  String whyPostponed() {
    IOException why = postponement.cause();
    return why == null ? "" : String.valueOf(why.getMessage());
  }

  /**
   * Refuses to say that all changes are where they should be.
   *
   * @throws IOException saying why they are not
   */
  void requireBroughtOn() throws IOException {
    requireSound();
    IOException why = postponement.cause();
    if (why != null) {
      throw refusal(why);
    }
  }

  /**
   * Refuses what would change a replica that takes no more changes.
   *
   * @throws IOException saying why it does not
   */
  void requireSound() throws IOException {
    requireOpen();
    IOException why = damage;
    if (why != null) {
      throw refusal(why);
    }
  }

  /** The refusal of a request that needs bytes which are damaged, or cannot be read now. */
  IOException refusal(IOException why) {
    boolean isDamage = store.isDamage(why);
    return new IOException(
        ErrorMessage.to("serve updates of a replica")
            .value(isDamage ? "damage" : "cause", why.getMessage())
            .expected(isDamage ? ReplicaStore.UNDAMAGED : ReplicaStore.READABLE)
            .where("replica", key)
            .message(),
        why);
  }

  /** How it is, about now. */
  EngineStatus.Replica status() {
    boolean hasArea = reserved.hasArea();
    return new EngineStatus.Replica(
        schemeName(),
        bytes.pendingBytes(),
        hasArea ? reserved.reservedBytes() : 0,
        hasArea ? reserved.usedBytes() : 0,
        trouble());
  }

  private String trouble() {
    IOException why = damage;
    if (why != null) {
      return "it is damaged, and takes no updates: " + why.getMessage();
    }
    return isPostponed() ? "its changes stay in the log: " + whyPostponed() : "";
  }

  /**
   * The replica is abandoned: on return whoever still has it changes nothing any more. Under {@code
   * maintenance}.
   */
  void close() {
    isClosed = true;
    bytes.close();
    slots.awaitQuiet(); // a request that has passed the check, and its record is still to come
  }

  /** As the administrator calls it. */
  String schemeName() {
    String chosen = state.scheme();
    return chosen.isEmpty() ? store.scheme() : chosen;
  }

  void scheme(UpdateScheme chosen) {
    scheme = chosen;
  }

  UpdateScheme.Destination destination() {
    return layout().isParity() ? scheme.parity() : scheme.data();
  }

  ReservedSpace space() {
    return space;
  }

  void space(ReservedSpace now) {
    space = now;
  }

  SlotTable slots() {
    return slots;
  }

  /**
   * Stripes whose bytes are garbage. None becomes so again later: a copy that arrives is another
   * replica.
   */
  BitSet initStripes() {
    BitSet garbage = new BitSet();
    if (mayHaveGarbage) {
      for (int stripe = 0; stripe < layout().stripes(); stripe++) {
        garbage.set(stripe, slots.durable(stripe).opMode() == OpMode.INIT);
      }
      mayHaveGarbage = !garbage.isEmpty();
    }
    return garbage;
  }

  /** Whether all slots are NORM and unlocked, without recent writes. */
  boolean isClean() {
    for (int stripe = 0; stripe < layout().stripes(); stripe++) {
      DurableSlot slot = slots.durable(stripe);
      if (slot.opMode() != OpMode.NORM || slot.isLocked() || !slot.recentList().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Puts a slot as recovery found it. */
  void recovered(int stripe, DurableSlot durable) {
    if (durable.opMode() == OpMode.INIT) {
      mayHaveGarbage = true;
    }
    slots.put(stripe, durable);
  }
}
