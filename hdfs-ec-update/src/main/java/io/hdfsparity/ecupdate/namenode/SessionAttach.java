/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.GraceClaims;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.Opening;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Granted;
import io.hdfsparity.ecupdate.protocol.SessionAnswer.Refused;
import io.hdfsparity.ecupdate.protocol.SessionOwner;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over sessions that a NameNode has granted which was active before. Thread-safe.
 *
 * <p><b>Invariant</b>: a session is attached only if each DataNode that has a unit of its file, as
 * far as units are not missing (a session that only reads may lack some), has said, since it goes
 * by this NameNode's list, that it has had the session live for this user and file, and has not
 * ended it; and only while every file is held. So nothing can have happened that waits for the end
 * of a session: its locks and what it has noted are where they were, and its file has the form in
 * which this NameNode found it (ADR 0045).
 *
 * <p>Only the file's modification time is logged, so a crash at any point is as one before: the
 * session can be attached at the next NameNode.
 */
final class SessionAttach {
  private static final Logger LOG = LoggerFactory.getLogger(SessionAttach.class);
  private static final String ATTACH = "attachUpdateSession";

  private final UpdateFiles files;
  private final ActiveTable sessions;
  private final SessionRules rules;
  private final NodeRegistry nodes;
  private final SessionLayout layout;
  private final SessionTimes times;
  private final SessionCounters counters;
  private final GraceClaims claims;

  SessionAttach(
      UpdateFiles files,
      ActiveTable sessions,
      SessionRules rules,
      NodeRegistry nodes,
      SessionLayout layout,
      SessionTimes times,
      SessionCounters counters) {
    this.files = files;
    this.sessions = sessions;
    this.rules = rules;
    this.nodes = nodes;
    this.layout = layout;
    this.times = times;
    this.counters = counters;
    claims = new GraceClaims(nodes);
  }

  /** Why a file is not opened before sessions of it that may still be attached. */
  Optional<Refusal> judgeOpening(SessionTable table, SessionLayout.Read read) {
    return claims.judge(table, read.inodeId(), read.path(), read.nodeUuids());
  }

  /**
   * As {@link io.hdfsparity.ecupdate.protocol.SessionProtocol#attach}.
   *
   * @param user who calls
   */
  SessionAnswer attach(AttachRequest request, String user) throws IOException {
    SessionTable table = sessions.get();
    if (table.find(request.id()).isEmpty() && !table.isAttachable(request.id())) {
      return new Refused(RefusalKind.unknown(request.id()));
    }
    try {
      OpenDecision judged = judge(request, read -> mayEnter(request, user, read));
      if (judged.refusal().isEmpty() && table.find(request.id()).isEmpty()) {
        // Before it is live: whoever read the file while no NameNode knew of the session finds it
        // changed, whatever becomes of client and NameNode.
        files.touch(request.inodeId(), ATTACH, new AnyFile());
      }
      if (judged.refusal().isEmpty()) {
        judged = judge(request, read -> enter(request, user, read));
      }
      return judged.refusal().isPresent()
          ? new Refused(judged.refusal().get())
          : new Granted(
              layout.of(
                  request.id(), judged.read().orElseThrow(), times.lease(), request.sharing()));
    } catch (FileNotFoundException e) {
      return new Refused(
          RefusalKind.GONE.because("file", "none", "the file", "inode " + request.inodeId()));
    }
  }

  private OpenDecision judge(
      AttachRequest request, Function<SessionLayout.Read, OpenDecision> underLock)
      throws IOException {
    return files.judge(
        request.inodeId(),
        ATTACH,
        new LayoutRule(rules, request.form().missingUnits(), OptionalLong.empty()) {
          @Override
          Optional<Refusal> judge(StripedFile file) {
            return rules.judge(file, files.isUpgradeOpen());
          }

          @Override
          Optional<Refusal> judge(StripedFile file, GroupFacts group, int allowedMissing) {
            return rules.judgeInUse(file, group, allowedMissing);
          }

          @Override
          OpenDecision allow(SessionLayout.Read read) {
            return underLock.apply(read);
          }
        });
  }

  /** Under the NameNode's lock. */
  private OpenDecision mayEnter(AttachRequest request, String user, SessionLayout.Read read) {
    Optional<SessionTable> active = sessions.find();
    if (active.isEmpty()) {
      return OpenDecision.refused(
          RefusalKind.SUSPENDED.because("active", false, "true; try again", read.path()));
    }
    SessionTable table = active.get();
    Optional<Refusal> refusal = judgeForm(request, read);
    if (refusal.isEmpty() && table.find(request.id()).isEmpty()) {
      refusal = judgeNodes(request, user, read, table.incarnation());
    }
    return refusal.isPresent()
        ? OpenDecision.refused(refusal.get())
        : OpenDecision.of(read, Optional.empty());
  }

  /** Under the NameNode's lock. */
  private OpenDecision enter(AttachRequest request, String user, SessionLayout.Read read) {
    OpenDecision judged = mayEnter(request, user, read);
    Optional<SessionTable> active = sessions.find();
    if (judged.refusal().isPresent() || active.isEmpty()) {
      return judged;
    }
    Lease lease =
        new Lease(
            request.id(),
            read.inodeId(),
            read.path(),
            user,
            request.client(),
            request.sharing(),
            Optional.empty());
    Opening attached = active.get().attach(lease, read.firstGroup());
    if (attached.isNew()) {
      counters.attached.increment();
      LOG.info("Attached update session {} of {}", request.id(), read.inodeId());
    }
    return OpenDecision.of(read, attached);
  }

  /**
   * A group that the client goes by, and the file does not have, was rewritten: a DataNode that is
   * back with a unit of it does not know that from this NameNode (ADR 0023). Nor may it go on with
   * one of which a unit was dropped since.
   */
  private static Optional<Refusal> judgeForm(AttachRequest request, SessionLayout.Read read) {
    Set<Long> left = new HashSet<>(request.form().groups());
    read.groups().stream()
        .map(GroupFacts::groupId)
        .filter(groupId -> !read.isLowered(groupId))
        .forEach(left::remove);
    boolean isSame = left.isEmpty() && read.code().equals(request.form().code());
    return isSame
        ? Optional.empty()
        : Optional.of(
            RefusalKind.UNKNOWN_SESSION.because(
                "form",
                "groups gone or lowered: " + left.size() + ", code: " + read.code().policy(),
                "the groups and the code of the session",
                read.path()));
  }

  private Optional<Refusal> judgeNodes(
      AttachRequest request, String user, SessionLayout.Read read, long incarnation) {
    SessionOwner owner = SessionOwner.of(read.inodeId(), user, request.sharing());
    Set<String> uuids = read.nodeUuids();
    return switch (nodes.suspension(uuids, incarnation, request.id(), owner)) {
      case SUSPENDED -> Optional.empty();
      case NONE -> {
        List<String> without = nodes.withoutIt(uuids, incarnation, request.id(), owner);
        yield Optional.of(
            without.size() == uuids.size()
                ? RefusalKind.unknown(request.id())
                : RefusalKind.UNKNOWN_SESSION.because(
                    "dataNodesWithoutTheSession",
                    without,
                    "none: a DataNode that was restarted since, or has ended it, cannot confirm it",
                    read.path()));
      }
      case NOT_KNOWN ->
          Optional.of(
              RefusalKind.SUSPENDED.because(
                  "dataNodesReported", "not all", "all that have a unit of it", read.path()));
    };
  }
}
