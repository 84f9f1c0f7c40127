/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.session.RefusalKind;
import io.hdfsparity.ecupdate.session.UpdateGroup;
import io.hdfsparity.ecupdate.session.UpdateRefusal;
import io.hdfsparity.ecupdate.session.UpdateSession;
import java.io.EOFException;
import java.io.FileNotFoundException;
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
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Writes a block group anew, under ids of its own, that takes no more updates since HDFS has
 * rebuilt or copied a unit of it: the same bytes in a file beside, read back and compared, whose
 * group the NameNode then puts in the place of the old one (ADR 0022). As long as it is there, the
 * old group changes no more, so whoever is first may do it, and several may try.
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
      Set.of(RefusalKind.MISSING_UNIT.word(), RefusalKind.GROUP_OPEN.word());

  /** Opens the file system of the session, as its user. */
  @FunctionalInterface
  interface Opener {
    FileSystem open() throws IOException;
  }

  private final SessionHolder holder;
  private final Opener opener;
  private final long reportMs;
  private final RenewalOptions options;

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
      new Attempt(FileUpdates.hdfs(opened, new Path(session.path())), session, index).run();
    }
  }

  /** One group, on one thread. */
  private final class Attempt {
    private final DistributedFileSystem hdfs;
    private final UpdateSession session;
    private final UpdateGroup group;
    private final int index;

    /** By its inode: whatever has its name by now. */
    private final Path file;

    /** Where the copy is made. */
    private final Path beside;

    Attempt(DistributedFileSystem hdfs, UpdateSession session, int index) {
      this.hdfs = hdfs;
      this.session = session;
      this.index = index;
      group = session.groups().get(index);
      file = DFSUtilClient.makePathFromFileId(session.inodeId());
      beside =
          new Path(
              new Path(session.path()).getParent(),
              ".parity-renewal-" + session.inodeId() + "-" + index);
    }

    void run() throws IOException {
      long beganNanos = System.nanoTime();
      Optional<OutputStream> created = create();
      if (created.isEmpty()) {
        return;
      }
      LOG.log(
          Level.INFO,
          "HDFS has rebuilt or copied a unit of block group "
              + index
              + " of "
              + session.path()
              + "; it is written anew, bytes="
              + group.lengthBytes());
      Path copy = DFSUtilClient.makePathFromFileId(fileId(beside));
      boolean isReplaced = false;
      try {
        long crc = copyTo(created.get());
        requireSame(copy, crc);
        isReplaced = replace(copy);
      } finally {
        if (!isReplaced) {
          delete(copy);
        }
      }
      if (isReplaced) {
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

    /** Empty: somebody else has written the group anew. */
    private Optional<OutputStream> create() throws IOException {
      long deadlineNanos = System.nanoTime() + nanos(options.patienceMs());
      long seenId = HdfsConstants.GRANDFATHER_INODE_ID;
      long seenNanos = System.nanoTime();
      while (true) {
        try {
          return Optional.of(builder().build());
        } catch (IOException e) {
          if (!isThere(e) || System.nanoTime() - deadlineNanos >= 0) {
            throw e;
          }
        }
        // Somebody else is at it, or was.
        if (isElsewhere()) {
          return Optional.empty();
        }
        long id = idOfClosed();
        if (id != seenId) {
          seenId = id;
          seenNanos = System.nanoTime();
        } else if (id != HdfsConstants.GRANDFATHER_INODE_ID
            && System.nanoTime() - seenNanos > nanos(options.abandonedMs())) {
          LOG.log(Level.INFO, "Deleting a copy that somebody has left behind: " + beside);
          hdfs.delete(DFSUtilClient.makePathFromFileId(id), /* recursive= */ false);
        }
        pause();
      }
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
          || e instanceof RemoteException remote
              && remote.unwrapRemoteException(AlreadyBeingCreatedException.class)
                  instanceof AlreadyBeingCreatedException;
    }

    /** Whether the file has another group in that place by now. */
    private boolean isElsewhere() throws IOException {
      return holder.refreshed(holder.told()).session().groups().get(index).groupId()
          != group.groupId();
    }

    /** Of the copy of somebody else, once it is closed. */
    private long idOfClosed() throws IOException {
      try {
        return hdfs.isFileClosed(beside) ? fileId(beside) : HdfsConstants.GRANDFATHER_INODE_ID;
      } catch (FileNotFoundException e) {
        return HdfsConstants.GRANDFATHER_INODE_ID;
      }
    }

    private long fileId(Path path) throws IOException {
      return ((HdfsFileStatus) hdfs.getFileStatus(path)).getFileId();
    }

    private long copyTo(OutputStream created) throws IOException {
      try (OutputStream out = created;
          FSDataInputStream in = hdfs.open(file)) {
        in.seek(group.offsetBytes());
        return pass(in, out);
      }
    }

    /** What readers get of the copy, and not what was sent. */
    private void requireSame(Path copy, long crc) throws IOException {
      long length = hdfs.getFileStatus(copy).getLen();
      long read;
      try (FSDataInputStream in = hdfs.open(copy)) {
        read = length == group.lengthBytes() ? pass(in, OutputStream.nullOutputStream()) : -1;
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
    private long pass(InputStream in, OutputStream out) throws IOException {
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
      }
      return crc.getValue();
    }

    /** False: somebody else has done it. */
    private boolean replace(Path copy) throws IOException {
      long deadlineNanos = System.nanoTime() + nanos(reportMs);
      while (true) {
        Optional<UpdateRefusal> refusal = holder.replace(group.groupId(), copy.toUri().getPath());
        if (refusal.isEmpty()) {
          return true;
        }
        String kind = refusal.get().kind();
        if (kind.equals(RefusalKind.REPLACED.word())) {
          return false;
        }
        if (!PASSING.contains(kind) || System.nanoTime() - deadlineNanos >= 0) {
          throw new IOException(SessionHolder.refusal(refusal.get()));
        }
        pause();
      }
    }

    private void delete(Path copy) {
      try {
        hdfs.delete(copy, /* recursive= */ false);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "Cannot delete " + beside + "; the next renewal does it: " + e);
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
