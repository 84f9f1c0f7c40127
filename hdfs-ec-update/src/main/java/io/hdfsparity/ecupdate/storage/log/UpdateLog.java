/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The write-ahead log of one storage of a storage node: a ring of records in a {@link ByteStore}.
 *
 * <p><b>A change</b> takes these steps. {@link #reserve}, before any lock of the block is taken:
 * waits while the log is full. Under the block's lock: the machine handles the request, and {@link
 * #append} gives its record the next sequence; it never waits. Outside: the reply leaves when
 * {@link #whenDurable} says so for that sequence, or for {@link #lastSequence} of the slot if the
 * request had no record. Records get durable in the order of their sequences, so what came before
 * is durable too.
 *
 * <p><b>Group commit.</b> {@link #commitGroup}, called by a {@link GroupCommitter}, writes all
 * records appended so far and forces them once; those that come meanwhile are the next group.
 *
 * <p><b>Making room</b>, for each replica of {@link #holdouts}: {@link #fold} what the overlay
 * plans and {@link #seal}; write it to the file, force the file, {@link #applied}. For each slot:
 * {@link #snapshot}, or {@link #sealUpTo}, write it to a file of its own, force that, {@link
 * #homed}. Then {@link #truncate}.
 *
 * <p><b>Which instruction may be the last</b>, and what the next opening does:
 *
 * <ul>
 *   <li>append, before its group is begun: the record was in memory only; nobody learned of it.
 *   <li>a write of a group, or its force: any part of the group may be there. What is whole from
 *       its start on counts, the rest is cut off. No reply of the group had left, and a client that
 *       asks again gets the answer that its record, if it is there, leads to.
 *   <li>after the force, before the replies: the records are there.
 *   <li>between the parts of a fold, which are one group: it is cut off, so that it takes no room;
 *       its changes count, and the file was not touched.
 *   <li>writing a fold to the file, or before {@link #applied}: the fold is written again. So long
 *       it holds the head, even if none of its changes is in the log any more.
 *   <li>after {@link #applied}, before the head moves: as before; to write it again changes
 *       nothing, for the next fold is not begun before this one is applied, and only the last one
 *       is given back.
 *   <li>the write of the head, or its force: the older copy counts; what it points at was not yet
 *       given up for writing.
 *   <li>opening: it writes what it has read of the last group once more and forces it before it
 *       relies on it, since it may be in the page cache only: of a process that was killed, or
 *       whose force has failed. Then it writes a head with a new run. Until that is durable nothing
 *       is appended, so opening may be cut short and repeated as often as you like.
 * </ul>
 *
 * <p>After an error of the store every call fails with {@link LogFailedException}. Thread-safe; the
 * store stays the caller's, who has to see that one log only is open on it.
 */
public final class UpdateLog implements Closeable {
  /** A log and what was in it. */
  public record Opened(UpdateLog log, Recovered recovered) {}

  private final DurablePoint durable;
  private final LogState state;
  private final LogSink sink;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  UpdateLog(
      ByteStore store,
      UpdateLogOptions options,
      LogHead head,
      LogSpace space,
      LogIndex index,
      long nextSequence) {
    durable = new DurablePoint(nextSequence - 1);
    LogTail tail = new LogTail(space, index, nextSequence);
    state = new LogState(options, space, index, tail, durable, this::checkUsable, this::abandon);
    sink = new LogSink(store, head, options.maxRecordBytes(), durable, state::wakeAll);
  }

  /**
   * Makes an empty log that fills a store.
   *
   * @param owner id of the storage; opening refuses another's log
   * @param salt random, never used before: ties records to this log
   */
  public static void format(ByteStore store, String owner, long salt) throws IOException {
    LogOpener.format(store, owner, salt);
  }

  /**
   * Opens a log and reads all of it.
   *
   * @throws io.hdfsparity.core.framing.FormatException if a durable record cannot be read, naming
   *     file, offset and what was found; the store is unchanged then
   */
  public static Opened open(ByteStore store, String owner, UpdateLogOptions options)
      throws IOException {
    return LogOpener.open(store, owner, options);
  }

  /**
   * Waits until there is room for a change, first come, first served. Take no lock before it that
   * making room needs.
   *
   * @throws IllegalArgumentException if it would not fit into an empty log
   */
  public LogRoom reserve(ChangeBounds bounds) throws IOException, InterruptedException {
    return reserve(bounds, () -> {});
  }

  /**
   * As {@link #reserve(ChangeBounds)}.
   *
   * @param onWait is called once if it has to wait, when {@link #waitingForRoom} counts it already.
   *     It must not block, nor call the log
   */
  public LogRoom reserve(ChangeBounds bounds, Runnable onWait)
      throws IOException, InterruptedException {
    return reserve(bounds, onWait, ChangePermit.ALWAYS);
  }

  /**
   * As {@link #reserve(ChangeBounds, Runnable)}.
   *
   * @throws IOException also if it is found not to be wanted any more while it waits; {@link
   *     #judgeWaitingAgain} makes it look
   */
  public LogRoom reserve(ChangeBounds bounds, Runnable onWait, ChangePermit permit)
      throws IOException, InterruptedException {
    return state.reserve(bounds, onWait, permit);
  }

  /** Changes that wait for room may not be wanted any more: they are asked. */
  public void judgeWaitingAgain() {
    state.wakeAll();
  }

  /** Whether {@link #reserve} would return at once. */
  public boolean hasRoom(ChangeBounds bounds) {
    return state.hasRoom(bounds);
  }

  /** Refuses changes that wait for room: none can be made, and they would wait for ever. */
  public void refuseWaiting(String why) {
    state.refuseWaiting(why);
  }

  /** How many callers wait for room: somebody should make some. */
  public int waitingForRoom() {
    return state.waitingForRoom();
  }

  /**
   * Appends a change, in its room. Call it under the lock of the slot, so that changes of a slot
   * are logged in the order in which they were made.
   *
   * @return its sequence
   */
  public long append(LogRoom room, SlotKey slot, LogRecord record) throws IOException {
    return state.append(room, slot, record);
  }

  /**
   * Appends a slot's state, which stands for all its changes before. Call it under the lock of the
   * slot.
   *
   * @return its sequence
   * @throws LogReserveException if there is no room
   */
  public long snapshot(SlotKey slot, DurableSlot state) throws IOException {
    return this.state.snapshot(slot, state);
  }

  /**
   * Notes that a replica is gone. It must be durable before a new copy of the same block appears.
   * Its room was kept free, if the log has a record of the replica; if not, nothing needs to be
   * noted, and in a full log nothing is.
   *
   * @return its sequence; 0 if nothing is noted
   */
  public long dropped(ReplicaKey replica) throws IOException {
    return state.dropped(replica);
  }

  /**
   * Appends what is about to be written to a replica's file. The file may be touched when the log
   * is durable up to the sequence that is returned, and sealed: see {@link #seal}.
   *
   * @param upTo sequence of the last change of the replica that is in it; durable already
   * @param patches absolute, of whole chunks, at places in the replica
   * @throws IllegalStateException if the fold before it is not applied
   */
  public long fold(ReplicaKey replica, long upTo, List<Patch> patches) throws IOException {
    return state.fold(replica, upTo, patches);
  }

  /** The file has a fold, durably: its changes are not needed for their bytes any more. */
  public void applied(ReplicaKey replica, long upTo) {
    state.applied(replica, upTo);
  }

  /**
   * Reserved space of a replica has its changes up to one, durably, and tells by {@link #salt} and
   * their sequences which it has. Their fold is still to come, and its room stays kept.
   *
   * @param upTo sequence of the last one; durable here, too, and sealed before it was written there
   */
  public void moved(ReplicaKey replica, long upTo) {
    state.moved(replica, upTo);
  }

  /** As {@link #adoptMoved(ReplicaKey, SortedMap, Runnable)}. */
  public void adoptMoved(ReplicaKey replica, SortedMap<Long, Integer> changedBytes)
      throws IOException, InterruptedException {
    adoptMoved(replica, changedBytes, () -> {});
  }

  /**
   * After an opening, what the reserved space of a replica has and no fold: keeps room for its
   * fold. Waits for that room in the queue of the changes, if the replica is not in the log.
   *
   * @param changedBytes by sequence
   * @param onWait as in {@link #reserve(ChangeBounds, Runnable)}
   */
  public void adoptMoved(ReplicaKey replica, SortedMap<Long, Integer> changedBytes, Runnable onWait)
      throws IOException, InterruptedException {
    state.adoptMoved(replica, changedBytes, onWait);
  }

  /**
   * A slot is kept elsewhere, durably, together with {@code upTo} and {@link #salt}, by which
   * {@link Recovered.Slot#durable} tells what it has.
   *
   * @param upTo sequence of the last change in it; must have been durable and {@link #sealUpTo
   *     sealed} when it was written
   */
  public void homed(SlotKey slot, long upTo) {
    state.homed(slot, upTo);
  }

  /** Who needs the oldest records, so many bytes of them. */
  public UnfoldedReplicas holdouts(long oldestBytes) {
    return state.holdouts(oldestBytes);
  }

  /**
   * Releases the oldest records that nobody needs, and lets waiting changes go on.
   *
   * @return bytes released
   */
  public long truncate() throws IOException {
    return sink.exclusively(
        () -> {
          long first = state.firstNeeded();
          // Snapshots that the index counts on may not be durable yet.
          commitGroup();
          long position = state.positionOf(first);
          long freed = position - state.head();
          if (freed > 0) {
            sink.writeHead(position, first);
            state.moveHead(position, first);
          }
          return freed;
        });
  }

  /**
   * Makes all that was appended durable with one force.
   *
   * @return whether there was anything
   */
  public boolean commitGroup() throws IOException {
    return sink.commit(state::take);
  }

  /**
   * Commits, and writes down that the last group was durable too, so that damage to it is found. To
   * be called when the log has been idle for a while.
   */
  public void seal() throws IOException {
    sink.exclusively(
        () -> {
          commitGroup();
          sink.seal();
          return true;
        });
  }

  /**
   * As {@link #seal}, if damage to records up to a sequence might pass for a torn tail. To be
   * called before another file says that it has them: a log that was cut off gives their sequences
   * to other changes.
   */
  public void sealUpTo(long sequence) throws IOException {
    if (sealedSequence() < sequence) {
      seal();
    }
  }

  /** Whether damage to anything that is durable would be found: see {@link #seal}. */
  public boolean isSealed() throws IOException {
    return sink.isSealed();
  }

  /**
   * Gives the log up, as an error of its own store would: those who wait for room or for a record
   * fail, and nothing is written any more. For one who cannot continue himself.
   */
  public void abandon(Throwable cause) {
    sink.abandon(cause);
  }

  /** Completes when a record and all before it are durable; fails if that will not happen. */
  public CompletableFuture<Void> whenDurable(long sequence) {
    return durable.whenDurable(sequence);
  }

  /** Sequence up to which all records are durable. */
  public long durableSequence() {
    return durable.durable();
  }

  /** Sequence up to which damage to a record would be found: see {@link #seal}. */
  public long sealedSequence() throws IOException {
    return sink.sealedSequence();
  }

  /** What a reply of a slot has to wait for if its request led to no record of its own. */
  public long lastSequence(SlotKey slot) {
    return state.lastSequence(slot);
  }

  /** Whether a change is one of the replica's bytes. */
  public static boolean hasBytes(LogRecord record) {
    return LogIndex.changedBytes(record) > 0;
  }

  /** Identifies the log; sequences are those of one salt. */
  public long salt() {
    return sink.salt();
  }

  /** Bytes that records may lie in. */
  public long sizeBytes() {
    return state.ringBytes();
  }

  /** Bytes between the oldest record that counts and the newest. */
  public long usedBytes() {
    return state.usedBytes();
  }

  /** Waits, for so long, until there is something to commit or the log is closed or has failed. */
  void awaitPending(long maxMs) throws InterruptedException {
    state.awaitPending(maxMs, this::isUsable);
  }

  /** Whether the log is neither closed nor failed. */
  boolean isUsable() {
    return !isClosed.get() && !sink.hasFailed();
  }

  /**
   * Seals the log; later calls and those that wait for room fail. Idempotent. A log that has failed
   * is only closed.
   */
  @Override
  public void close() throws IOException {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    state.wakeAll();
    if (!sink.hasFailed()) {
      seal();
    }
  }

  private void checkUsable() throws LogFailedException {
    sink.checkNotFailed();
    Checks.state(!isClosed.get(), "use an update log", "isClosed", isClosed, "an open log");
  }
}
