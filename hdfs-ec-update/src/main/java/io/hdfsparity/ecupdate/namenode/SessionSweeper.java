/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.FileRule;
import io.hdfsparity.bridge.update.FileView;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.InterruptedChanges;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions whose time is up, and those of files that became unfit: HDFS lets anybody delete a
 * file, or take a snapshot of it, while it is updated. Then, when no DataNode takes a session for
 * live any more, sets the modification time that its client did not set, and forgets it. One thread
 * runs it.
 */
final class SessionSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(SessionSweeper.class);
  private static final String OPERATION = "expireUpdateSession";

  private final UpdateFiles files;
  private final ActiveTable sessions;
  private final SessionRules rules;
  private final NodeRegistry nodes;
  private final ReplacedGroups replaced;
  private final SessionCounters counters;
  private final InterruptedChanges interrupted;
  private final long lateMs;

  /** Used by the sweeping thread only. */
  private List<UpdateNode> late = List.of();

  /**
   * @param lateMs as {@link io.hdfsparity.ecupdate.protocol.SessionTimes#lateMs}
   */
  SessionSweeper(
      UpdateFiles files,
      ActiveTable sessions,
      SessionRules rules,
      NodeRegistry nodes,
      ReplacedGroups replaced,
      SessionCounters counters,
      InterruptedChanges interrupted,
      long lateMs) {
    this.files = files;
    this.sessions = sessions;
    this.rules = rules;
    this.nodes = nodes;
    this.replaced = replaced;
    this.counters = counters;
    this.interrupted = interrupted;
    this.lateMs = lateMs;
  }

  /** One round; nothing on a standby. */
  void round() throws IOException {
    Optional<SessionTable> active = sessions.find();
    if (active.isEmpty()) {
      return;
    }
    completeInterrupted();
    SessionTable table = active.get();
    for (Lease lease : table.expire()) {
      counters.expired.increment();
      LOG.warn(
          "Update session {} of {} for {} is over, not closed: what it used is neither decoded nor"
              + " rebuilt until hdfs ecupdate -recover",
          lease.id(),
          Printable.of(lease.user()),
          Printable.of(lease.path()));
    }
    for (Lease lease : table.open()) {
      endUnfit(table, lease);
    }
    for (Lease lease : table.fenced(nodes)) {
      if (!lease.ended().map(Lease.End::untouched).orElse(false) || touch(lease)) {
        table.forget(lease.id());
      }
    }
    warnOfLate(table);
    replaced.review(table::inodes, new Healed());
  }

  /** Says once of each DataNode that sessions wait for it; and again after it has confirmed. */
  private void warnOfLate(SessionTable table) {
    List<UpdateNode> now = table.late(nodes, lateMs);
    for (UpdateNode node : now) {
      if (!late.contains(node)) {
        LOG.warn(
            "DataNode {}:{} has not confirmed for {} s that it executes no request of sessions that"
                + " are over: their files stay as they are, and {} such sessions count among those"
                + " that may be open. A disk may hang there: look at its log, and restart it",
            node.host(),
            node.port(),
            lateMs / 1000,
            table.ending());
      }
    }
    late = now;
  }

  /**
   * Files that a NameNode was giving another form when it died; what hinders it hinders no more.
   */
  private void completeInterrupted() {
    try {
      for (String path : interrupted.round()) {
        LOG.warn(
            "Closed {}: a NameNode died while it changed its block groups or level",
            Printable.of(path));
      }
    } catch (IOException | RuntimeException e) {
      counters.failedSweeps.increment();
      LOG.error("Cannot close files whose change was interrupted; the next round tries again", e);
    }
  }

  private void endUnfit(SessionTable table, Lease lease) throws IOException {
    Optional<Optional<Refusal>> found = files.look(lease.inodeId(), OPERATION, new Fitness());
    boolean gone = found.isEmpty();
    Optional<Refusal> unfit =
        gone
            ? Optional.of(RefusalKind.GONE.because("file", "none", "the file", lease.path()))
            : found.get();
    if (unfit.isPresent() && table.end(lease.id(), new Lease.End(unfit.get(), !gone))) {
      counters.unfit.increment();
      LOG.warn("Update session {} is over: {}", lease.id(), Printable.of(unfit.get().reason()));
    }
  }

  /** False: not now. */
  private boolean touch(Lease lease) throws IOException {
    if (!files.isWritable()) {
      return false;
    }
    try {
      files.touch(lease.inodeId(), OPERATION, new AnyFile());
    } catch (FileNotFoundException e) {
      LOG.info("{} is gone; nothing to set its modification time of", Printable.of(lease.path()));
    }
    return true;
  }

  /** Whether a session of a file can continue. */
  private final class Fitness implements FileRule<Optional<Refusal>> {
    @Override
    public Optional<Refusal> notAFile(String path) {
      return Optional.of(RefusalKind.GONE.because("file", "none", "the file", path));
    }

    @Override
    public Optional<Refusal> decide(FileView view) {
      return rules.judgeOpened(view.file(), files.isUpgradeOpen());
    }
  }

  /** Files whose groups were healed. */
  private final class Healed implements ReplacedGroups.Files {
    @Override
    public boolean exists(long inodeId) throws IOException {
      return files.look(inodeId, OPERATION, new AnyFile()).isPresent();
    }

    @Override
    public boolean has(long inodeId, long groupId) throws IOException {
      return files.look(inodeId, OPERATION, new HasGroup(groupId)).orElse(false);
    }
  }

  private record HasGroup(long groupId) implements FileRule<Boolean> {
    @Override
    public Boolean notAFile(String path) {
      return false;
    }

    @Override
    public Boolean decide(FileView view) {
      return view.groups().stream().anyMatch(each -> each.groupId() == groupId);
    }
  }
}
