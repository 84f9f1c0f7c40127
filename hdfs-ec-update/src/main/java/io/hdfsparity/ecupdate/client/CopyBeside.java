/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileAlreadyExistsException;
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
 * The file beside another in which one of its block groups is rewritten. Its name follows from the
 * file and the group, so that of several programs one makes it, and what one leaves behind that has
 * died is found by the next. For one thread.
 */
final class CopyBeside {
  private static final System.Logger LOG = System.getLogger(CopyBeside.class.getName());
  private static final long LOOK_MS = 200;

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

  /** How often a copy that is closed is touched before it would count as left behind. */
  private static final int SIGNS_OF_LIFE = 4;

  /** A copy as it was seen; by its id and the time of its last change. */
  private record SeenCopy(long id, long modifiedMs) {
    static final SeenCopy NONE = new SeenCopy(HdfsConstants.GRANDFATHER_INODE_ID, 0);
  }

  /**
   * A copy that is being made.
   *
   * @param copy by its inode: a file that takes its name is not it
   */
  record Created(OutputStream out, Path copy) {}

  /** Whether the copy is still of use. */
  interface Purpose {
    /**
     * Returns if it is wanted.
     *
     * @throws IOException if it is not
     */
    void requireWanted() throws IOException;

    /** Whether somebody else has rewritten the group by now. */
    boolean isElsewhere() throws IOException;
  }

  private final DistributedFileSystem hdfs;
  private final RenewalOptions options;
  private final Purpose purpose;
  private final String policy;

  /** By its inode: whatever has its name by now. */
  private final Path file;

  /** Names that copies may have; the first is waited for. */
  private final List<Path> names = new ArrayList<>();

  /** Where the copy is made. */
  private Path beside;

  private long shownNanos = System.nanoTime();

  /**
   * Nothing is made yet.
   *
   * @param hdfs stays the caller's
   * @param index of the group in the session
   */
  CopyBeside(
      DistributedFileSystem hdfs,
      UpdateSession session,
      int index,
      RenewalOptions options,
      Purpose purpose) {
    this.hdfs = hdfs;
    this.options = options;
    this.purpose = purpose;
    policy = session.file().code().policy();
    file = DFSUtilClient.makePathFromFileId(session.file().inodeId());
    String name = ".parity-renewal-" + session.file().inodeId() + "-" + index;
    Path folder = new Path(session.file().path()).getParent();
    names.add(new Path(folder, name));
    for (int i = 1; i < NAMES; i++) {
      names.add(new Path(folder, name + "-" + i));
    }
    beside = names.get(0);
  }

  /** Under the first name that nobody has; empty: somebody else has rewritten the group. */
  Optional<Created> createAny() throws IOException {
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
  void deleteOthers() {
    for (Path name : names) {
      if (!name.equals(beside)) {
        delete(name);
      }
    }
  }

  /** Empty: somebody else has rewritten the group. */
  Optional<Created> create() throws IOException {
    long deadlineNanos = System.nanoTime() + nanos(options.timeoutMs());
    SeenCopy seen = SeenCopy.NONE;
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
      purpose.requireWanted();
      if (purpose.isElsewhere()) {
        return Optional.empty();
      }
      SeenCopy now = look();
      if (!now.equals(seen)) {
        seen = now;
        seenNanos = System.nanoTime();
      } else if (!now.equals(SeenCopy.NONE)
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
      isWanted = !purpose.isElsewhere();
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
            // What is deleted for its sake is durable.
            .syncBlock()
            .ecPolicyName(policy);
    String storage = hdfs.getStoragePolicy(file).getName();
    return storage.equals(hdfs.getStoragePolicy(beside.getParent()).getName())
        ? builder
        : builder.storagePolicyName(storage);
  }

  private static boolean isThere(IOException e) {
    return e instanceof FileAlreadyExistsException
        || e instanceof RemoteException remote && BEING_WRITTEN.contains(remote.getClassName());
  }

  /** The copy of somebody else, once it is closed: while it is not, its lease tells of him. */
  private SeenCopy look() throws IOException {
    try {
      if (!hdfs.isFileClosed(beside)) {
        return SeenCopy.NONE;
      }
      HdfsFileStatus status = (HdfsFileStatus) hdfs.getFileStatus(beside);
      return new SeenCopy(status.getFileId(), status.getModificationTime());
    } catch (FileNotFoundException e) {
      return SeenCopy.NONE;
    }
  }

  /** Whoever waits for this copy sees that it is not left behind. */
  void showLife(Path copy) throws IOException {
    if (System.nanoTime() - shownNanos > nanos(options.abandonedMs()) / SIGNS_OF_LIFE) {
      hdfs.setTimes(copy, System.currentTimeMillis(), /* atime= */ -1);
      shownNanos = System.nanoTime();
    }
  }

  private long fileId(Path path) throws IOException {
    return ((HdfsFileStatus) hdfs.getFileStatus(path)).getFileId();
  }

  /** Also when it is interrupted: then most of all. */
  void delete(Path copy) {
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

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /** Before it is looked again. */
  static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot rewrite a block group: interrupted");
    }
  }
}
