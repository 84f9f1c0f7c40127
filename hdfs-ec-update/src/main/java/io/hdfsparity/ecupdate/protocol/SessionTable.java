/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Leases of update sessions in the active NameNode. They are lost with the NameNode's process and
 * with its being active; clients attach them at the next one.
 *
 * <pre>
 *        open, attach            close, expire, end                 fenced, and touched
 *   (none) ------&gt; open [live] ---------------------&gt; over [held] ---------------------&gt; (none)
 *                    |   ^
 *                    +---+ renew
 * </pre>
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>a DataNode executes requests of a session only while it goes by an answer that lists it,
 *       and only open sessions are listed;
 *   <li>while a session is open that is exclusive, no DataNode can execute a request of another one
 *       of its file;
 *   <li>a file is held from before its first session is listed until no DataNode can execute a
 *       request of its last session, and its modification time has been set;
 *   <li>after a start or a failover every file is held until no DataNode can go by an answer of the
 *       NameNode that was active before;
 *   <li>sessions of earlier terms are attached only while every file is held, so nothing has
 *       changed the form of their files in this term; and as long as DataNodes keep them suspended.
 * </ul>
 *
 * <p>Thread-safe; asks for no other lock than the registry's, so it can be used under the
 * NameNode's.
 */
public final class SessionTable {
  private final SessionTimes times;
  private final LongSupplier clockMs;
  private final LongSupplier random;
  private final Map<SessionId, SessionEntry> sessions = new HashMap<>();
  private Optional<Long> term = Optional.empty();
  private long incarnation;
  private long version;
  private long graceEndsMs;

  /** Over in this term, while sessions may be attached. */
  private final Set<SessionId> endedInGrace = new HashSet<>();

  /** The namespace, for a question about one file. */
  public interface Namespace {
    /** Whether an inode is there. */
    boolean exists(long inodeId);

    /** Whether the file that is asked about has a block group. */
    boolean has(long groupId);
  }

  /** Why a file is held. */
  public enum Hold {
    /** Sessions of another NameNode, or of an earlier start, may still be used. */
    GRACE,
    /** A session is open. */
    OPEN,
    /** A session is over, and a DataNode may not know it yet. */
    ENDING,
    /** As before, of a file that is gone, and whose blocks are part of this one. */
    JOINED
  }

  /**
   * @param clockMs monotonic
   * @param random numbers that nobody can guess
   */
  public SessionTable(SessionTimes times, LongSupplier clockMs, LongSupplier random) {
    this.times = times;
    this.clockMs = clockMs;
    this.random = random;
  }

  /**
   * Says which term of being active this is; starts over with another one. Every caller says it
   * before anything else, so that what an earlier term left behind is never used.
   *
   * @return true: it started over
   */
  public synchronized boolean in(long nowTerm) {
    if (term.isPresent() && term.get() == nowTerm) {
      return false;
    }
    term = Optional.of(nowTerm);
    sessions.clear();
    endedInGrace.clear();
    incarnation = nonZero();
    version = 1;
    graceEndsMs = clockMs.getAsLong() + times.graceMs();
    return true;
  }

  /**
   * The NameNode is in safe mode, and does not know all units yet: what holds all files since it
   * became active holds them for as long again from now on. Of no effect once it has ended.
   */
  public synchronized void stillStarting() {
    if (isInGrace(clockMs.getAsLong())) {
      graceEndsMs = clockMs.getAsLong() + times.graceMs();
    }
  }

  /** Forgets everything: this NameNode is not active. */
  public synchronized void leave() {
    term = Optional.empty();
    sessions.clear();
    endedInGrace.clear();
  }

  /**
   * Opens a session. The file is held, and the session is live, when this returns.
   *
   * @param firstGroup id of the file's first block group; empty: it has none
   * @param request what was asked for
   * @param path resolved
   */
  public synchronized Opening open(
      long inodeId, OptionalLong firstGroup, String path, String user, OpenRequest request) {
    if (isFull(user)) {
      return Opening.refused(tooMany(path));
    }
    Optional<Refusal> inUse = inUse(inodeId, path, request.sharing());
    if (inUse.isPresent()) {
      return Opening.refused(inUse.get());
    }
    SessionId id = new SessionId(nonZero());
    while (sessions.containsKey(id)) {
      id = new SessionId(nonZero());
    }
    enter(
        new Lease(id, inodeId, path, user, request.client(), request.sharing(), Optional.empty()),
        firstGroup,
        /* attached= */ false);
    return Opening.opened(id);
  }

  /** In a grace sessions may be live that the table does not know. */
  private Optional<Refusal> inUse(long inodeId, String path, Sharing wanted) {
    long graceMs = graceLeftMs();
    if (wanted == Sharing.EXCLUSIVE && graceMs > 0) {
      return Optional.of(
          RefusalKind.IN_USE.because(
              "sessions",
              "those of an earlier NameNode may still be used, for ms=" + graceMs,
              "none beside one that is exclusive",
              path));
    }
    return excluding(inodeId, path, wanted);
  }

  /**
   * Sessions that are over count until they are fenced: late requests of theirs may be executed.
   */
  private Optional<Refusal> excluding(long inodeId, String path, Sharing wanted) {
    return sessions.values().stream()
        .map(entry -> entry.lease)
        .filter(lease -> lease.excludes(inodeId, wanted))
        .findFirst()
        .map(
            lease ->
                RefusalKind.IN_USE.because(
                    "session", lease.describe(), "none beside one that is exclusive", path));
  }

  private Refusal tooMany(String path) {
    int ending = ending();
    return times.tooMany(path, sessions.size() - ending, ending);
  }

  private boolean isFull(String user) {
    long ofUser = sessions.values().stream().filter(e -> e.lease.user().equals(user)).count();
    return sessions.size() >= times.maxSessions() || ofUser >= times.maxPerUser();
  }

  private void enter(Lease lease, OptionalLong firstGroup, boolean attached) {
    SessionEntry entry = new SessionEntry(lease, clockMs.getAsLong(), times.leaseMs(), attached);
    firstGroup.ifPresent(entry.firstGroup::add);
    sessions.put(lease.id(), entry);
    version++;
  }

  /**
   * Whether a session may be one of an earlier term that is not over: the first thing that is asked
   * of one that is to be attached.
   */
  public synchronized boolean isAttachable(SessionId id) {
    return isInGrace(clockMs.getAsLong())
        && !endedInGrace.contains(id)
        && !sessions.containsKey(id);
  }

  /**
   * Opens a session under the id that it had in an earlier term, after DataNodes have said that it
   * is suspended there. When this says yes, the file is held and the session is live.
   *
   * <p>What is open in this term goes before. Whoever opens a file asks {@link GraceClaims} first.
   *
   * @param lease as it will be, open
   * @param firstGroup as for {@link #open}
   */
  public synchronized Opening attach(Lease lease, OptionalLong firstGroup) {
    SessionEntry entry = sessions.get(lease.id());
    if (entry != null && entry.isOpen() && entry.owner.isSame(lease.owner())) {
      return Opening.attachedBefore(lease.id());
    }
    if (!isAttachable(lease.id())) {
      return Opening.refused(RefusalKind.unknown(lease.id()));
    }
    if (isFull(lease.user())) {
      return Opening.refused(tooMany(lease.path()));
    }
    Optional<Refusal> inUse = excluding(lease.inodeId(), lease.path(), lease.sharing());
    if (inUse.isPresent()) {
      return Opening.refused(inUse.get());
    }
    enter(lease, firstGroup, /* attached= */ true);
    return Opening.opened(lease.id());
  }

  private long nonZero() {
    long value;
    do {
      value = random.getAsLong();
    } while (value == 0);
    return value;
  }

  /** A session, open or not yet forgotten. */
  public synchronized Optional<Lease> find(SessionId id) {
    return Optional.ofNullable(sessions.get(id)).map(entry -> entry.lease);
  }

  /**
   * Renews a session that is open, although its time is up when nobody has noticed.
   *
   * @return false: it is over
   */
  public synchronized boolean renew(SessionId id) {
    SessionEntry entry = sessions.get(id);
    if (entry == null || !entry.isOpen()) {
      return false;
    }
    entry.deadlineMs = clockMs.getAsLong() + times.leaseMs();
    return true;
  }

  /**
   * Ends a session; nothing when it is over already.
   *
   * @return whether it was open
   */
  public synchronized boolean end(SessionId id, Lease.End end) {
    SessionEntry entry = sessions.get(id);
    if (entry == null || !entry.isOpen()) {
      return false;
    }
    end(entry, end);
    return true;
  }

  private void end(SessionEntry entry, Lease.End end) {
    entry.lease = entry.lease.over(end);
    entry.endVersion = ++version;
    entry.endedMs = clockMs.getAsLong();
    if (isInGrace(entry.endedMs)) {
      endedInGrace.add(entry.lease.id());
    }
  }

  /** Ends sessions whose time is up; their files are still to be touched. */
  public synchronized List<Lease> expire() {
    long nowMs = clockMs.getAsLong();
    List<Lease> expired = new ArrayList<>();
    for (SessionEntry entry : sessions.values()) {
      if (entry.isOpen() && nowMs - entry.deadlineMs >= 0) {
        Refusal why =
            RefusalKind.EXPIRED.because(
                "lateMs", nowMs - entry.deadlineMs, "a renewal in time", entry.lease.path());
        end(entry, new Lease.End(why, /* untouched= */ true));
        expired.add(entry.lease);
      }
    }
    return expired;
  }

  /** Sessions that are open. */
  public synchronized List<Lease> open() {
    return sessions.values().stream()
        .filter(SessionEntry::isOpen)
        .map(entry -> entry.lease)
        .toList();
  }

  /** Sessions that are over, and of which no DataNode executes anything, nor ever will. */
  public synchronized List<Lease> fenced(NodeRegistry nodes) {
    List<Lease> fenced = new ArrayList<>();
    for (SessionEntry entry : sessions.values()) {
      if (!entry.isOpen() && nodes.hasEnded(incarnation, entry.lease.id(), entry.endVersion)) {
        fenced.add(entry.lease);
      }
    }
    return fenced;
  }

  /** Sessions that are over, and not yet forgotten. */
  public synchronized int ending() {
    return (int) sessions.values().stream().filter(entry -> !entry.isOpen()).count();
  }

  /**
   * DataNodes that keep sessions from being {@link #fenced} that have been over for a time.
   *
   * @param sinceMs for at least so long
   * @return ascending by UUID
   */
  public synchronized List<UpdateNode> late(NodeRegistry nodes, long sinceMs) {
    long nowMs = clockMs.getAsLong();
    Map<SessionId, Long> versions = new HashMap<>();
    for (SessionEntry entry : sessions.values()) {
      if (!entry.isOpen() && nowMs - entry.endedMs >= sinceMs) {
        versions.put(entry.lease.id(), entry.endVersion);
      }
    }
    return nodes.notEnded(incarnation, versions);
  }

  /** Forgets a session that is fenced, and whose file is touched or gone. */
  public synchronized void forget(SessionId id) {
    SessionEntry entry = sessions.get(id);
    if (entry != null && !entry.isOpen()) {
      sessions.remove(id);
    }
  }

  /** What DataNodes learn. */
  public synchronized SessionList live() {
    Map<SessionId, SessionOwner> live = new HashMap<>();
    for (SessionEntry entry : sessions.values()) {
      if (entry.isOpen()) {
        live.put(entry.lease.id(), entry.owner);
      }
    }
    boolean provisional = isInGrace(clockMs.getAsLong());
    if (!provisional) {
      endedInGrace.clear();
    }
    return new SessionList(incarnation, version, live, endedInGrace, provisional);
  }

  /** Of the sessions of this term; another one after each start and failover. */
  public synchronized long incarnation() {
    return incarnation;
  }

  /**
   * Whether a file has to stay as it is: for its own sessions, and for those of files that were
   * joined to it. A session of a file that was deleted holds nothing.
   */
  public synchronized Optional<Hold> holdOn(long inodeId, Namespace namespace) {
    if (isInGrace(clockMs.getAsLong())) {
      return Optional.of(Hold.GRACE);
    }
    Optional<Hold> hold = Optional.empty();
    for (SessionEntry entry : sessions.values()) {
      if (entry.lease.inodeId() == inodeId) {
        if (entry.isOpen()) {
          return Optional.of(Hold.OPEN);
        }
        hold = Optional.of(Hold.ENDING);
      } else if (hold.isEmpty()
          && entry.firstGroup.stream().anyMatch(namespace::has)
          && !namespace.exists(entry.lease.inodeId())) {
        hold = Optional.of(Hold.JOINED);
      }
    }
    return hold;
  }

  /** A group of a file is about to be replaced by another one, or may be. */
  public synchronized void replacing(long inodeId, long groupId, long freshId) {
    for (SessionEntry entry : sessions.values()) {
      if (entry.lease.inodeId() == inodeId && entry.firstGroup.contains(groupId)) {
        entry.firstGroup.add(freshId);
      }
    }
  }

  /** Files of all sessions, open or not yet forgotten. */
  public synchronized Set<Long> inodes() {
    Set<Long> inodes = new HashSet<>();
    sessions.values().forEach(entry -> inodes.add(entry.lease.inodeId()));
    return inodes;
  }

  /** Whether at some time a DataNode may have gone by an answer of another NameNode. */
  public synchronized boolean isInGrace(long atMs) {
    return graceEndsMs - atMs > 0;
  }

  /** For how long sessions of earlier terms may still be attached; 0 or less: no more. */
  public synchronized long graceLeftMs() {
    return graceEndsMs - clockMs.getAsLong();
  }

  /**
   * A session is about to learn that it may heal a group, and locks nothing before it has heard
   * that. What any session has asked that goes by other units of the group is void. What this one
   * had asked before with the same units counts on, since it may have locked something then, for
   * the new attempt; but not if it cannot have healed the group with that any more.
   *
   * <p><b>Invariants</b>: all that is not void of a group names the same lost units; what is void
   * stays so, since the attempts of a session only grow: a question that is heard a second time
   * would have brought it back.
   *
   * @param askedMs before it was judged, on the table's clock
   * @param counts whether it still does what was asked at a time
   * @return false: it must not learn it, as it has asked in this attempt or a later one before, or
   *     is over
   */
  public synchronized boolean askedToHeal(
      SessionId id, long groupId, Healing healing, long askedMs, LongPredicate counts) {
    SessionEntry entry = sessions.get(id);
    if (entry == null || !entry.healings.isNew(groupId, healing.attempt())) {
      return false;
    }
    for (SessionEntry each : sessions.values()) {
      each.healings.voidOthers(groupId, healing.lostUnits());
    }
    entry.healings.keep(groupId, healing, askedMs, counts);
    return true;
  }

  /**
   * When a session has asked to heal a group, on the table's clock.
   *
   * @return empty: it has not, or with other lost units or in another attempt, or another session
   *     has asked with other units since
   */
  public synchronized OptionalLong healingAskedMs(SessionId id, long groupId, Healing healing) {
    SessionEntry entry = sessions.get(id);
    return entry == null ? OptionalLong.empty() : entry.healings.askedMs(groupId, healing);
  }

  /** All of them, for people. */
  public synchronized List<SessionStatus> list() {
    long nowMs = clockMs.getAsLong();
    return sessions.values().stream()
        .map(entry -> entry.status(nowMs))
        .sorted(Comparator.comparing(SessionStatus::id))
        .toList();
  }
}
