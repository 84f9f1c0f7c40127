/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.copy;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes a directory of a file system one in which only superusers make, rename and delete files, so
 * that paths in it can be believed.
 *
 * <p><b>Invariants</b> when {@link #prepare} returns: the directory belongs to the owner of the
 * root directory, the user of the NameNode, and not to the superuser who calls, who may be none
 * tomorrow; it has the given mode and no ACL; everything in it was made by superusers, since it was
 * empty after it had been taken; nobody else can put another directory in its place. It has an
 * extended attribute of the namespace {@code trusted}, which only superusers set: what has not is
 * refused unless it is empty, so that a wrong setting never makes the suite take or delete what is
 * not its own.
 *
 * <p>Stateless.
 */
public final class SystemFolder {
  /** Mark of folders that hold indexes of stored orders. */
  public static final String ORDERS = "trusted.parity.caso";

  private SystemFolder() {}

  /**
   * Makes or finds the directory.
   *
   * @param mark extended attribute of directories of this kind, of the namespace {@code trusted}
   * @param key of the configuration that names the directory, for messages
   * @throws IOException when it is no directory of ours and not empty, another user may exchange
   *     it, it lies in an encryption zone, the caller is no superuser, or the NameNode is in safe
   *     mode
   */
  public static void prepare(
      DistributedFileSystem fs, Path folder, FsPermission mode, String mark, String key)
      throws IOException {
    requireSafeAncestors(fs, folder, key);
    if (!fs.exists(folder)) {
      fs.mkdirs(folder, mode);
    }
    FileStatus status = fs.getFileStatus(folder);
    long inodeId = ((HdfsFileStatus) status).getFileId();
    if (!status.isDirectory()) {
      throw notOurs(folder, mark, key);
    }
    if (status.isEncrypted()) {
      throw refused(folder, "encrypted", true, "it outside encryption zones", key);
    }
    // As long as it is another user's, that user may put another directory in its place.
    Path byInode = DFSUtilClient.makePathFromFileId(inodeId);
    boolean isMarked = fs.getXAttrs(byInode).get(mark) != null;
    if (!isMarked && fs.listStatus(byInode).length > 0) {
      throw notOurs(folder, mark, key);
    }
    take(fs, byInode, status, mode);
    if (!isMarked) {
      // What its former owner has put into it before it was taken.
      if (fs.listStatus(byInode).length > 0) {
        throw notOurs(folder, mark, key);
      }
      fs.setXAttr(byInode, mark, "1".getBytes(StandardCharsets.UTF_8));
    }
    if (((HdfsFileStatus) fs.getFileStatus(folder)).getFileId() != inodeId) {
      throw refused(folder, "inode", "another", "the directory to stay where it is", key);
    }
  }

  /** The user that such directories belong to: the owner of the root directory. */
  public static String owner(DistributedFileSystem fs) throws IOException {
    return fs.getFileStatus(new Path("/")).getOwner();
  }

  private static void take(
      DistributedFileSystem fs, Path folder, FileStatus status, FsPermission mode)
      throws IOException {
    String owner = owner(fs);
    if (!status.getOwner().equals(owner)) {
      fs.setOwner(folder, owner, /* groupname= */ null);
    }
    // Also what it has inherited, which would be handed down to what is made in it.
    if (status.hasAcl()) {
      fs.removeAcl(folder);
    }
    fs.setPermission(folder, mode);
  }

  /** Who may rename a directory above may put another one in the place of this one. */
  private static void requireSafeAncestors(DistributedFileSystem fs, Path folder, String key)
      throws IOException {
    String owner = owner(fs);
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      FileStatus status = fs.getFileStatus(above);
      FsPermission mode = status.getPermission();
      boolean mayOthers =
          mode.getGroupAction().implies(FsAction.WRITE)
              || mode.getOtherAction().implies(FsAction.WRITE);
      if (!(status.getOwner().equals(owner) || status.getOwner().equals(user))
          || (mayOthers && !mode.getStickyBit())) {
        throw refused(
            folder,
            "directory above",
            above.toUri().getPath() + " " + status.getOwner() + " " + mode,
            "directories above it that the owner of / or the superuser who runs this owns, and only"
                + " its owner writes to, or with the sticky bit",
            key);
      }
    }
  }

  private static IOException notOurs(Path folder, String mark, String key) {
    return refused(
        folder,
        "xattr " + mark,
        "missing",
        "an empty directory, or one that the suite has made, which has it",
        key);
  }

  private static IOException refused(
      Path folder, String name, Object value, String rule, String key) {
    return new IOException(
        ErrorMessage.to("use the folder that " + key + " names")
            .value(name, value)
            .expected(rule)
            .where("path", folder)
            .message());
  }
}
