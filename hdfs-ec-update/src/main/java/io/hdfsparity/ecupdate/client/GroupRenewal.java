/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.DecodedException;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Rewrites a block group under ids of its own: the same bytes in a file beside, read back and
 * compared, whose group the NameNode then puts in the place of the old one (ADR 0022). Either since
 * HDFS has rebuilt or copied a unit of it, or its level was changed, so that it takes no more
 * updates and changes no more: the bytes are those of its data units. Or since units of it are lost
 * while programs are at work: the bytes are what a recovery would make of the others, which stay
 * locked until the group is replaced (ADR 0023). Whoever is first does it, and several may try.
 *
 * <p><b>Crash.</b> Before the NameNode has replaced the group: the file is as it was, and the copy
 * lies beside it, under a name that follows from the group's; the next one who rewrites the group
 * takes its place. After it: done.
 *
 * <p>Thread-safe.
 */
final class GroupRenewal implements Renewal {
  private static final System.Logger LOG = System.getLogger(GroupRenewal.class.getName());

  /** Opens the file system of the session, as its user. */
  @FunctionalInterface
  interface Opener {
    FileSystem open() throws IOException;
  }

  private final SessionHolder holder;
  private final Opener opener;
  private final long reportMs;
  private final RenewalOptions options;

  /** To heal a group, each with a higher number than those before. */
  private final AtomicLong attempts = new AtomicLong();

  /** Why groups were not healed, when that was asked last. */
  private final Map<Integer, String> refusals = new ConcurrentHashMap<>();

  /**
   * Of a session.
   *
   * @param reportMs how long DataNodes may take to report what was written
   */
  GroupRenewal(SessionHolder holder, Opener opener, long reportMs, RenewalOptions options) {
    this.holder = holder;
    this.opener = opener;
    this.reportMs = reportMs;
    this.options = options;
  }

  @Override
  public void renew(UpdateSession session, int index) throws IOException {
    try (FileSystem opened = opener.open()) {
      DistributedFileSystem hdfs = FileUpdates.hdfs(opened, new Path(session.file().path()));
      Path file = DFSUtilClient.makePathFromFileId(session.file().inodeId());
      UpdateGroup group = session.groups().get(index);
      GroupSource source = new StockSource(hdfs, file, group.offsetBytes());
      Optional<Refusal> refusal = ask(group, Optional.empty());
      if (refusal.isEmpty()) {
        copy(
            attempt(hdfs, session, index, source),
            group.isToBeRewritten()
                ? "its level was lowered"
                : "HDFS has rebuilt or copied a unit of it, or its level was changed",
            session.file().path() + " group=" + index);
      } else if (!GroupOutcome.isReplaced(refusal.get())) {
        throw new IOException(SessionHolder.refusal(refusal.get()));
      }
    }
  }

  private static void copy(RenewalAttempt attempt, String why, String where) throws IOException {
    try {
      attempt.run(why);
    } catch (DecodedException e) {
      throw new IOException(
          SessionHolder.refusal(
              RefusalKind.MISSING_UNIT.because(
                  "decoded", true, "false: all data units are read to rewrite the group", where)),
          e);
    }
  }

  @Override
  public boolean heal(UpdateSession session, int index, LostUnits lost) throws IOException {
    try (GroupSource source = new HeldSource(lost, attempts.incrementAndGet())) {
      Optional<Refusal> refusal = ask(session.groups().get(index), source.healing());
      if (refusal.isPresent()) {
        noteRefusal(session, index, refusal.get());
        return GroupOutcome.isReplaced(refusal.get());
      }
      try (FileSystem opened = opener.open();
          Closeable yielding = lost.healer().yielding()) {
        DistributedFileSystem hdfs = FileUpdates.hdfs(opened, new Path(session.file().path()));
        attempt(hdfs, session, index, source).run("units of it are lost");
      }
      return true;
    }
  }

  private RenewalAttempt attempt(
      DistributedFileSystem hdfs, UpdateSession session, int index, GroupSource source) {
    return new RenewalAttempt(holder, hdfs, session, index, source, reportMs, options);
  }

  /** Why a group may not be replaced, before anything is copied. */
  private Optional<Refusal> ask(UpdateGroup group, Optional<Healing> healing) throws IOException {
    return holder.replace(group.groupId(), Optional.empty(), healing);
  }

  /** Each look asks again, so only what is new is reported. */
  private void noteRefusal(UpdateSession session, int index, Refusal refusal) {
    String before = refusals.put(index, refusal.kind());
    if (!refusal.kind().equals(before)) {
      LOG.log(
          Level.WARNING,
          "Block group "
              + index
              + " of "
              + session.file().path()
              + " has lost units, and is not rewritten: "
              + SessionHolder.refusal(refusal));
    }
  }
}
