/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Block groups that are not verified yet, and who is at work on them.
 *
 * <pre>
 *   WRITTEN --closed--> SAMPLE --compared--> WHOLE --fits--> (verified, forgotten)
 *                                              |
 *                                              +--wrong parity--> DROPPING --saved--> REBUILDING
 *                                              |                  REBUILDING --units back--> SAMPLE
 *                                              |
 *                                              +--no cure--> CONTRADICTORY --much later--> SAMPLE
 * </pre>
 *
 * <p><b>Invariants.</b> Every id below {@link #nextId} that is not in here is done: verified, gone,
 * of no interest, or given up after {@link Limits#maxAttempts} attempts none of which found a
 * contradiction. A group is handed out to one node at a time. Who adds groups heeds {@link #room},
 * so that there are no more than {@link Limits#maxOpen}, without those that are contradictory and
 * those that are being written. Of the former there are at most {@link #MAX_CONTRADICTORY}. Those
 * beyond are dropped, and {@link #wasContradictionDropped} says so from then on, in the next
 * NameNode, too. Of the latter there are as many as the NameNode has: a file can stay open for as
 * long as its writer likes, and must not keep other groups from being verified. A group in which
 * data is suspected is doubted, and a group that is doubted is open.
 *
 * <p>Time is passed in, in milliseconds of a monotonic clock. Thread-safe.
 */
public final class VerifyQueue {
  /** What is to be done next with a group. */
  public enum Stage {
    /** It, or its file, is being written: look again later. Its attempts begin again then. */
    WRITTEN,
    /** To be compared by checksums and samples. */
    SAMPLE,
    /** To be compared byte by byte. */
    WHOLE,
    /** Wrong parity is dropped as soon as the next NameNode would not doubt the group. */
    DROPPING,
    /** Wrong parity was dropped: look again when all units are back. */
    REBUILDING,
    /**
     * Parity and data contradict each other, and nothing more is done: compare again much later.
     */
    CONTRADICTORY
  }

  /**
   * Bounds.
   *
   * @param maxOpen groups kept, without those that are being written or contradictory
   * @param taskTimeoutMs until a group is taken from a node that has not reported
   * @param retryMs until a group is tried again that could not be compared; doubles each time
   * @param maxAttempts of that kind
   */
  public record Limits(int maxOpen, long taskTimeoutMs, long retryMs, int maxAttempts) {}

  /** A group in a node's hands. */
  public record Task(long taskId, long groupId, Stage stage) {}

  /**
   * What became of tasks that were not reported in time.
   *
   * @param tasks that ended
   * @param abandoned groups of them that are given up
   */
  public record Expired(int tasks, List<Long> abandoned) {
    public Expired {
      abandoned = List.copyOf(abandoned);
    }
  }

  /** Contradictory groups kept. */
  static final int MAX_CONTRADICTORY = 10_000;

  /**
   * Open ids that are kept durably. More never fit: one takes a byte at least, and {@link
   * ProgressFormat} would leave them out, too.
   */
  static final int MAX_DURABLE = 1 << 15;

  private static final long MAX_RETRY_MS = 3_600_000;

  /** Somebody may have mended the group, or deleted its file. */
  private static final long CONTRADICTORY_MS = 6 * MAX_RETRY_MS;

  /** A group that is not being written. Guarded by the queue. */
  private static final class Open {
    private Stage stage;
    private int attempts;
    private long dueMs;
    private @Nullable String node;
    private long taskId;

    private Open(Stage stage, long dueMs) {
      this.stage = stage;
      this.dueMs = dueMs;
    }
  }

  private final Limits limits;
  private final NavigableMap<Long, Open> open = new TreeMap<>();

  /** Groups of stage WRITTEN; none of them is in the other map. Guarded by this. */
  private final WrittenGroups written = new WrittenGroups();

  private long nextId = VerifyProgress.NONE.nextId();
  private long lastTaskId;
  private long cursor = Long.MIN_VALUE;
  private int contradictory;
  private boolean hasNewDrop;
  private volatile boolean wasContradictionDropped;

  /** Guarded by this. */
  private final TakenGroups taken = new TakenGroups();

  /** Open groups. Guarded by this, but for what the NameNode asks under its own lock. */
  private final DoubtedGroups doubts = new DoubtedGroups();

  public VerifyQueue(Limits limits) {
    this.limits = limits;
  }

  /** Begins with what is durable; all that is open is looked at as if it were written. */
  public synchronized void restore(VerifyProgress progress) {
    open.clear();
    written.clear();
    taken.clear();
    contradictory = 0;
    hasNewDrop = false;
    nextId = progress.nextId();
    wasContradictionDropped = progress.areDoubtsDropped();
    progress.open().forEach(written::add);
    progress.doubted().forEach(written::add);
    doubts.restore(progress);
  }

  /**
   * To be kept durably. Of more than {@link #MAX_DURABLE} open ids those beyond are to be looked at
   * once more.
   */
  public synchronized VerifyProgress progress() {
    hasNewDrop = false;
    doubts.saving();
    List<Long> others =
        Stream.concat(durable(open.keySet().stream()), durable(written.all())).sorted().toList();
    return new VerifyProgress(
            nextId, wasContradictionDropped, doubts.durable(), doubts.suspected(), others)
        .withFirstOpen(MAX_DURABLE);
  }

  /** Of ascending ids those that are listed as open, and one more than there is room for. */
  private Stream<Long> durable(Stream<Long> ids) {
    return ids.takeWhile(id -> id < nextId)
        .filter(id -> !doubts.isDurable(id))
        .limit(MAX_DURABLE + 1L);
  }

  /**
   * Whether a doubt began or ended, or data came to be suspected, after {@link #progress} was
   * called last.
   */
  public synchronized boolean hasChangedDoubt() {
    return hasNewDrop || doubts.isChanged();
  }

  /** The first id that was not looked at. */
  public synchronized long nextId() {
    return nextId;
  }

  /** Whether a group was not looked at yet, or is to be verified still. */
  public synchronized boolean isOpen(long groupId) {
    return groupId >= nextId || isKept(groupId);
  }

  private boolean isKept(long groupId) {
    return open.containsKey(groupId) || written.contains(groupId);
  }

  /**
   * Whether a comparison of the group did not fit, no other one has fitted since, and what did not
   * fit is still there. See {@link #wasContradictionDropped}. Waits for nobody.
   */
  public boolean isDoubted(long groupId) {
    return doubts.contains(groupId);
  }

  /**
   * Whether there were more contradictory groups than are kept, so that any may be one. Waits for
   * nobody.
   */
  public boolean wasContradictionDropped() {
    return wasContradictionDropped;
  }

  /** A comparison did not fit. */
  public synchronized void doubt(long groupId) {
    doubt(groupId, Set.of());
  }

  /**
   * A comparison did not fit.
   *
   * @param parity that was compared
   */
  public synchronized void doubt(long groupId, Set<ParityReplica> parity) {
    if (isKept(groupId)) {
      doubts.add(groupId, parity);
    }
  }

  /**
   * HDFS may encode parity of the group from its data, and put it where it was. Of a group that is
   * not doubted that does not matter.
   */
  public synchronized void voidWitnesses(long groupId) {
    doubts.voidWitnesses(groupId);
  }

  /**
   * Whether a group's parity may be another one than when the group came to be doubted, as of every
   * group that was doubted before {@link #restore}. What was encoded since fits the data, right or
   * wrong, and is no evidence against other parity.
   *
   * @param parity that is there now
   */
  public synchronized boolean hasOtherWitnesses(long groupId, Set<ParityReplica> parity) {
    return doubts.hasOtherWitnesses(groupId, parity);
  }

  /**
   * Parity may be right, and a data unit wrong. That holds until all bytes fit, or the group is
   * gone: once HDFS has rebuilt a unit of parity from such data, a comparison names right parity
   * wrong.
   */
  public synchronized void suspectData(long groupId) {
    if (isKept(groupId)) {
      doubts.suspect(groupId);
    }
  }

  /** Whether the parity of a group may be right, and its data wrong, as far as was found ever. */
  public synchronized boolean isDataSuspected(long groupId) {
    return doubts.isSuspected(groupId);
  }

  /**
   * The parity of a group is wrong, and is to be dropped once {@link #progress} is saved. If it
   * were dropped before, the next NameNode could find the group doubted and a part of its units
   * rebuilt; it would have to take the others for evidence.
   */
  public synchronized void dropping(long groupId, long nowMs) {
    advance(groupId, Stage.DROPPING, nowMs);
    doubts.end(groupId);
  }

  /**
   * The wrong parity of a group was dropped. What is left was compared and fits, so it is no more
   * doubted: while a unit is missing nothing else can be compared, and the others are needed.
   */
  public synchronized void dropped(long groupId, long nowMs) {
    advance(groupId, Stage.REBUILDING, nowMs);
    doubts.remove(groupId);
  }

  /** Nothing more can be done about a group that contradicts itself. */
  public synchronized void contradicts(long groupId, long nowMs) {
    if (!isKept(groupId)) {
      return;
    }
    if (contradictory >= MAX_CONTRADICTORY) {
      hasNewDrop |= !wasContradictionDropped;
      wasContradictionDropped = true;
      remove(groupId);
      return;
    }
    doubt(groupId);
    advance(groupId, Stage.CONTRADICTORY, nowMs + CONTRADICTORY_MS);
    Objects.requireNonNull(open.get(groupId)).attempts = 0;
  }

  private void set(Open group, Stage stage) {
    contradictory += count(stage) - count(group.stage);
    group.stage = stage;
  }

  private void remove(long groupId) {
    if (isKept(groupId)) {
      takeOut(groupId);
      doubts.remove(groupId);
    }
  }

  private void takeOut(long groupId) {
    written.remove(groupId);
    Open group = open.remove(groupId);
    if (group != null) {
      giveBack(groupId, group);
      contradictory -= count(group.stage);
    }
  }

  /** No node has it any more. */
  private void giveBack(long groupId, Open group) {
    if (group.node != null) {
      taken.remove(group.node, groupId);
      group.node = null;
    }
  }

  private static int count(Stage stage) {
    return stage == Stage.CONTRADICTORY ? 1 : 0;
  }

  /** How many groups can be added, or go on from stage WRITTEN. */
  public synchronized int room() {
    return Math.max(0, limits.maxOpen() - (open.size() - contradictory));
  }

  /** Groups that are open. */
  public synchronized int size() {
    return open.size() + written.size();
  }

  /** Groups of a stage, whoever has them. */
  public synchronized int size(Stage stage) {
    return stage == Stage.WRITTEN
        ? written.size()
        : (int) open.values().stream().filter(each -> each.stage == stage).count();
  }

  /** All ids below this one were looked at; those to be verified were added before. */
  public synchronized void walkedTo(long id) {
    nextId = Math.max(nextId, id);
  }

  /** Adds a group that was looked at. */
  public synchronized void add(long groupId, Stage stage, long nowMs) {
    if (!isKept(groupId)) {
      put(groupId, stage, nowMs);
    }
  }

  private void put(long groupId, Stage stage, long dueMs) {
    if (stage == Stage.WRITTEN) {
      written.add(groupId);
    } else {
      open.put(groupId, new Open(stage, dueMs));
      contradictory += count(stage);
    }
  }

  /**
   * Groups of a stage whose time has come and that nobody has, going round: those that were named
   * longest ago first. The time of those that are being written has always come.
   */
  public synchronized List<Long> due(Stage stage, int max, long nowMs) {
    if (stage == Stage.WRITTEN) {
      return written.next(max);
    }
    List<Long> due = new ArrayList<>();
    collect(open.tailMap(cursor, /* inclusive= */ false), stage, max, nowMs, due);
    if (due.size() < max) {
      collect(open.headMap(cursor, /* inclusive= */ true), stage, max, nowMs, due);
    }
    if (!due.isEmpty()) {
      cursor = due.get(due.size() - 1);
    }
    return due;
  }

  private static void collect(
      NavigableMap<Long, Open> from, Stage stage, int max, long nowMs, List<Long> to) {
    for (var each : from.entrySet()) {
      if (to.size() >= max) {
        return;
      }
      Open group = each.getValue();
      if (group.stage == stage && group.node == null && group.dueMs <= nowMs) {
        to.add(each.getKey());
      }
    }
  }

  /**
   * Hands a group out.
   *
   * @param extraMs that the task may take beyond the limit
   * @return empty: it is not to be had any more
   */
  public synchronized Optional<Task> take(
      long groupId, Stage stage, String node, long extraMs, long nowMs) {
    Open group = open.get(groupId);
    if (group == null || group.stage != stage || group.node != null || group.dueMs > nowMs) {
      return Optional.empty();
    }
    group.node = node;
    taken.add(node, groupId);
    group.taskId = ++lastTaskId;
    group.dueMs = nowMs + limits.taskTimeoutMs() + extraMs;
    return Optional.of(new Task(group.taskId, groupId, stage));
  }

  /** A node that asks for work has nothing in hand: what it had is to be had again. */
  public synchronized void release(String node) {
    for (long groupId : taken.of(node)) {
      Open group = Objects.requireNonNull(open.get(groupId));
      giveBack(groupId, group);
      group.dueMs = Long.MIN_VALUE;
    }
  }

  /** Takes groups from nodes that have not reported in time: each has failed once more. */
  public synchronized Expired expire(long nowMs) {
    List<Long> late =
        taken
            .all()
            .filter(id -> Objects.requireNonNull(open.get(id)).dueMs <= nowMs)
            .sorted()
            .toList();
    return new Expired(late.size(), late.stream().filter(id -> !retry(id, nowMs)).toList());
  }

  /** The task, if it is this node's still. */
  public synchronized Optional<Task> find(long groupId, long taskId, String node) {
    Open group = open.get(groupId);
    return group == null || group.taskId != taskId || !node.equals(group.node)
        ? Optional.empty()
        : Optional.of(new Task(taskId, groupId, group.stage));
  }

  /** Goes on with another stage, whoever had the group. */
  public synchronized void advance(long groupId, Stage stage, long dueMs) {
    Open group = open.get(groupId);
    if (group != null && stage != Stage.WRITTEN) {
      set(group, stage);
      giveBack(groupId, group);
      group.dueMs = dueMs;
    } else if (isKept(groupId)) {
      takeOut(groupId);
      put(groupId, stage, dueMs);
    }
  }

  /** Goes on with another stage unless a node has it, or it has another stage by now. */
  public synchronized void postpone(long groupId, Stage from, Stage to, long dueMs) {
    Open group = open.get(groupId);
    boolean isIdle = group != null && group.node == null && group.stage == from;
    if (isIdle || from == Stage.WRITTEN && written.contains(groupId)) {
      advance(groupId, to, dueMs);
    }
  }

  /**
   * It could not be compared: again later.
   *
   * @return false: it was given up
   */
  public synchronized boolean retry(long groupId, long nowMs) {
    Open group = open.get(groupId);
    if (group == null) {
      return true;
    }
    group.attempts++;
    if (group.attempts >= limits.maxAttempts()) {
      if (doubts.contains(groupId)) {
        contradicts(groupId, nowMs);
      } else {
        remove(groupId);
      }
      return false;
    }
    int doublings = Math.min(group.attempts - 1, Long.SIZE / 4);
    giveBack(groupId, group);
    group.dueMs = nowMs + Math.min(MAX_RETRY_MS, limits.retryMs() << doublings);
    if (group.stage == Stage.WHOLE || group.stage == Stage.DROPPING) {
      set(group, Stage.SAMPLE);
    }
    return true;
  }

  /** It is not to be verified. A doubt is kept: another configuration may want it again. */
  public synchronized void unwanted(long groupId, long nowMs) {
    if (isDoubted(groupId)) {
      contradicts(groupId, nowMs);
    } else {
      remove(groupId);
    }
  }

  /** Nothing is left to be done with it. */
  public synchronized void done(long groupId) {
    remove(groupId);
  }
}
