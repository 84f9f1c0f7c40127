/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Block groups that are being healed, or were while sessions may know their units. All DataNodes
 * learn of them with each answer, and execute nothing for their units: a session stays live over
 * the healing of its group, and a lost DataNode that comes back would serve it the old unit.
 *
 * <pre>
 *          begin                   end(NO)
 *   (none) -----&gt; being healed ------------------&gt; (none), unless it was replaced before
 *                   |    |  end(UNKNOWN)
 *                   |    +------------&gt; perhaps replaced --review--&gt; replaced, or (none)
 *                   |      end(YES)
 *                   +-----------------&gt; replaced ----review, when no session knows it---&gt; (none)
 * </pre>
 *
 * <p><b>Invariant</b>: a group is listed from before it is judged whether it may be healed until no
 * session is left that may know its units, unless it is certain that it was not replaced.
 *
 * <p>Soft, like sessions: those of another NameNode or an earlier term know groups that are not
 * listed, and are not live any more. Thread-safe; takes no other lock.
 */
final class ReplacedGroups {
  private final Map<Long, Entry> groups = new ConcurrentHashMap<>();

  /** Whether a group was replaced. */
  enum Outcome {
    NO,
    /** The call has failed, perhaps after the file was changed. */
    UNKNOWN,
    YES
  }

  /** A group that is listed. Immutable, and equal only to itself: each change makes another. */
  static final class Entry {
    /** Of its file. */
    final long inodeId;

    /** Under way. */
    final int healings;

    /** Of healings before. */
    final Outcome outcome;

    private Entry(long inodeId, int healings, Outcome outcome) {
      this.inodeId = inodeId;
      this.healings = healings;
      this.outcome = outcome;
    }

    private Entry plus(int more, Outcome with) {
      return new Entry(inodeId, healings + more, outcome.compareTo(with) >= 0 ? outcome : with);
    }
  }

  /** From now on it is listed: before it is judged. Ended by {@link #end}, once. */
  void begin(long groupId, long inodeId) {
    groups.merge(groupId, new Entry(inodeId, 1, Outcome.NO), (old, one) -> old.plus(1, Outcome.NO));
  }

  /** A healing has ended. */
  void end(long groupId, Outcome outcome) {
    groups.computeIfPresent(
        groupId,
        (id, old) -> {
          Entry left = old.plus(-1, outcome);
          return left.healings == 0 && left.outcome == Outcome.NO ? null : left;
        });
  }

  /** What DataNodes learn. */
  Set<Long> ids() {
    return Set.copyOf(groups.keySet());
  }

  /** The namespace, as far as it matters here. */
  interface Files {
    /** Whether a file is there. */
    boolean exists(long inodeId) throws IOException;

    /** Whether a file is there, and has a group. */
    boolean has(long inodeId, long groupId) throws IOException;
  }

  /**
   * Forgets groups that no session knows, and finds out what became of those whose healing has
   * failed. While the file of a session is gone, its blocks can have been part of any other, and
   * none is forgotten: as for holds.
   *
   * @param inodes of the files of all sessions; asked for after it is noted which groups are
   *     listed, as a session that knows a group was open before that was healed
   */
  void review(Supplier<Set<Long>> inodes, Files files) throws IOException {
    Map<Long, Entry> seen = idle();
    if (seen.isEmpty()) {
      return;
    }
    Set<Long> used = inodes.get();
    boolean isAnyGone = false;
    for (long inode : used) {
      isAnyGone |= !files.exists(inode);
    }
    for (Map.Entry<Long, Entry> each : seen.entrySet()) {
      long groupId = each.getKey();
      Entry entry = each.getValue();
      boolean isReplaced = entry.outcome == Outcome.YES || !files.has(entry.inodeId, groupId);
      if (!isReplaced || !isAnyGone && !used.contains(entry.inodeId)) {
        groups.remove(groupId, entry);
      } else {
        groups.replace(groupId, entry, entry.plus(0, Outcome.YES));
      }
    }
  }

  /** Those of which no healing is under way. */
  Map<Long, Entry> idle() {
    return groups.entrySet().stream()
        .filter(each -> each.getValue().healings == 0)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
