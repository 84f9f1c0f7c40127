/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.updater.LockWait;
import io.hdfsparity.ecupdate.updater.LockedGroupReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Rewrites one block group, for {@link GroupRenewal}: copies it, reads the copy back, and has the
 * NameNode replace the group. For one thread, but that {@link LockedGroupReader} may ask from its
 * own whether that is still of use.
 */
final class RenewalAttempt {
  private static final System.Logger LOG = System.getLogger(RenewalAttempt.class.getName());
  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * What DataNodes have still to report of a copy that was closed just now, or a NameNode that took
   * over has still to load.
   */
  private static final Set<String> PASSING =
      Set.of(
          RefusalKind.MISSING_UNIT.word(),
          RefusalKind.GROUP_OPEN.word(),
          RefusalKind.REBUILDING.word(),
          RefusalKind.NO_CAPABILITY.word(),
          RefusalKind.DOUBTS_UNKNOWN.word());

  /** Between questions whether somebody else has replaced the group. */
  private static final long ASK_MS = 1000;

  /** Somebody else has rewritten the group. */
  private static final class ElsewhereException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Notified that some bytes have gone by. */
  @FunctionalInterface
  private interface Step {
    void done() throws IOException;
  }

  private final SessionHolder holder;
  private final DistributedFileSystem hdfs;
  private final UpdateSession session;
  private final UpdateGroup group;
  private final int index;
  private final GroupSource source;
  private final long reportMs;
  private final RenewalOptions options;
  private final CopyBeside copies;

  /** The file has another group by now, as the NameNode has said. */
  private volatile boolean wasElsewhere;

  /**
   * Nothing is done yet.
   *
   * @param hdfs as the user of the session; stays the caller's
   * @param index of the group in the session
   * @param source of its bytes; stays the caller's
   * @param reportMs how long DataNodes may take to report what was written
   */
  RenewalAttempt(
      SessionHolder holder,
      DistributedFileSystem hdfs,
      UpdateSession session,
      int index,
      GroupSource source,
      long reportMs,
      RenewalOptions options) {
    this.holder = holder;
    this.hdfs = hdfs;
    this.session = session;
    this.index = index;
    this.source = source;
    this.reportMs = reportMs;
    this.options = options;
    group = session.groups().get(index);
    copies = new CopyBeside(hdfs, session, index, options, new Copying());
  }

  private final class Copying implements CopyBeside.Purpose {
    @Override
    public void requireWanted() throws IOException {
      source.requireWanted();
    }

    @Override
    public boolean isElsewhere() throws IOException {
      return RenewalAttempt.this.isElsewhere();
    }
  }

  /**
   * Returns when the group is replaced, by this or by somebody else.
   *
   * @param why for the log
   * @throws IOException if it may not be, or that is not known
   */
  void run(String why) throws IOException {
    long beganNanos = System.nanoTime();
    Optional<CopyBeside.Created> created =
        source.healing().isPresent() ? copies.createAny() : copies.create();
    if (created.isEmpty()) {
      return;
    }
    LOG.log(
        Level.INFO,
        "Block group "
            + index
            + " of "
            + session.file().path()
            + " is being rewritten, bytes="
            + group.lengthBytes()
            + ": "
            + why);
    Path copy = created.get().copy();
    boolean isReplaced = false;
    try {
      long crc = copyTo(created.get().out());
      requireSame(copy, crc);
      isReplaced = replace(copy);
    } catch (ElsewhereException e) {
      LOG.log(Level.DEBUG, "Another program has rewritten the block group", e);
    } finally {
      if (!isReplaced) {
        copies.delete(copy);
      }
    }
    if (isReplaced) {
      copies.deleteOthers();
      LOG.log(
          Level.INFO,
          "Block group "
              + index
              + " of "
              + session.file().path()
              + " was rewritten, ms="
              + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos));
    }
  }

  /** While other clients have locked the group. */
  private final class WhileWanted implements LockWait {
    private long askedNanos = System.nanoTime();

    @Override
    public long timeoutMs(long operationMs) {
      return Math.max(operationMs, options.timeoutMs());
    }

    @Override
    public void checkProgress() throws IOException {
      source.requireWanted();
      if (System.nanoTime() - askedNanos > nanos(ASK_MS)) {
        if (isElsewhere()) {
          throw new ElsewhereException();
        }
        askedNanos = System.nanoTime();
      }
    }

    /**
     * One who counts other units as lost may have decoded the stripe as it is now, and have the
     * group replaced by that: not after this was allowed.
     */
    @Override
    public void beforeWritersEnd() throws IOException {
      if (isElsewhere(source.healing())) {
        throw new ElsewhereException();
      }
    }

    @Override
    public boolean isOfUse() {
      return !wasElsewhere
          && holder.known().session().groups().get(index).groupId() == group.groupId();
    }
  }

  /**
   * Whether the file has another group in that place by now. Unlike where all groups are, that can
   * be known while DataNodes of some do not report.
   */
  private boolean isElsewhere() throws IOException {
    return isElsewhere(Optional.empty());
  }

  /**
   * As {@link #isElsewhere()}.
   *
   * @throws IOException also if it is not, and may not be rewritten
   */
  private boolean isElsewhere(Optional<Healing> healing) throws IOException {
    Optional<Refusal> refusal = holder.replace(group.groupId(), Optional.empty(), healing);
    if (refusal.isPresent() && !GroupOutcome.isReplaced(refusal.get())) {
      throw new IOException(SessionHolder.refusal(refusal.get()));
    }
    if (refusal.isPresent()) {
      wasElsewhere = true;
      source.know(GroupOutcome.REPLACED);
    }
    return refusal.isPresent();
  }

  private void seen(Path copy) throws IOException {
    source.requireWanted();
    copies.showLife(copy);
  }

  private long copyTo(OutputStream created) throws IOException {
    try (OutputStream out = created;
        InputStream in = source.open(new WhileWanted())) {
      return pass(in, out, () -> {});
    }
  }

  /** What readers get of the copy, and not what was sent. */
  private void requireSame(Path copy, long crc) throws IOException {
    long length = hdfs.getFileStatus(copy).getLen();
    long read;
    try (FSDataInputStream in = hdfs.open(copy)) {
      read =
          length == group.lengthBytes()
              ? pass(in, OutputStream.nullOutputStream(), () -> seen(copy))
              : -1;
    }
    if (read != crc) {
      throw new IOException(
          ErrorMessage.to("rewrite a block group")
              .value("lengthBytes, CRC-32C of the copy", length + ", " + Long.toHexString(read))
              .expected(group.lengthBytes() + ", " + Long.toHexString(crc) + " as read before")
              .where("group", index)
              .where("file", session.file().path())
              .message());
    }
  }

  /** The bytes of the group go by; their CRC-32C. */
  private long pass(InputStream in, OutputStream out, Step step) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long left = group.lengthBytes(); left > 0; ) {
      int bytes = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (bytes < 0) {
        throw new EOFException(
            ErrorMessage.to("rewrite a block group")
                .value("bytes that are missing", left)
                .expected("0")
                .where("group", index)
                .where("file", session.file().path())
                .message());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("Cannot rewrite a block group: interrupted");
      }
      crc.update(buffer, 0, bytes);
      out.write(buffer, 0, bytes);
      left -= bytes;
      step.done();
    }
    return crc.getValue();
  }

  /** False: somebody else has done it. */
  private boolean replace(Path copy) throws IOException {
    long deadlineNanos = System.nanoTime() + nanos(reportMs);
    Optional<String> path = Optional.of(copy.toUri().getPath());
    while (true) {
      Optional<Refusal> refusal;
      source.know(GroupOutcome.IN_DOUBT);
      try {
        refusal = holder.replace(group.groupId(), path, source.healing());
      } catch (IOException e) {
        if (isElsewhereAfter(e)) {
          return false; // by whom, nobody has said; a copy that was taken is not there any more
        }
        throw e;
      }
      source.know(refusal.map(GroupOutcome::after).orElse(GroupOutcome.REPLACED));
      if (refusal.isEmpty()) {
        return true;
      }
      if (GroupOutcome.isReplaced(refusal.get())) {
        return false;
      }
      if (!PASSING.contains(refusal.get().kind()) || System.nanoTime() - deadlineNanos >= 0) {
        throw new IOException(SessionHolder.refusal(refusal.get()));
      }
      copies.showLife(copy);
      CopyBeside.pause();
    }
  }

  /** After a call of which it is not known what it has done. */
  private boolean isElsewhereAfter(IOException failure) {
    try {
      return isElsewhere();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
