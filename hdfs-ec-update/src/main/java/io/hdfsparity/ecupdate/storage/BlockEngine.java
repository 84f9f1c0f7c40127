/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Outcome;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.storage.log.ChangeBounds;
import io.hdfsparity.ecupdate.storage.log.ChangePermit;
import io.hdfsparity.ecupdate.storage.log.LogRoom;
import io.hdfsparity.ecupdate.storage.log.Recovered;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * AJX's storage node for all replicas of one storage.
 *
 * <p>A request waits for room, then is handled by the machine of its slot, under the slot's lock,
 * in which its record gets its place in the log and its bytes go to the overlay. The reply leaves
 * when that record, or whatever came last for the slot, is durable. Requests of different slots
 * touch only short locks in common.
 *
 * <p>Locks, in the order in which they are taken: a replica's maintenance lock, a slot's, a
 * replica's layers and guard, the log's. Waiting for room is done before any of them.
 *
 * <p>After an error of a disk that is written, or of memory between two of its layers, all calls
 * fail with {@link EngineFailedException}. A replica whose own files cannot be read is refused
 * alone: for good if they are damaged, else until they can. Thread-safe.
 */
public final class BlockEngine implements Closeable {
  private final UpdateLog log;
  private final EngineOptions options;
  private final ReplicaStores stores;
  private final LogCheckpointer drain;
  private final CheckpointRound round;
  private final RoomMaker rooms;
  private final ReplicaRemoval removal;
  private final WorkSignal signal = new WorkSignal();
  private final ReceiptBudget receipts;
  private final ReplicaTable replicas;
  private final FailStop failStop = new FailStop();

  private BlockEngine(UpdateLog log, ReplicaStores stores, EngineOptions options) {
    this.log = log;
    this.stores = stores;
    this.options = options;
    receipts = new ReceiptBudget(options.maxReceiptBytes());
    replicas =
        new ReplicaTable(log, new ReplicaLoader(log, stores, options, signal::urgent), receipts);
    drain = new LogCheckpointer(log);
    round = new CheckpointRound(log, replicas, drain, options.drainDelayMs());
    rooms = new RoomMaker(log, replicas, drain);
    removal = new ReplicaRemoval(log, replicas);
  }

  /**
   * Opens the engine of a storage: reads its log, and brings the replicas that are in it to where
   * they were.
   *
   * @param logStore formatted by {@link UpdateLog#format}; stays the caller's
   * @param owner id of the storage
   * @throws io.hdfsparity.core.framing.FormatException if the log is damaged
   */
  public static BlockEngine open(
      ByteStore logStore, String owner, EngineOptions options, ReplicaStores stores)
      throws IOException, InterruptedException {
    UpdateLog.Opened opened = UpdateLog.open(logStore, owner, options.log());
    BlockEngine engine = new BlockEngine(opened.log(), stores, options);
    for (Map.Entry<ReplicaKey, Recovered.Replica> found :
        opened.recovered().replicas().entrySet()) {
      engine.replicas.recover(found.getKey(), found.getValue());
    }
    return engine;
  }

  /**
   * Answers a request. Blocks while there is no room for what it may change.
   *
   * @return completes with the reply when it may leave; fails if it may not, and then nothing is
   *     known of the request until the engine is opened again
   * @throws IllegalArgumentException for a request that makes no sense; nothing has changed
   */
  public CompletableFuture<Reply> handle(SlotKey key, Request asked)
      throws IOException, InterruptedException {
    return handle(key, asked, ChangePermit.ALWAYS);
  }

  /**
   * As {@link #handle(SlotKey, Request)}.
   *
   * @param permit asked while it waits, and before anything is changed, for it may have waited long
   */
  public CompletableFuture<Reply> handle(SlotKey key, Request asked, ChangePermit permit)
      throws IOException, InterruptedException {
    failStop.check();
    Replica replica = replicas.get(key.replica());
    SlotMachine machine = replica.slots().get(key.stripe()).machine();
    machine.check(asked);
    CellContent.check(replica.layout(), key.stripe(), asked);
    // Before room is made for it: where rows move a delta may take more than was sent.
    Request request = machine.multiplied(asked);
    if (!mayLog(request)) {
      return execute(replica, key, request, null);
    }
    replica.requireSound();
    ChangeBounds bounds = ChangeBounds.of(request);
    VersionedBytes.Promise promise =
        replica.bytes().promise(bounds.changedBytes(), signal::urgent, permitOf(replica, permit));
    try (LogRoom room = log.reserve(bounds, signal::urgent, permit)) {
      permit.check();
      CompletableFuture<Reply> reply = execute(replica, key, request, room);
      signal.work();
      return reply;
    } finally {
      promise.release();
    }
  }

  /** Nobody waits for room while nothing can make it. */
  private static ChangePermit permitOf(Replica replica, ChangePermit permit) {
    return () -> {
      permit.check();
      replica.requireBroughtOn();
    };
  }

  /**
   * Changes that wait for room may not be wanted any more: they are asked. Takes only locks that
   * nobody holds during I/O.
   */
  public void judgeWaitingAgain() {
    replicas.all().forEach(replica -> replica.bytes().judgeWaitingAgain());
    log.judgeWaitingAgain();
  }

  private static boolean mayLog(Request request) {
    return !(request instanceof Request.Read
        || request instanceof Request.CheckTid
        || request instanceof Request.GetState
        || request instanceof Request.GetRecent
        || request instanceof Request.Probe);
  }

  private CompletableFuture<Reply> execute(
      Replica replica, SlotKey key, Request request, @Nullable LogRoom room) throws IOException {
    Outcome outcome;
    long sequence;
    EngineSlot slot = replica.slots().lock(key.stripe());
    try {
      failStop.check();
      replica.requireServed();
      if (room != null) {
        replica.requireSound();
      }
      outcome = answer(replica, slot, request);
      sequence = log(replica, key, outcome, room);
    } finally {
      slot.lock().unlock();
    }
    Reply reply = outcome.reply();
    return log.whenDurable(sequence).thenApply(durable -> reply);
  }

  private Outcome answer(Replica replica, EngineSlot slot, Request request) throws IOException {
    try {
      return receipts.handle(slot.machine(), request);
    } catch (IllegalArgumentException e) {
      throw e; // it refuses before it changes anything
    } catch (UncheckedIOException e) {
      // Machines read before they change anything, and of a disk that is lost HDFS takes care.
      throw replica.refusal(Objects.requireNonNull(e.getCause()));
    } catch (RuntimeException | Error e) {
      throw fail(e); // the machine has changed in part
    }
  }

  private long log(Replica replica, SlotKey slot, Outcome outcome, @Nullable LogRoom room)
      throws EngineFailedException {
    LogRecord record = outcome.record();
    if (record == null || room == null) {
      return log.lastSequence(slot);
    }
    replica.changed();
    try {
      return append(replica, slot, record, room);
    } catch (IOException | RuntimeException | Error e) {
      throw fail(e); // the machine is ahead of the log now, or the log of the overlay
    }
  }

  private long append(Replica replica, SlotKey slot, LogRecord record, LogRoom room)
      throws IOException {
    if (!UpdateLog.hasBytes(record)) {
      return log.append(room, slot, record);
    }
    return replica
        .bytes()
        .append(
            () -> log.append(room, slot, record),
            version -> CellContent.record(replica.layout(), slot, record, 0, version));
  }

  /** Whether {@link #handle} would have to wait for room. */
  boolean wouldWait(SlotKey key, Request request) throws IOException, InterruptedException {
    ChangeBounds bounds = ChangeBounds.of(request);
    return mayLog(request)
        && !(replicas.get(key.replica()).bytes().hasRoom(bounds.changedBytes())
            && log.hasRoom(bounds));
  }

  /**
   * Opens a reader that sees the replica as it is now, and nothing that a crash could take back.
   */
  public PinnedReader openReader(ReplicaKey key) throws IOException, InterruptedException {
    failStop.check();
    Replica replica = replicas.get(key);
    // Before the pin: what is garbage at that version was so before, for none becomes it later.
    BitSet garbage = replica.initStripes();
    VersionedBytes.Pinned pinned = replica.bytes().pin();
    boolean isOpen = false;
    try {
      log.whenDurable(pinned.sequence()).get();
      PinnedReader reader = new PinnedReader(replica, pinned, garbage);
      isOpen = true;
      return reader;
    } catch (ExecutionException e) {
      throw fail(e.getCause() == null ? e : e.getCause());
    } finally {
      if (!isOpen) {
        replica.bytes().unpin(pinned);
      }
    }
  }

  /**
   * Whether no write and no recovery is under way in any slot of a replica, nor was left unfinished
   * here: all are NORM and unlocked, and all writes have been collected.
   */
  public boolean isClean(ReplicaKey key) throws IOException, InterruptedException {
    failStop.check();
    return replicas.get(key).isClean();
  }

  /** Whether no request of a replica is being executed. Does not wait. */
  public boolean isQuiet(ReplicaKey key) {
    return replicas.isQuiet(key);
  }

  /** As {@link #expireLocks}, of one holder of one lock. */
  public void expireLock(SlotKey key, LockId lock) {
    Replica replica = replicas.find(key.replica());
    if (replica != null) {
      replica.slots().expireLock(key.stripe(), lock);
    }
  }

  /**
   * Clients are taken for failed: the locks that they hold expire. Does not wait for requests,
   * which may hang on the disk: where one is being executed, locks expire before the next one is.
   */
  public void expireLocks(LongPredicate clients) {
    for (Replica replica : replicas.all()) {
      replica.slots().all().forEach(slot -> slot.expireLock(held -> clients.test(held.client())));
    }
  }

  /** Another update scheme for a replica, from now on and after restarts. */
  public void convert(ReplicaKey key, String scheme) throws IOException, InterruptedException {
    Replica replica = replicas.get(key);
    UpdateScheme chosen = UpdateScheme.of(scheme);
    replica.requireSound();
    String[] failure = {""};
    guarded(() -> failure[0] = drain.convert(replica, scheme, chosen));
    if (!failure[0].isEmpty()) {
      throw new IOException(
          ErrorMessage.to("convert " + key)
              .value("cause", failure[0])
              .expected("a storage that can note it: make room on the disk")
              .message());
    }
    replica.requireBroughtOn();
  }

  /** Brings all changes of a replica into its file, but for those that readers keep back. */
  public void merge(ReplicaKey key) throws IOException, InterruptedException {
    Replica replica = replicas.get(key);
    guarded(() -> drain.fold(replica));
    replica.requireBroughtOn();
  }

  /** Ends a period of Algorithm 1 for a replica. */
  public void endPeriod(ReplicaKey key, ShrinkMode mode) throws IOException, InterruptedException {
    Replica replica = replicas.get(key);
    guarded(() -> drain.endPeriod(replica, mode));
  }

  /**
   * A copy has arrived whose bytes are not known to be those of the group: AJX's INIT. It must not
   * be visible to anybody before this has returned, nor requests for an earlier copy be under way.
   *
   * @throws IOException if it cannot be noted: nothing of it is served then
   */
  public void arrived(ReplicaKey key) throws IOException {
    ReplicaStore store =
        stores
            .open(key)
            .orElseThrow(() -> new IOException("Cannot take in a copy: " + key + " is gone"));
    giveUp(key, store);
  }

  /**
   * A replica is gone, or is about to be deleted: durable on return. As long as the storage still
   * has it, it counts as INIT, for its changes are abandoned with it.
   *
   * @throws IOException if the storage cannot tell whether it has it: delete it, and call again
   */
  public void dropped(ReplicaKey key) throws IOException {
    giveUp(key, stores.open(key).orElse(null));
  }

  private void giveUp(ReplicaKey key, @Nullable ReplicaStore store) throws IOException {
    guarded(() -> removal.giveUp(key, store));
  }

  // For the threads of an engine.

  ReplicaRemoval removal() {
    return removal;
  }

  UpdateLog log() {
    return log;
  }

  EngineOptions options() {
    return options;
  }

  WorkSignal signal() {
    return signal;
  }

  /** What would be kept of a slot. */
  DurableSlot durable(SlotKey key) throws IOException, InterruptedException {
    return replicas.get(key.replica()).slots().durable(key.stripe());
  }

  /** As {@link CheckpointRound}. */
  void drainAll() throws IOException {
    guarded(round::run);
  }

  /**
   * Leaves nothing in memory of quiescent slots but their epochs, and not more on disk, in replicas
   * that were not changed since the last call. What a full disk keeps is tried again next time.
   */
  void rest() throws IOException {
    guarded(
        () -> {
          boolean isAnyKept = false;
          for (Replica replica : replicas.all()) {
            boolean isDue = !replica.pollChanged() || replica.isStateStale();
            isAnyKept |= isDue && drain.rest(replica);
          }
          if (isAnyKept) {
            log.truncate();
          }
        });
  }

  /** What it keeps of replaced bytes for clients. */
  public EngineReceipts receipts() {
    return new EngineReceipts(receipts, replicas);
  }

  /** Machines in memory: for tests. */
  int machines() {
    return replicas.all().stream().mapToInt(replica -> replica.slots().all().size()).sum();
  }

  /** Whether somebody waits for room, or soon may. */
  boolean needsRoom() {
    return isAwaited() || log.usedBytes() > options.logHighBytes();
  }

  boolean isAwaited() {
    return rooms.isAwaited();
  }

  /** Whether changes are to be brought on that could not be the last time. */
  boolean isPostponed() {
    return replicas.all().stream().anyMatch(Replica::isPostponed);
  }

  /** Replicas whose changes others wait for to make room, and that readers keep back. */
  public Set<ReplicaKey> heldBack() {
    return rooms.heldBack();
  }

  /** As {@link RoomMaker#makeRoom()}. */
  long makeRoom() throws IOException {
    long[] freed = new long[1];
    guarded(() -> freed[0] = rooms.makeRoom());
    return freed[0];
  }

  /** Housekeeping that ends half way, for whatever reason, is not gone on from. */
  private void guarded(ReplicaTable.Step step) throws IOException {
    failStop.check();
    try {
      step.run();
    } catch (NotKeptException e) {
      throw e; // nothing was begun
    } catch (IOException | RuntimeException | Error e) {
      throw fail(e);
    }
  }

  /** Stops the engine: whoever calls cannot continue, and nobody else may. */
  EngineFailedException fail(Throwable cause) {
    EngineFailedException failed = failStop.stop(cause);
    log.abandon(failed);
    replicas.stopWaiting();
    signal.urgent();
    return failed;
  }

  boolean hasFailed() {
    return failStop.isStopped();
  }

  /**
   * Refuses when the engine has stopped.
   *
   * @throws EngineFailedException with the first cause
   */
  public void requireServing() throws EngineFailedException {
    failStop.check();
  }

  /** How it is. */
  public EngineStatus status() {
    return new EngineStatus(failStop.why(), log.sizeBytes(), log.usedBytes());
  }

  /** How a replica is, about now. */
  public EngineStatus.Replica status(ReplicaKey key) throws IOException, InterruptedException {
    failStop.check();
    return replicas.get(key).status();
  }

  /** Seals the log. Changes stay in it, for the next opening, and nobody is at any file then. */
  @Override
  public void close() throws IOException {
    replicas.close();
  }
}
