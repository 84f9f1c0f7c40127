/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.FileRule;
import io.hdfsparity.bridge.update.FileView;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupRule;
import io.hdfsparity.ecupdate.namenode.SessionRules.Cause;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.Purpose;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Closed;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Granted;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Refused;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Renewed;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.GroupReplacer;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.apache.hadoop.security.AccessControlException;

/**
 * Serves clients. Thread-safe.
 *
 * <p><b>Order of locks</b>: the NameNode's, then the table's. A session enters the table under the
 * NameNode's read lock, in the hold under which its file was judged, so that no change of form,
 * which asks for holds under the write lock, can come between.
 *
 * <p><b>Crash</b> at any point: sessions are lost here, and with them nothing that was
 * acknowledged; clients attach them at the next NameNode. Opening has marked the file and moved up
 * its modification time before it is answered, so whoever copied the file before it finds it
 * changed, also when nobody closes the session.
 */
final class SessionCalls implements SessionProtocol {
  private static final String OPEN = "openUpdateSession";
  private static final String RENEW = "renewUpdateSession";
  private static final String CLOSE = "closeUpdateSession";
  private static final String REPLACE = "replaceBlockGroup";
  private static final String LIST = "listUpdateSessions";

  private final NameNode nameNode;
  private final UpdateFiles files;
  private final ActiveTable sessions;
  private final SessionRules rules;
  private final SessionLayout layout;
  private final SessionTimes times;
  private final SessionCounters counters;
  private final GroupReplacer replacer;
  private final ReplayGuards guards;
  private final GroupHealing healings;
  private final SessionAttach attaching;

  /** Replacements by file that are perhaps not durable yet, but seen. */
  private final Map<Long, Integer> undurable = new ConcurrentHashMap<>();

  SessionCalls(
      NameNode nameNode,
      UpdateFiles files,
      ActiveTable sessions,
      SessionRules rules,
      SessionLayout layout,
      SessionTimes times,
      SessionCounters counters,
      GroupReplacer replacer,
      ReplayGuards guards,
      GroupHealing healings,
      SessionAttach attaching) {
    this.nameNode = nameNode;
    this.files = files;
    this.sessions = sessions;
    this.rules = rules;
    this.layout = layout;
    this.times = times;
    this.counters = counters;
    this.replacer = replacer;
    this.guards = guards;
    this.healings = healings;
    this.attaching = attaching;
  }

  /** Judges a file only. */
  private record PlainRule(Function<StripedFile, Optional<Refusal>> judge)
      implements FileRule<Optional<Refusal>> {
    @Override
    public Optional<Refusal> notAFile(String path) {
      return Optional.of(RefusalKind.GONE.because("file", "none", "the file", path));
    }

    @Override
    public Optional<Refusal> decide(FileView view) {
      return judge.apply(view.file());
    }
  }

  /** A session of a caller who may continue with it, or why not. */
  private record Own(Optional<Lease> lease, Optional<Refusal> refusal) {}

  @Override
  public SessionAnswer open(OpenRequest request) throws IOException {
    sessions.get();
    String user = NameNode.getRemoteUser().getShortUserName();
    OpenDecision judged =
        files.judge(
            request.path(),
            OPEN,
            new LayoutRule(rules, request.missingUnits(), OptionalLong.empty()) {
              @Override
              Optional<Refusal> judge(StripedFile file) {
                return rules.judge(file, files.isUpgradeOpen());
              }

              @Override
              OpenDecision allow(SessionLayout.Read read) {
                return enter(read, user, request);
              }
            });
    if (judged.refusal().isPresent()) {
      return refuse(judged.refusal().get());
    }
    return begin(judged.read().orElseThrow(), judged.opened().orElseThrow(), request);
  }

  private OpenDecision enter(SessionLayout.Read read, String user, OpenRequest request) {
    Optional<SessionTable> table = sessions.find();
    if (table.isEmpty()) {
      return OpenDecision.refused(
          RefusalKind.UNKNOWN_SESSION.because("NameNode", "standby", "an active one", read.path()));
    }
    Optional<Refusal> refusal =
        SessionRules.judgeProgram(read, request)
            .or(() -> attaching.judgeOpening(table.get(), read));
    return refusal.isPresent()
        ? OpenDecision.refused(refusal.get())
        : OpenDecision.of(
            read, table.get().open(read.inodeId(), read.firstGroup(), read.path(), user, request));
  }

  /** The file is held already, and nobody knows the session. */
  private SessionAnswer begin(SessionLayout.Read read, SessionId id, OpenRequest request)
      throws IOException {
    boolean begun = false;
    Refusal why =
        RefusalKind.UNKNOWN_SESSION.because("opening", "failed", "it opened", read.path());
    try {
      Optional<Refusal> changed = mark(read.inodeId(), id, request);
      if (changed.isPresent()) {
        return refuse(changed.get());
      }
      UpdateSession session = layout.of(id, read, times.lease(), request.sharing());
      begun = true;
      counters.opened.increment();
      return new Granted(request.program().map(session::openedBy).orElse(session));
    } finally {
      if (!begun) {
        sessions.find().ifPresent(table -> table.end(id, new Lease.End(why, false)));
      }
    }
  }

  /** A program that only reads leaves the mark of the one that has written. */
  private Optional<Refusal> mark(long inodeId, SessionId id, OpenRequest request)
      throws IOException {
    PlainRule rule = new PlainRule(file -> rules.judge(file, files.isUpgradeOpen()));
    return request.purpose() == Purpose.READ
        ? files.touch(inodeId, OPEN, rule)
        : files.open(
            inodeId, OPEN, request.program().map(OpeningProgram::number).orElse(id.value()), rule);
  }

  private SessionAnswer refuse(Refusal refusal) {
    counters.refused.increment();
    return new Refused(refusal);
  }

  @Override
  public SessionAnswer attach(AttachRequest request) throws IOException {
    SessionAnswer answer = attaching.attach(request, NameNode.getRemoteUser().getShortUserName());
    if (answer instanceof Refused) {
      counters.refused.increment();
    }
    return answer;
  }

  @Override
  public SessionAnswer renew(SessionId id) throws IOException {
    SessionTable table = sessions.get();
    Own own = own(table, id);
    if (own.lease().isEmpty()) {
      return refuse(own.refusal().orElseThrow());
    }
    Lease lease = own.lease().get();
    Optional<Refusal> unfit;
    try {
      unfit =
          files.judge(
              lease.inodeId(),
              RENEW,
              new PlainRule(file -> rules.judgeOpened(file, files.isUpgradeOpen())));
    } catch (FileNotFoundException e) {
      return gone(table, lease);
    }
    if (unfit.isPresent()) {
      counters.unfit.increment();
      table.end(id, new Lease.End(unfit.get(), /* untouched= */ true));
      return refuse(unfit.get());
    }
    return table.renew(id) ? new Renewed(times.lease()) : refuse(RefusalKind.unknown(id));
  }

  @Override
  public SessionAnswer locate(SessionId id, int missingUnits, OptionalLong wholeGroup)
      throws IOException {
    SessionTable table = sessions.get();
    Own own = own(table, id);
    if (own.lease().isEmpty()) {
      return refuse(own.refusal().orElseThrow());
    }
    Lease lease = own.lease().get();
    OpenDecision judged;
    try {
      judged =
          files.judge(
              lease.inodeId(),
              RENEW,
              new LayoutRule(rules, missingUnits, wholeGroup) {
                @Override
                Optional<Refusal> judge(StripedFile file) {
                  return rules.judgeOpened(file, files.isUpgradeOpen());
                }

                @Override
                OpenDecision allow(SessionLayout.Read read) {
                  return OpenDecision.of(read, Optional.empty());
                }
              });
    } catch (FileNotFoundException e) {
      return gone(table, lease);
    }
    if (judged.refusal().isPresent()) {
      return refuse(judged.refusal().get());
    }
    if (undurable.containsKey(lease.inodeId())) {
      // What is written into a group that a crash takes back is lost.
      files.sync(REPLACE);
    }
    return table.renew(id)
        ? new Granted(layout.of(id, judged.read().orElseThrow(), times.lease(), lease.sharing()))
        : refuse(RefusalKind.unknown(id));
  }

  @Override
  public SessionAnswer close(SessionId id) throws IOException {
    SessionTable table = sessions.get();
    Own own = own(table, id);
    if (own.lease().isEmpty()) {
      return refuse(own.refusal().orElseThrow());
    }
    Lease lease = own.lease().get();
    try {
      files.touch(lease.inodeId(), CLOSE, new PlainRule(file -> Optional.empty()));
    } catch (FileNotFoundException e) {
      return gone(table, lease);
    }
    table.end(id, new Lease.End(RefusalKind.unknown(id), /* untouched= */ false));
    counters.closed.increment();
    return new Closed();
  }

  /**
   * <b>Crash</b>: see {@link GroupReplacer}. When its answer is lost, the group is gone for who
   * asks again. Nobody learns of locations in the new group before it is durable. In which order a
   * group is healed, and why: {@link GroupHealing}.
   */
  @Override
  public SessionAnswer replace(
      SessionId id, long groupId, Optional<String> copyPath, Optional<Healing> healing)
      throws IOException {
    SessionTable table = sessions.get();
    Own own = own(table, id);
    if (own.lease().isEmpty()) {
      return refuse(own.refusal().orElseThrow());
    }
    guards.require();
    long inodeId = own.lease().get().inodeId();
    Cause cause = healing.isEmpty() ? Cause.OLD_UNITS : Cause.LOST_UNITS;
    GroupRule<Refusal> rule = change -> judge(table, change, cause);
    Optional<Refusal> refusal =
        healing.isEmpty()
            ? replace(inodeId, groupId, copyPath, rule)
            : healings.heal(
                new GroupHealing.HealingRequest(
                    id, inodeId, groupId, copyPath.isEmpty(), healing.get()),
                rule,
                all -> replace(inodeId, groupId, copyPath, all));
    if (refusal.isPresent()) {
      files.sync(REPLACE); // it may be that somebody else has replaced it
      return refuse(refusal.get());
    }
    if (copyPath.isPresent()) {
      counters.replaced.increment();
      healing.ifPresent(each -> counters.healed.increment());
    }
    return table.renew(id) ? new Renewed(times.lease()) : refuse(RefusalKind.unknown(id));
  }

  private Optional<Refusal> judge(SessionTable table, GroupChange change, Cause cause) {
    Optional<Refusal> refusal = rules.judgeReplacement(change, cause, files.isUpgradeOpen());
    if (refusal.isEmpty() && change.copy().isPresent()) {
      table.replacing(
          change.file().inodeId(),
          change.group().orElseThrow().groupId(),
          change.copy().get().groups().get(0).groupId());
    }
    return refusal;
  }

  private Optional<Refusal> replace(
      long inodeId, long groupId, Optional<String> copyPath, GroupRule<Refusal> rule)
      throws IOException {
    undurable.merge(inodeId, 1, Integer::sum);
    try {
      return replacer.replace(inodeId, groupId, copyPath, rule);
    } finally {
      undurable.computeIfPresent(inodeId, (inode, count) -> count == 1 ? null : count - 1);
    }
  }

  @Override
  public boolean isGuarded() {
    return guards.isHere();
  }

  private SessionAnswer gone(SessionTable table, Lease lease) {
    Refusal gone = RefusalKind.GONE.because("file", "none", "the file", lease.path());
    table.end(lease.id(), new Lease.End(gone, /* untouched= */ false));
    return refuse(gone);
  }

  private static Own own(SessionTable table, SessionId id) throws IOException {
    Optional<Lease> lease = table.find(id);
    if (lease.isEmpty()) {
      return new Own(Optional.empty(), Optional.of(RefusalKind.unknown(id)));
    }
    String user = NameNode.getRemoteUser().getShortUserName();
    if (!lease.get().user().equals(user)) {
      throw new AccessControlException(
          "Cannot use the update session: user="
              + user
              + ", expected who opened it, session="
              + id);
    }
    Optional<Refusal> over = lease.get().ended().map(Lease.End::refusal);
    return over.isPresent() ? new Own(Optional.empty(), over) : new Own(lease, Optional.empty());
  }

  @Override
  public List<SessionStatus> list(boolean all) throws IOException {
    SessionTable table = sessions.get();
    if (all) {
      SuperuserCheck.check(nameNode.getNamesystem(), LIST);
      return table.list();
    }
    String user = NameNode.getRemoteUser().getShortUserName();
    return table.list().stream().filter(each -> each.user().equals(user)).toList();
  }

  @Override
  public List<UpdateNode> nodes() {
    return rules.nodes();
  }
}
