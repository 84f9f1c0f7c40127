/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Sessions that a DataNode may serve, by the answers of the NameNodes of one nameservice. Whoever
 * serves asks {@link #isLive(SessionId, long)} when it is about to make a change, not only when a
 * connection begins.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>a session is live only while the answer that lists it is valid, counted from when the
 *       report was sent;
 *   <li>nobody is served a unit of a group that the same answer calls replaced;
 *   <li>of two NameNodes that say that they are active, the one whose log is further is believed,
 *       as by HDFS itself;
 *   <li>a session that has been live is over only when a list says so: by its absence, or, while a
 *       list is provisional, by name. Until then it is suspended: not served, and nothing of it is
 *       ended;
 *   <li>a version is reported as applied only after whoever serves has said that nothing of
 *       sessions that it does not list is being executed; and a session as suspended only after he
 *       has said it of that session. Meanwhile further answers may be taken;
 *   <li>where something of a few sessions does not end, a version is reported with the names of
 *       these: of every other session that it does not list he has said that nothing is being
 *       executed. Nothing of this term is reported while something of a suspended session is.
 * </ul>
 *
 * <p><b>Why a session that is not named has ended.</b> Say that a report names version v and some
 * sessions that linger, and session S is neither one of these nor in the list of v. When the answer
 * with v was taken, S was either not known here, so that no request of it ever passed {@link
 * #isLive(SessionId, long)}; or live or suspended before, and became over; or over already. From
 * when it is over until {@link #applied} says that nothing of it is under way it is in {@link
 * Due#over}. Whoever serves counts each request before it asks {@link #isLive(SessionId, long)}, so
 * the requests that he counts after the answer was taken are all that there can be of S. He found
 * none, or would have named it.
 *
 * <p>Thread-safe; takes no other lock.
 */
public final class LiveSessions {
  /** Unit i of a block group has the group's id plus i: HdfsServerConstants' mask of the index. */
  static final long UNIT_MASK = 15;

  private final LongSupplier clockMs;
  private final Map<String, Applied> applied = new HashMap<>();
  private Optional<String> believed = Optional.empty();
  private long believedTransactionId;

  /** Counts the answers that were taken. */
  private long answers;

  /** The first answer of those that the believed NameNode has given in a row, in one term. */
  private long firstOfTerm;

  /** The last answer of which nothing is left to do. */
  private long quietAnswer;

  private SessionList list = SessionList.NONE;
  private long validUntilMs;
  private long askedAtMs = Long.MIN_VALUE;
  private Set<Long> replaced = Set.of();

  /** Live by an earlier term, and neither live nor over by the list. */
  private Map<SessionId, SessionOwner> suspended = Map.of();

  /** Since which answer each of them is. */
  private final Map<SessionId, Long> suspendedSince = new HashMap<>();

  /** Over, and not known to be quiescent; since which answer. */
  private final Map<SessionId, Long> endingSince = new HashMap<>();

  /**
   * What a NameNode learns.
   *
   * @param version as {@link NodeReport#appliedVersion}
   */
  public record Applied(long incarnation, long version, LingeringSessions lingering) {
    static final Applied NOTHING = new Applied(0, 0);

    /** No session lingers. */
    public Applied(long incarnation, long version) {
      this(incarnation, version, LingeringSessions.none(version));
    }

    /** The same of the next version, but for some sessions. */
    private Applied followedBy(Applied next, Set<SessionId> lingering) {
      if (lingering.isEmpty()) {
        return next;
      }
      Applied before = incarnation == next.incarnation ? this : new Applied(next.incarnation, 0);
      return lingering.size() > LingeringSessions.MAX_SESSIONS
          ? before
          : new Applied(
              next.incarnation, before.version, new LingeringSessions(next.version, lingering));
    }
  }

  /**
   * What is to be done before an answer is applied: looking, or waiting, until nothing of these
   * sessions is under way.
   *
   * @param answer its number, which rises; 0: there was none
   * @param nameNode that gave it
   * @param next what {@link #appliedOf} says of it then
   * @param over never live again
   * @param suspended perhaps live again
   */
  public record Due(
      long answer, String nameNode, Applied next, Set<SessionId> over, Set<SessionId> suspended) {}

  /**
   * @param clockMs monotonic
   */
  public LiveSessions(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.validUntilMs = clockMs.getAsLong();
  }

  /**
   * Takes an answer.
   *
   * <p>Groups that are replaced end nothing that is under way. A group is replaced only when the
   * DataNodes of its lost units have had no valid answer since before its other units were locked:
   * so on a lost one nothing has begun since then that {@link #isLive} was asked about. A request
   * that it has begun before, and that it was stopped in the middle of, may still end, as with a
   * session that is over. It changes a unit that belongs to no file any more, and whoever sent it
   * has been waiting for it since before the units were locked; what he does next is refused by
   * these locks, or here. On the other units it is the locks that end what is under way.
   *
   * @param nameNode that answered, for comparisons only; each one's answers come in order
   * @param askedAtMs on this object's clock, before the report was sent
   * @return sessions that were live by an earlier answer and are over, and of which nobody has said
   *     yet that nothing of them is under way; see {@link #due}, which may be done also when there
   *     are none
   */
  public synchronized Set<SessionId> accept(String nameNode, NodeAnswer answer, long askedAtMs) {
    if (!answer.active() || !believes(nameNode, answer.transactionId())) {
      return Set.of();
    }
    SessionList next = answer.sessions();
    answers++;
    if (!isBelieved(nameNode) || next.incarnation() != list.incarnation()) {
      firstOfTerm = answers;
      applied.clear(); // whoever was believed meanwhile may have called others live
    }
    believed = Optional.of(nameNode);
    believedTransactionId = answer.transactionId();
    Map<SessionId, SessionOwner> left = new HashMap<>(suspended);
    left.putAll(list.live());
    left.keySet().removeAll(next.ids());
    Map<SessionId, SessionOwner> waiting = new HashMap<>();
    if (next.provisional()) {
      waiting.putAll(left);
      waiting.keySet().removeAll(next.ended());
      waiting.keySet().removeAll(endingSince.keySet());
    }
    left.keySet().removeAll(waiting.keySet());
    left.keySet().forEach(id -> endingSince.putIfAbsent(id, answers));
    endingSince.keySet().removeAll(next.ids());
    suspended = Map.copyOf(waiting);
    suspendedSince.keySet().retainAll(suspended.keySet());
    suspended.keySet().forEach(id -> suspendedSince.putIfAbsent(id, answers));
    list = next;
    replaced = answer.replaced();
    validUntilMs = askedAtMs + answer.validMs();
    this.askedAtMs = askedAtMs;
    return Set.copyOf(endingSince.keySet());
  }

  private boolean isBelieved(String nameNode) {
    return believed.isPresent() && believed.get().equals(nameNode);
  }

  private boolean believes(String nameNode, long transactionId) {
    return believed.isEmpty() || isBelieved(nameNode) || transactionId > believedTransactionId;
  }

  /**
   * What is to be done for the last answer that was taken, and then said by {@link #applied}. What
   * lingers is in it again.
   */
  public synchronized Due due() {
    return new Due(
        answers,
        believed.orElse(""),
        new Applied(list.incarnation(), list.version()),
        Set.copyOf(endingSince.keySet()),
        suspended.keySet());
  }

  /**
   * No request is under way of the sessions of {@link #due}, but for those that linger, and those
   * that a later answer has called live again. Later answers may have been taken meanwhile: what is
   * due for those is left, and so are sessions that linger.
   *
   * <p>As long as a suspended one lingers no more is reported than before: a NameNode that learns
   * what is suspended here takes the rest for ended.
   *
   * @param lingering of the sessions of {@code done}, found when it had been taken
   * @return whether the NameNode that is believed should learn of it at once
   */
  public synchronized boolean applied(Due done, Set<SessionId> lingering) {
    endingSince
        .entrySet()
        .removeIf(each -> each.getValue() <= done.answer() && !lingering.contains(each.getKey()));
    if (!Collections.disjoint(lingering, done.suspended())) {
      return false;
    }
    boolean isNews = suspendedSince.values().stream().anyMatch(at -> isNewlyQuiet(at, done));
    quietAnswer = Math.max(quietAnswer, done.answer());
    if (!isBelieved(done.nameNode()) || done.answer() < firstOfTerm) {
      return isNews; // of a NameNode that was believed before, or of its earlier term
    }
    Applied before = appliedOf(done.nameNode());
    Set<SessionId> left = new HashSet<>(done.over());
    left.retainAll(lingering);
    applied.clear();
    applied.put(done.nameNode(), before.followedBy(done.next(), left));
    return isNews || before.incarnation() != done.next().incarnation();
  }

  private boolean isNewlyQuiet(long sinceAnswer, Due done) {
    return sinceAnswer > quietAnswer && sinceAnswer <= done.answer();
  }

  /**
   * Sessions that an earlier NameNode has called live, and that the last list neither calls live
   * nor over: nothing of them is executed, and nothing of theirs is ended.
   */
  public synchronized Set<SessionId> suspended() {
    return suspended.keySet();
  }

  /**
   * As {@link #suspended()}, for the NameNode whose list it is; nobody else learns of any. Only
   * those of which {@link #applied} has said that nothing is under way: it may call them live.
   */
  public synchronized Map<SessionId, SessionOwner> suspendedFor(String nameNode) {
    Map<SessionId, SessionOwner> quiet = new HashMap<>();
    if (isBelieved(nameNode)) {
      quiet.putAll(suspended);
      quiet.keySet().removeIf(id -> suspendedSince.getOrDefault(id, 0L) > quietAnswer);
    }
    return quiet;
  }

  /** What a NameNode learns with the next report. */
  public synchronized Applied appliedOf(String nameNode) {
    return applied.getOrDefault(nameNode, Applied.NOTHING);
  }

  /** Whether an active NameNode has answered a report that was sent at that time or later. */
  public synchronized boolean isAnsweredSince(long sentMs) {
    return askedAtMs >= sentMs;
  }

  /**
   * Which sessions are over, for good: an active NameNode has answered a report that was sent at
   * that time or later without them, they cannot be attached any more, and nothing of them is under
   * way. A session that was not open yet when the report was sent must not be asked about.
   */
  public synchronized Set<SessionId> over(Set<SessionId> asked, long sentMs) {
    if (askedAtMs < sentMs) {
      return Set.of();
    }
    Set<SessionId> over = new HashSet<>(asked);
    if (list.provisional()) {
      over.retainAll(list.ended()); // it may still list any other
    }
    over.removeAll(list.ids());
    over.removeAll(endingSince.keySet());
    return over;
  }

  /**
   * Which numbers of sessions ({@link SessionId#number}) are of none that is open, that may be
   * attached again, or of which something may be under way. None while that is not known.
   *
   * @param asked numbers of sessions that were listed by an earlier answer, to this process or one
   *     before it
   */
  public synchronized Set<Long> overByNumber(Set<Long> asked) {
    if (believed.isEmpty() || list.provisional()) {
      return Set.of();
    }
    Set<Long> over = new HashSet<>(asked);
    for (Set<SessionId> some : List.of(list.ids(), suspended.keySet(), endingSince.keySet())) {
      some.forEach(id -> over.remove((long) id.number()));
    }
    return over;
  }

  /**
   * Whether requests of a session may be executed now for a unit.
   *
   * @param blockId of the unit
   */
  public synchronized boolean isLive(SessionId id, long blockId) {
    return isLive(id) && !replaced.contains(blockId & ~UNIT_MASK);
  }

  /** Whether a session is open, as far as is known now. What may be executed is said above. */
  public synchronized boolean isLive(SessionId id) {
    return validUntilMs - clockMs.getAsLong() > 0 && list.live().containsKey(id);
  }
}
