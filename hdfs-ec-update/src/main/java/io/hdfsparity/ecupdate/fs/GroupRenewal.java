/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.client.HeldGroup;
import io.hdfsparity.ecupdate.session.Healing;
import io.hdfsparity.ecupdate.session.RefusalKind;
import io.hdfsparity.ecupdate.session.UpdateGroup;
import io.hdfsparity.ecupdate.session.UpdateRefusal;
import io.hdfsparity.ecupdate.session.UpdateSession;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Writes a block group anew, under ids of its own: the same bytes in a file beside, read back and
 * compared, whose group the NameNode then puts in the place of the old one (ADR 0022). Either since
 * HDFS has rebuilt or copied a unit of it, so that it takes no more updates and changes no more:
 * the bytes are those that any reader gets. Or since units of it are lost while programs are at
 * work: the bytes are what a recovery would make of the others, which stay locked until the group
 * is replaced (ADR 0023). Whoever is first does it, and several may try.
 *
 * <p><b>Crash.</b> Before the NameNode has replaced the group: the file is as it was, and the copy
 * lies beside it, under a name that follows from the group's; the next one who writes the group
 * anew takes its place. After it: done.
 *
 * <p>Thread-safe.
 */
final class GroupRenewal implements NameNodeSession.Renewal {
  private static final System.Logger LOG = System.getLogger(GroupRenewal.class.getName());
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long LOOK_MS = 200;

  /** What DataNodes have still to report of a copy that was closed just now. */
  private static final Set<String> PASSING =
      Set.of(
          RefusalKind.MISSING_UNIT.word(),
          RefusalKind.GROUP_OPEN.word(),
          RefusalKind.REBUILDING.word(),
          RefusalKind.NO_CAPABILITY.word());

  /** Somebody is writing the file, or has died, and HDFS is closing it. */
  private static final Set<String> BEING_WRITTEN =
      Set.of(
          AlreadyBeingCreatedException.class.getName(),
          RecoveryInProgressException.class.getName());

  /**
   * Who heals does not wait for a copy of somebody who may have died: locks tell who is at it. So
   * many may have died before he does.
   */
  private static final int NAMES = 8;

  /** Between questions whether somebody else has replaced the group. */
  private static final long ASK_MS = 1000;

  /** How often a copy that is closed is touched before it would count as left behind. */
  private static final int SIGNS_OF_LIFE = 4;

  /** A copy as it was seen; by its id and the time of its last change. */
  private record Seen(long id, long modifiedMs) {
    static final Seen NONE = new Seen(HdfsConstants.GRANDFATHER_INODE_ID, 0);
  }

  /**
   * A copy that is being made.
   *
   * @param copy by its inode: a file that takes its name is not it
   */
  private record Created(OutputStream out, Path copy) {}

  /** Somebody else has written the group anew. */
  private static final class ElsewhereException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Told that some bytes have gone by. */
  @FunctionalInterface
  private interface Step {
    void done() throws IOException;
  }

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
      DistributedFileSystem hdfs = FileUpdates.hdfs(opened, new Path(session.path()));
      Path file = DFSUtilClient.makePathFromFileId(session.inodeId());
      UpdateGroup group = session.groups().get(index);
      Attempt attempt =
          new Attempt(hdfs, session, index, new StockSource(hdfs, file, group.offsetBytes()));
      Optional<UpdateRefusal> refusal = ask(group, Optional.empty());
      if (refusal.isEmpty()) {
        attempt.run("HDFS has rebuilt or copied a unit of it");
      } else if (!isReplaced(refusal.get())) {
        throw new IOException(SessionHolder.refusal(refusal.get()));
      }
    }
  }

  @Override
  public boolean heal(UpdateSession session, int index, LostUnits lost) throws IOException {
    try (GroupSource source = new HeldSource(lost, attempts.incrementAndGet())) {
      Optional<UpdateRefusal> refusal = ask(session.groups().get(index), source.healing());
      if (refusal.isPresent()) {
        noteRefusal(session, index, refusal.get());
        return isReplaced(refusal.get());
      }
      try (FileSystem opened = opener.open();
          Closeable givingWay = lost.healer().givingWay()) {
        DistributedFileSystem hdfs = FileUpdates.hdfs(opened, new Path(session.path()));
        new Attempt(hdfs, session, index, source).run("units of it are lost");
      }
      return true;
    }
  }

  /** Why a group may not be replaced, before anything is copied, or just now. */
  private Optional<UpdateRefusal> ask(UpdateGroup group, Optional<Healing> healing)
      throws IOException {
    return holder.replace(group.groupId(), Optional.empty(), healing);
  }

  /** Each look asks again, so only what is new is told. */
  private void noteRefusal(UpdateSession session, int index, UpdateRefusal refusal) {
    String before = refusals.put(index, refusal.kind());
    if (!refusal.kind().equals(before)) {
      LOG.log(
          Level.WARNING,
          "Block group "
              + index
              + " of "
              + session.path()
              + " has lost units, and is not written anew: "
              + SessionHolder.refusal(refusal));
    }
  }

  private static boolean isReplaced(UpdateRefusal refusal) {
    return Fate.after(refusal) == Fate.REPLACED;
  }

  /** One group, on one thread. */
  private final class Attempt {
    private final DistributedFileSystem hdfs;
    private final UpdateSession session;
    private final UpdateGroup group;
    private final int index;
    private final GroupSource source;

    /** By its inode: whatever has its name by now. */
    private final Path file;

    /** Names that copies may have; the first is waited for. */
    private final List<Path> names = new ArrayList<>();

    /** Where the copy is made. */
    private Path beside;

    private long shownNanos = System.nanoTime();

    /** The file has another group by now, as the NameNode has said. */
    private volatile boolean wasElsewhere;

    Attempt(DistributedFileSystem hdfs, UpdateSession session, int index, GroupSource source) {
      this.source = source;
      this.hdfs = hdfs;
      this.session = session;
      this.index = index;
      group = session.groups().get(index);
      file = DFSUtilClient.makePathFromFileId(session.inodeId());
      String name = ".parity-renewal-" + session.inodeId() + "-" + index;
      Path folder = new Path(session.path()).getParent();
      names.add(new Path(folder, name));
      for (int i = 1; i < NAMES; i++) {
        names.add(new Path(folder, name + "-" + i));
      }
      beside = names.get(0);
    }

    void run(String why) throws IOException {
      long beganNanos = System.nanoTime();
      Optional<Created> created = source.healing().isPresent() ? createAny() : create();
      if (created.isEmpty()) {
        return;
      }
      LOG.log(
          Level.INFO,
          "Block group "
              + index
              + " of "
              + session.path()
              + " is written anew, bytes="
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
        LOG.log(Level.DEBUG, "Another program has written the block group anew", e);
      } finally {
        if (!isReplaced) {
          delete(copy);
        }
      }
      if (isReplaced) {
        deleteOthers();
        LOG.log(
            Level.INFO,
            "Block group "
                + index
                + " of "
                + session.path()
                + " was written anew, ms="
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos));
      }
    }

    /** While other clients have locked the group. */
    private final class WhileWanted implements HeldGroup.Waiting {
      private long askedNanos = System.nanoTime();

      @Override
      public long patienceMs(long operationMs) {
        return Math.max(operationMs, options.patienceMs());
      }

      @Override
      public void goesOn() throws IOException {
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
            && holder.told().session().groups().get(index).groupId() == group.groupId();
      }
    }

    /** Under the first name that nobody has; empty: somebody else has written the group anew. */
    private Optional<Created> createAny() throws IOException {
      for (Path name : names) {
        beside = name;
        try {
          return unlessElsewhere(builder().build());
        } catch (IOException e) {
          if (!isThere(e)) {
            throw e;
          }
        }
      }
      beside = names.get(0);
      return create();
    }

    /** Copies of those who have died, or will find that they are of no use. */
    private void deleteOthers() {
      for (Path name : names) {
        if (!name.equals(beside)) {
          delete(name);
        }
      }
    }

    /** Empty: somebody else has written the group anew. */
    private Optional<Created> create() throws IOException {
      long deadlineNanos = System.nanoTime() + nanos(options.patienceMs());
      Seen seen = Seen.NONE;
      long seenNanos = System.nanoTime();
      while (true) {
        try {
          return unlessElsewhere(builder().build());
        } catch (IOException e) {
          if (!isThere(e) || System.nanoTime() - deadlineNanos >= 0) {
            throw e;
          }
        }
        // Somebody else is at it, or was.
        source.requireWanted();
        if (isElsewhere()) {
          return Optional.empty();
        }
        Seen now = look();
        if (!now.equals(seen)) {
          seen = now;
          seenNanos = System.nanoTime();
        } else if (!now.equals(Seen.NONE)
            && System.nanoTime() - seenNanos > nanos(options.abandonedMs())) {
          LOG.log(Level.INFO, "Deleting a copy that somebody has left behind: " + beside);
          hdfs.delete(DFSUtilClient.makePathFromFileId(now.id()), /* recursive= */ false);
        }
        pause();
      }
    }

    /** Who had the name until now may have finished. */
    private Optional<Created> unlessElsewhere(OutputStream out) throws IOException {
      Path copy = beside;
      boolean isWanted = false;
      try {
        copy = DFSUtilClient.makePathFromFileId(fileId(beside));
        isWanted = !isElsewhere();
      } finally {
        if (!isWanted) {
          discard(out, copy);
        }
      }
      return isWanted ? Optional.of(new Created(out, copy)) : Optional.empty();
    }

    private void discard(OutputStream out, Path copy) {
      try {
        out.close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, "Cannot close " + beside + ", which is not used: " + e);
      }
      delete(copy);
    }

    private DistributedFileSystem.HdfsDataOutputStreamBuilder builder() throws IOException {
      DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
          hdfs.createFile(beside)
              .overwrite(false)
              .permission(new FsPermission((short) 0600))
              .blockSize(hdfs.getFileStatus(file).getBlockSize())
              .ecPolicyName(session.code().policy());
      String storage = hdfs.getStoragePolicy(file).getName();
      return storage.equals(hdfs.getStoragePolicy(beside.getParent()).getName())
          ? builder
          : builder.storagePolicyName(storage);
    }

    private static boolean isThere(IOException e) {
      return e instanceof FileAlreadyExistsException
          || e instanceof RemoteException remote && BEING_WRITTEN.contains(remote.getClassName());
    }

    /**
     * Whether the file has another group in that place by now. Unlike where all groups are, that
     * can be told while DataNodes of some do not report.
     */
    private boolean isElsewhere() throws IOException {
      return isElsewhere(Optional.empty());
    }

    /**
     * As {@link #isElsewhere()}.
     *
     * @throws IOException also if it is not, and may not be written anew
     */
    private boolean isElsewhere(Optional<Healing> healing) throws IOException {
      Optional<UpdateRefusal> refusal = ask(group, healing);
      if (refusal.isPresent() && !isReplaced(refusal.get())) {
        throw new IOException(SessionHolder.refusal(refusal.get()));
      }
      if (refusal.isPresent()) {
        wasElsewhere = true;
        source.know(Fate.REPLACED);
      }
      return refusal.isPresent();
    }

    /** The copy of somebody else, once it is closed: while it is not, its lease tells of him. */
    private Seen look() throws IOException {
      try {
        if (!hdfs.isFileClosed(beside)) {
          return Seen.NONE;
        }
        HdfsFileStatus status = (HdfsFileStatus) hdfs.getFileStatus(beside);
        return new Seen(status.getFileId(), status.getModificationTime());
      } catch (FileNotFoundException e) {
        return Seen.NONE;
      }
    }

    private void seen(Path copy) throws IOException {
      source.requireWanted();
      showLife(copy);
    }

    /** Whoever waits for this copy sees that it is not left behind. */
    private void showLife(Path copy) throws IOException {
      if (System.nanoTime() - shownNanos > nanos(options.abandonedMs()) / SIGNS_OF_LIFE) {
        hdfs.setTimes(copy, System.currentTimeMillis(), /* atime= */ -1);
        shownNanos = System.nanoTime();
      }
    }

    private long fileId(Path path) throws IOException {
      return ((HdfsFileStatus) hdfs.getFileStatus(path)).getFileId();
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
            Refusal.to("write a block group anew")
                .value("lengthBytes, CRC-32C of the copy", length + ", " + Long.toHexString(read))
                .expected(group.lengthBytes() + ", " + Long.toHexString(crc) + " as read before")
                .where("group", index)
                .where("file", session.path())
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
              Refusal.to("write a block group anew")
                  .value("bytes that are missing", left)
                  .expected("0")
                  .where("group", index)
                  .where("file", session.path())
                  .message());
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("Cannot write a block group anew: interrupted");
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
        Optional<UpdateRefusal> refusal;
        source.know(Fate.IN_DOUBT);
        try {
          refusal = holder.replace(group.groupId(), path, source.healing());
        } catch (IOException e) {
          if (isElsewhereAfter(e)) {
            return false; // by whom, nobody has said; a copy that was taken is not there any more
          }
          throw e;
        }
        source.know(refusal.map(Fate::after).orElse(Fate.REPLACED));
        if (refusal.isEmpty()) {
          return true;
        }
        if (isReplaced(refusal.get())) {
          return false;
        }
        if (!PASSING.contains(refusal.get().kind()) || System.nanoTime() - deadlineNanos >= 0) {
          throw new IOException(SessionHolder.refusal(refusal.get()));
        }
        showLife(copy);
        pause();
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

    /** Also when it is interrupted: then most of all. */
    private void delete(Path copy) {
      boolean wasInterrupted = Thread.interrupted();
      try {
        hdfs.delete(copy, /* recursive= */ false);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "Cannot delete " + copy + "; the next renewal does it: " + e);
      } finally {
        if (wasInterrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot write a block group anew: interrupted");
    }
  }
}
