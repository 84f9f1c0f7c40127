/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Which directories and files are protected by parity: an extended attribute of the namespace
 * {@code system}, which no client sees, sets, removes or copies. So it is in the log and in the
 * image, and stays through renames, the trash and snapshots. The nearest one above a file counts.
 * It is looked at when a block is allocated or adopted, and says nothing of blocks that exist.
 *
 * <p>Reaches, package-private: FSDirXAttrOp.unprotectedRemoveXAttrs, XAttrStorage, FSDirectory's
 * locks and resolvePath, FSNamesystem.checkNameNodeSafeMode. Checked for Hadoop 3.5.0. Thread-safe.
 *
 * <p><b>Crash</b>: a change is one operation of the log, and is synced before the call returns.
 */
public final class ProtectionMarks {
  /** What a directory or file says of new blocks. */
  public enum Mark {
    PLAIN,
    PROTECTED
  }

  /** A mark, and the directory or file that has it. */
  public record Marked(String path, Mark mark) {}

  private static final String NAME = "parity.protection";
  private static final String ATTRIBUTE = XAttrHelper.getPrefixedName(attribute(null));

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final NamespaceReader reader;

  public ProtectionMarks(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.reader = new NamespaceReader(namesystem, "readProtection");
  }

  private static XAttr attribute(@Nullable Mark mark) {
    XAttr.Builder builder = new XAttr.Builder().setNameSpace(XAttr.NameSpace.SYSTEM).setName(NAME);
    return mark == null
        ? builder.build()
        : builder.setValue(new byte[] {(byte) mark.ordinal()}).build();
  }

  /**
   * Marks a directory or file, for superusers.
   *
   * @throws FileNotFoundException where there is none
   * @throws IOException also in safe mode and in a standby
   */
  public void set(String path, Mark mark) throws IOException {
    change(path, "protect", place -> put(place, mark));
  }

  /**
   * Marks a directory as protected, for superusers; one that has the mark itself stays as it is.
   *
   * @throws FileNotFoundException where there is none
   * @throws IOException when it is a file; also in safe mode and in a standby
   */
  public void protectFolder(String path) throws IOException {
    change(
        path,
        "protectFolder",
        place -> {
          INode folder = place.getLastINode();
          if (!folder.isDirectory()) {
            throw new IOException(
                ErrorMessage.to("protect a folder")
                    .value("path", path)
                    .expected("a directory")
                    .message());
          }
          XAttr own = attributeOf(folder);
          if (own == null || mark(own) != Mark.PROTECTED) {
            put(place, Mark.PROTECTED);
          }
        });
  }

  private void put(INodesInPath place, Mark mark) throws IOException {
    List<XAttr> attributes = List.of(attribute(mark));
    FSDirXAttrOp.unprotectedSetXAttrs(
        directory, place, attributes, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    directory.getEditLog().logSetXAttrs(place.getPath(), attributes, false);
  }

  /**
   * Removes the mark of a directory or file, for superusers; that of one above counts again.
   *
   * @throws FileNotFoundException where there is no file
   * @throws IOException also in safe mode and in a standby
   */
  public void clear(String path) throws IOException {
    change(
        path,
        "clearProtection",
        place -> {
          // Hadoop takes out of the list what it has found.
          List<XAttr> sought = new ArrayList<>(List.of(attribute(null)));
          List<XAttr> removed = FSDirXAttrOp.unprotectedRemoveXAttrs(directory, place, sought);
          if (removed != null && !removed.isEmpty()) {
            directory.getEditLog().logRemoveXAttrs(place.getPath(), removed, false);
          }
        });
  }

  /** One change of the namespace, under its lock. */
  @FunctionalInterface
  private interface Change {
    void apply(INodesInPath place) throws IOException;
  }

  private void change(String path, String operation, Change change) throws IOException {
    SuperuserCheck.check(namesystem, operation);
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot change the protection of " + path);
      directory.writeLock();
      try {
        INodesInPath place = directory.getINodesInPath(path, DirOp.WRITE);
        if (place.getLastINode() == null) {
          throw new FileNotFoundException(
              ErrorMessage.to("change the protection")
                  .value("path", path)
                  .expected("a directory or file that exists")
                  .message());
        }
        change.apply(place);
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, operation);
    }
    DurableLog.sync(namesystem, operation);
    namesystem.logAuditEvent(true, operation, path);
  }

  /**
   * The mark that counts for a path: its own, or that of the nearest directory above.
   *
   * @return empty: none has one
   * @throws IOException also when the path leads nowhere
   */
  public Optional<Marked> of(String path) throws IOException {
    return reader.locked(
        () -> {
          INode inode = directory.getINodesInPath(path, DirOp.READ).getLastINode();
          if (inode == null) {
            throw new FileNotFoundException(
                ErrorMessage.to("read the protection")
                    .value("path", path)
                    .expected("a directory or file that exists")
                    .message());
          }
          return nearest(inode);
        });
  }

  /**
   * Whether new blocks of a file are protected. False where there is no such file: what a client
   * calls a file may be an old name of it.
   */
  public boolean isProtected(String path) throws IOException {
    if (!path.startsWith(Path.SEPARATOR)) {
      return false;
    }
    return reader.locked(
        () -> {
          try {
            // A client may have a file by its inode, as the NFS gateway has.
            String resolved = FSDirectory.resolvePath(path, directory);
            INode inode = directory.getINode(resolved, DirOp.READ);
            return inode != null && isProtected(inode);
          } catch (FileNotFoundException | InvalidPathException | ParentNotDirectoryException e) {
            return false;
          }
        });
  }

  /** Whether there is no such file: new blocks are asked for by an old name of theirs then. */
  public boolean isNoFile(String path) throws IOException {
    if (!path.startsWith(Path.SEPARATOR)) {
      return true;
    }
    return reader.locked(
        () -> {
          try {
            return directory.getINode(FSDirectory.resolvePath(path, directory), DirOp.READ) == null;
          } catch (FileNotFoundException | InvalidPathException | ParentNotDirectoryException e) {
            return true;
          }
        });
  }

  /** Whether new blocks of an inode are protected; the caller holds the locks. */
  public static boolean isProtected(INode inode) {
    return nearest(inode).filter(marked -> marked.mark() == Mark.PROTECTED).isPresent();
  }

  /** Whether an inode has a mark of its own; the caller holds the locks. */
  static boolean isMarked(INode inode) {
    return attributeOf(inode) != null;
  }

  private static @Nullable XAttr attributeOf(INode inode) {
    return XAttrStorage.readINodeXAttrByPrefixedName(inode, Snapshot.CURRENT_STATE_ID, ATTRIBUTE);
  }

  private static Optional<Marked> nearest(INode inode) {
    for (INode each = inode; each != null; each = each.getParent()) {
      XAttr attribute = attributeOf(each);
      if (attribute != null) {
        return Optional.of(new Marked(each.getFullPathName(), mark(attribute)));
      }
    }
    return Optional.empty();
  }

  /** An unknown value, which a later version may write, protects: that costs space at worst. */
  private static Mark mark(XAttr attribute) {
    byte[] value = attribute.getValue();
    return value != null && value.length == 1 && value[0] == Mark.PLAIN.ordinal()
        ? Mark.PLAIN
        : Mark.PROTECTED;
  }
}
