/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import io.hdfsparity.bridge.copy.SystemFolder;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.mapping.StorageForm;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where copies lie until they take the place of their files: one directory of the file system, with
 * mode 0700, marked as ours by an extended attribute, so that a wrong setting never makes the suite
 * delete what is not its own.
 *
 * <p><b>One run at a time</b>: a run holds the file {@code lock} open for append, so the NameNode's
 * lease is the lock. It ends with the process: HDFS gives the lease to the next run when the holder
 * has not renewed it for a minute; a closed lock whose bytes are lost is recreated. The lock spares
 * work; it is not what makes runs safe. Should two ever be at work, the second to swap a file is
 * refused because the file is another by then, and a copy that the other run has deleted is refused
 * because it is not there.
 *
 * <p><b>Crash</b>: copies that are left behind are deleted by the next run, which has the lock and
 * none of its own yet. A copy that has taken a file's place is not in this folder any more.
 *
 * <p><b>Copies of form {@code raidp}</b> are made in a directory of their own in it, {@code
 * protected}, which has the mark of RAIDP: the blocks of a copy are the file's blocks later, and
 * they are covered where they are allocated. It has the same owner, mode and attribute.
 *
 * <p>Thread-safe.
 */
public final class WorkFolder implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);
  private static final String MARK = "trusted.parity.izs.apply";
  private static final String LOCK = "lock";
  private static final String PROTECTED = "protected";
  private static final Pattern JOB = Pattern.compile("job-[0-9a-f]{16}");
  private static final Pattern COPY = Pattern.compile("copy-[0-9]+-[0-9a-f]{16}");
  private static final int HOLDER_BYTES = 200;
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  private final DistributedFileSystem fs;
  private final Path folder;
  private final long inodeId;
  private final Optional<FSDataOutputStream> lock;
  private final SecureRandom random = new SecureRandom();
  private volatile Optional<Place> protectedPlace;

  /** A directory of copies. */
  private record Place(Path folder, long inodeId) {}

  private WorkFolder(
      DistributedFileSystem fs,
      Path folder,
      long inodeId,
      Optional<FSDataOutputStream> lock,
      Optional<Place> protectedPlace) {
    this.fs = fs;
    this.folder = folder;
    this.inodeId = inodeId;
    this.lock = lock;
    this.protectedPlace = protectedPlace;
  }

  /**
   * Makes or finds the folder and takes the lock.
   *
   * @throws IOException when another run has the lock, the path is no folder of ours, the user is
   *     no superuser, or the NameNode is in safe mode
   */
  public static WorkFolder open(DistributedFileSystem fs, String path) throws IOException {
    Path folder = fs.makeQualified(new Path(path));
    FSDataOutputStream lock;
    try {
      lock = prepare(fs, folder);
    } catch (IOException e) {
      throw isSafeMode(e) ? inSafeMode(folder, e) : e;
    }
    try {
      lock.writeBytes(
          InetAddress.getLocalHost().getHostName()
              + " "
              + UserGroupInformation.getCurrentUser().getShortUserName()
              + " since "
              + Instant.now()
              + "\n");
      lock.hflush();
      return new WorkFolder(fs, folder, inodeId(fs, folder), Optional.of(lock), Optional.empty());
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(lock);
      throw e;
    }
  }

  /** Takes the lock before it changes anything of a folder that another run may be using. */
  private static FSDataOutputStream prepare(DistributedFileSystem fs, Path folder)
      throws IOException {
    if (!isOurs(fs, folder)) {
      SystemFolder.prepare(fs, folder, PRIVATE, MARK, ApplyKey.WORK_FOLDER.key());
      return take(fs, new Path(folder, LOCK));
    }
    FSDataOutputStream lock = take(fs, new Path(folder, LOCK));
    try {
      SystemFolder.prepare(fs, folder, PRIVATE, MARK, ApplyKey.WORK_FOLDER.key());
      return lock;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(lock);
      throw e;
    }
  }

  /** The folder of a run that another process has the lock for: its maps. */
  public static WorkFolder join(DistributedFileSystem fs, String path) throws IOException {
    Path folder = fs.makeQualified(new Path(path));
    String owner = fs.getFileStatus(folder).getOwner();
    String expected = SystemFolder.owner(fs);
    if (!owner.equals(expected) || fs.getXAttrs(folder).get(MARK) == null) {
      throw new IOException(
          "Cannot use the work folder: owner="
              + owner
              + ", expected "
              + expected
              + " and the xattr "
              + MARK
              + ", path="
              + folder);
    }
    Path covered = new Path(folder, PROTECTED);
    // Made by the run before it starts its job, if it is needed.
    Optional<Place> place =
        isOurs(fs, covered)
            ? Optional.of(new Place(covered, inodeId(fs, covered)))
            : Optional.empty();
    return new WorkFolder(fs, folder, inodeId(fs, folder), Optional.empty(), place);
  }

  /** Whether there is a directory that was made as a work folder. */
  private static boolean isOurs(DistributedFileSystem fs, Path folder) throws IOException {
    try {
      return fs.getFileStatus(folder).isDirectory() && fs.getXAttrs(folder).get(MARK) != null;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /**
   * Makes or finds the directory for copies of form {@code raidp}, and has it protected.
   *
   * @throws IOException when the path is no folder of ours, or the NameNode does not protect it
   */
  public synchronized void protect(SwapProtocol service) throws IOException {
    Path covered = new Path(folder, PROTECTED);
    SystemFolder.prepare(fs, covered, PRIVATE, MARK, ApplyKey.WORK_FOLDER.key());
    service.protectFolder(covered.toUri().getPath());
    protectedPlace = Optional.of(new Place(covered, inodeId(fs, covered)));
  }

  private static long inodeId(DistributedFileSystem fs, Path folder) throws IOException {
    return ((HdfsFileStatus) fs.getFileStatus(folder)).getFileId();
  }

  private static FSDataOutputStream take(DistributedFileSystem fs, Path lock) throws IOException {
    try {
      deleteIfLost(fs, lock);
      if (!fs.exists(lock)) {
        try {
          return fs.createFile(lock).overwrite(false).replicate().build();
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
          return fs.append(lock);
        }
      }
      return fs.append(lock);
    } catch (IOException e) {
      if (isSafeMode(e)) {
        throw e;
      }
      throw new IOException(
          "Cannot begin: lock="
              + lock
              + " held by "
              + holder(fs, lock)
              + ", expected no other run; a run that was killed loses it after about a minute. If"
              + " no run is at work and it stays so for longer, delete the lock: hdfs dfs -rm"
              + " -skipTrash "
              + lock.toUri().getPath(),
          e);
    }
  }

  /** HDFS's client unwraps it in most calls, not in all. */
  private static boolean isSafeMode(IOException e) {
    return e instanceof SafeModeException
        || e instanceof RemoteException remote
            && SafeModeException.class.getName().equals(remote.getClassName());
  }

  private static IOException inSafeMode(Path folder, IOException e) {
    return new IOException(
        "Cannot begin: safeMode=on, expected a NameNode that takes changes; path="
            + folder
            + "; wait until it has left safe mode, or see why it has not: hdfs dfsadmin -safemode"
            + " get",
        e);
  }

  /**
   * Nobody can append to a lock whose last block has lost all replicas, so nobody would ever have
   * it again. A closed one is nobody's; it is deleted by its inode, so that never the lock goes
   * that another run has made in its place meanwhile.
   */
  private static void deleteIfLost(DistributedFileSystem fs, Path lock) throws IOException {
    try {
      HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(lock);
      LocatedBlocks blocks =
          fs.getClient().getLocatedBlocks(lock.toUri().getPath(), 0, Long.MAX_VALUE);
      LocatedBlock last = blocks.getLastLocatedBlock();
      if (blocks.isUnderConstruction() || last == null || !isLost(last)) {
        return;
      }
      LOG.warn("The lock has lost its last block {}; recreating it: {}", last.getBlock(), lock);
      fs.delete(new Path("/.reserved/.inodes/" + status.getFileId()), /* recursive= */ false);
    } catch (FileNotFoundException e) {
      LOG.debug("There is no lock yet: {}", lock, e);
    }
  }

  private static boolean isLost(LocatedBlock block) {
    return block.isCorrupt() || block.getLocations().length == 0;
  }

  /** Who wrote the last line; a reader sees what was flushed. */
  private static String holder(DistributedFileSystem fs, Path lock) {
    try (FSDataInputStream in = fs.open(lock)) {
      byte[] last = new byte[HOLDER_BYTES];
      long length = Math.max(0, in.available());
      int count = (int) Math.min(length, last.length);
      in.readFully(length - count, last, 0, count);
      String text = new String(last, 0, count, StandardCharsets.UTF_8);
      return text.lines().reduce("", (before, line) -> line);
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  /**
   * Deletes what runs before this one left behind.
   *
   * @return how many copies
   */
  public int cleanLeftovers() throws IOException {
    Path covered = new Path(folder, PROTECTED);
    return cleanLeftovers(folder) + (isOurs(fs, covered) ? cleanLeftovers(covered) : 0);
  }

  private int cleanLeftovers(Path place) throws IOException {
    int cleaned = 0;
    RemoteIterator<FileStatus> children = fs.listStatusIterator(place);
    while (children.hasNext()) {
      FileStatus child = children.next();
      if (child.isFile() && COPY.matcher(child.getPath().getName()).matches()) {
        delete(child.getPath());
        cleaned++;
      } else if (child.isDirectory() && JOB.matcher(child.getPath().getName()).matches()) {
        fs.delete(child.getPath(), /* recursive= */ true);
      }
    }
    return cleaned;
  }

  /**
   * A path that nothing has, for the copy of an inode. Where nobody has called {@link #protect}, a
   * copy of form {@code raidp} is made beside the others, and not protected.
   */
  Path newCopy(long sourceInodeId, StorageForm form) {
    Path place =
        form instanceof StorageForm.Raidp
            ? protectedPlace.map(Place::folder).orElse(folder)
            : folder;
    return new Path(place, String.format("copy-%d-%016x", sourceInodeId, random.nextLong()));
  }

  /** A directory that nothing has, for lists and results of a job. */
  public Path newJobFolder() throws IOException {
    Path made = new Path(folder, String.format("job-%016x", random.nextLong()));
    fs.mkdirs(made);
    return made;
  }

  /**
   * The same place by the folder's inode: what is created by such a path is not in the access
   * history, where it would take the room of real files.
   */
  Path byInode(Path copy) {
    long place =
        protectedPlace
            .filter(each -> each.folder().equals(copy.getParent()))
            .map(Place::inodeId)
            .orElse(inodeId);
    return new Path("/.reserved/.inodes/" + place + "/" + copy.getName());
  }

  /** Deletes a copy. One that is not there is no error: it may have taken its file's place. */
  void delete(Path copy) throws IOException {
    Path place = copy.getParent();
    if (!COPY.matcher(copy.getName()).matches()
        || !(folder.equals(place) || new Path(folder, PROTECTED).equals(place))) {
      throw new IOException(
          "Cannot delete: path=" + copy + ", expected a copy in the work folder " + folder);
    }
    // False, when it is not there.
    fs.delete(copy, /* recursive= */ false);
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    if (lock.isPresent()) {
      lock.get().close();
    }
  }
}
