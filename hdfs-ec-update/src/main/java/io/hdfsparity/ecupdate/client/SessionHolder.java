/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import io.hdfsparity.bridge.wire.NameNodeNotReadyException;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Granted;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Refused;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * A session at the NameNode, and what it last said: where everything is, with tokens. Calls are
 * made as the user who opened it. Thread-safe.
 */
final class SessionHolder {
  private static final System.Logger LOG = System.getLogger(SessionHolder.class.getName());

  /** The active session manager, asked as the user who opened the file. */
  @FunctionalInterface
  interface Manager {
    SessionAnswer ask(ClosedConnection closed, SessionManagers.Call<SessionAnswer> call)
        throws IOException;

    /** What may be executed twice: the second answer is as good as the first. */
    default SessionAnswer ask(SessionManagers.Call<SessionAnswer> call) throws IOException {
      return ask(ClosedConnection.CALL_AGAIN, call);
    }
  }

  /** How long a NameNode that has just become active may learn what DataNodes keep suspended. */
  private static final long OPEN_WAIT_MS = 10_000;

  /** Refusals of a NameNode to which DataNodes have not reported enough yet. */
  private static final Set<RefusalKind> NOT_YET =
      Set.of(RefusalKind.SUSPENDED, RefusalKind.MISSING_UNIT, RefusalKind.NO_CAPABILITY);

  private final Manager manager;
  private final OpenRequest request;
  private final Object refreshing = new Object();
  private volatile KnownSession known;
  private volatile @Nullable SessionOverException over;

  /** Ids of groups that are in use; null: the session is not attached anywhere. */
  private volatile @Nullable Supplier<Set<Long>> used;

  /**
   * What the NameNode said.
   *
   * @param version higher when it was said later
   * @param atNanos before it was asked
   * @param settledGroup id of a group of which each unit was in one place exactly; empty: of none
   *     that is known
   */
  record KnownSession(
      UpdateSession session, long version, long atNanos, OptionalLong settledGroup) {
    long ageMs() {
      return (System.nanoTime() - atNanos) / 1_000_000;
    }
  }

  private SessionHolder(Manager manager, OpenRequest request, KnownSession known) {
    this.manager = manager;
    this.request = request;
    this.known = known;
  }

  /** All session managers of a file system, asked as the current user. */
  static Manager asCurrentUser(SessionManagers managers) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    return (closed, call) -> {
      try {
        return user.doAs(
            (PrivilegedExceptionAction<SessionAnswer>) () -> managers.callActive(closed, call));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Cannot call the session manager: interrupted");
      }
    };
  }

  /**
   * Opens a session. A NameNode that has just become active, and waits for what DataNodes keep
   * suspended, is asked again for a while; not one that has not answered, which may have opened a
   * session that is in the way of the next.
   *
   * @throws IOException if it is refused, or nobody answers
   */
  static SessionHolder open(Manager manager, OpenRequest request) throws IOException {
    return new FailoverWait(OPEN_WAIT_MS)
        .await("open " + request.path(), () -> openNow(manager, request));
  }

  private static SessionHolder openNow(Manager manager, OpenRequest request) throws IOException {
    long beganNanos = System.nanoTime();
    SessionAnswer answer;
    try {
      answer = manager.ask(active -> active.open(request));
    } catch (NameNodeNotReadyException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (answer instanceof Granted granted) {
      return new SessionHolder(
          manager,
          request,
          new KnownSession(granted.session(), 0, beganNanos, OptionalLong.empty()));
    }
    if (isRefused(answer, RefusalKind.OPENED_SINCE)) {
      throw new OpenedSinceException(refusal(answer));
    }
    throw isRefused(answer, RefusalKind.SUSPENDED)
        ? new NameNodeNotReadyException(refusal(answer), null)
        : new IOException(refusal(answer));
  }

  private static String refusal(SessionAnswer answer) {
    if (answer instanceof Refused refused) {
      return refusal(refused.refusal());
    }
    return "Cannot use an update session: answer=" + answer + ", expected another one";
  }

  static String refusal(Refusal why) {
    return why.reason() + " (" + why.kind() + "; remedy: " + why.remedy() + ")";
  }

  KnownSession known() {
    return known;
  }

  /**
   * Lets the session continue at a NameNode that has become active, and does not know it.
   *
   * @param inUse ids of all groups that anything of this client may use from before; called while
   *     nothing else is learned from the NameNode
   */
  void attachable(Supplier<Set<Long>> inUse) {
    used = inUse;
  }

  private static boolean isUnknown(SessionAnswer answer) {
    return isRefused(answer, RefusalKind.UNKNOWN_SESSION);
  }

  private static boolean isRefused(SessionAnswer answer, RefusalKind kind) {
    return answer instanceof Refused refused && refused.refusal().kind().equals(kind.word());
  }

  /**
   * Continues at a NameNode that does not know the session.
   *
   * @param said by which it has said so
   * @throws SessionOverException if that cannot be done
   * @throws NameNodeNotReadyException if DataNodes have not reported enough to it yet
   * @throws IOException if it cannot be done now
   */
  private void attach(SessionAnswer said) throws IOException {
    synchronized (refreshing) {
      Supplier<Set<Long>> inUse = used;
      if (inUse == null) {
        throw over(new SessionOverException(refusal(said)));
      }
      long beganNanos = System.nanoTime();
      UpdateSession session = known.session;
      AttachRequest attach =
          new AttachRequest(
              session.id(),
              session.file().inodeId(),
              request.client(),
              session.sharing(),
              new AttachRequest.Form(session.file().code(), inUse.get(), request.missingUnits()));
      SessionAnswer answer;
      try {
        answer = manager.ask(active -> active.attach(attach));
      } catch (AccessControlException e) {
        throw over(new SessionOverException("Cannot continue updating: " + e.getMessage(), e));
      } catch (RpcNoSuchMethodException e) {
        throw over(new SessionOverException(refusal(said), e));
      }
      if (answer instanceof Granted granted) {
        known =
            new KnownSession(
                granted.session(), known.version + 1, beganNanos, OptionalLong.empty());
        LOG.log(Level.INFO, "The update session continues at another NameNode: " + session.id());
      } else if (isUnknown(answer) || isRefused(answer, RefusalKind.GONE)) {
        throw over(new SessionOverException(refusal(answer)));
      } else if (NOT_YET.stream().anyMatch(kind -> isRefused(answer, kind))) {
        throw new NameNodeNotReadyException(refusal(answer), null);
      } else {
        throw new IOException(refusal(answer));
      }
    }
  }

  /**
   * Uses what is known while nothing else is learned: a group that it notes as in use is named when
   * the session is attached.
   */
  <T> T whileKnown(Function<KnownSession, T> use) {
    synchronized (refreshing) {
      return use.apply(known);
    }
  }

  /** Something newer than what was learned before; asks only if nobody else has asked since. */
  KnownSession refreshed(KnownSession before) throws IOException {
    synchronized (refreshing) {
      KnownSession latest = known;
      // However few there are: what is missing shows by its absence.
      return latest.version > before.version ? latest : ask(OptionalLong.empty());
    }
  }

  /**
   * What the NameNode says at a time when it knows each unit of a group in one place exactly, and
   * copies none.
   *
   * @param groupId of the group, which the file has
   * @param sinceNanos of {@link System#nanoTime}: what was asked before that does not count
   * @throws IOException if that is not so
   */
  KnownSession settled(long groupId, long sinceNanos) throws IOException {
    OptionalLong group = OptionalLong.of(groupId);
    synchronized (refreshing) {
      KnownSession latest = known;
      return latest.settledGroup.equals(group) && latest.atNanos - sinceNanos >= 0
          ? latest
          : ask(group);
    }
  }

  private KnownSession ask(OptionalLong wholeGroup) throws IOException {
    long beganNanos = System.nanoTime();
    SessionAnswer answer = locate(wholeGroup);
    if (isUnknown(answer)) {
      attach(answer);
      beganNanos = System.nanoTime();
      answer = locate(wholeGroup);
    }
    if (answer instanceof Granted granted) {
      KnownSession next =
          new KnownSession(granted.session(), known.version + 1, beganNanos, wholeGroup);
      known = next;
      return next;
    }
    renew(); // A refusal to locate may be of one group, for a while.
    throw new IOException(refusal(answer));
  }

  private SessionAnswer locate(OptionalLong wholeGroup) throws IOException {
    UpdateSession session = known.session;
    return manager.ask(
        active -> active.locate(session.id(), session.file().code().parityUnits(), wholeGroup));
  }

  /**
   * Gives the file the group of a copy in the place of one of its own.
   *
   * @param copyPath empty: it is only asked
   * @param healing as in {@link io.hdfsparity.ecupdate.protocol.SessionProtocol#replace}
   * @return empty: it is done, or may be
   */
  Optional<Refusal> replace(long groupId, Optional<String> copyPath, Optional<Healing> healing)
      throws IOException {
    SessionAnswer answer =
        manager.ask(
            // Twice at one NameNode, and the second answer would refuse what the first has done.
            ClosedConnection.CALL_NEXT,
            active -> active.replace(known.session.id(), groupId, copyPath, healing));
    return answer instanceof Refused refused ? Optional.of(refused.refusal()) : Optional.empty();
  }

  /**
   * Renews the lease, at a NameNode that does not know the session by attaching it.
   *
   * @throws SessionOverException if the session is over, or the user may not write any more
   */
  void renew() throws IOException {
    SessionAnswer answer;
    try {
      answer = manager.ask(active -> active.renew(known.session.id()));
    } catch (AccessControlException e) {
      throw over(new SessionOverException("Cannot continue updating: " + e.getMessage(), e));
    }
    if (isUnknown(answer)) {
      attach(answer);
    } else if (answer instanceof Refused) {
      throw over(new SessionOverException(refusal(answer)));
    }
  }

  /** Whether the NameNode has said that the session is over; without asking it. */
  boolean isOver() {
    return over != null;
  }

  private SessionOverException over(SessionOverException why) {
    over = why;
    return why;
  }

  /**
   * Closes the session; nothing if it is over.
   *
   * @throws IOException if the NameNode has not closed it: then it ends with its lease
   */
  void close() throws IOException {
    if (over != null) {
      return;
    }
    SessionAnswer answer = manager.ask(active -> active.close(known.session.id()));
    if (isUnknown(answer)) {
      try {
        attach(answer);
        answer = manager.ask(active -> active.close(known.session.id()));
      } catch (SessionOverException e) {
        LOG.log(Level.DEBUG, "The NameNode does not continue a session that is closed", e);
      }
    }
    if (answer instanceof Refused) {
      // The NameNode sees to the file's modification time itself.
      LOG.log(Level.WARNING, "The update session had ended before: " + refusal(answer));
    }
  }
}
