/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.caso.fs.RepairPoints.Point;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the index of a reordered file from its copy, or the copy from the index, and the pointer
 * of the file from what both have of it. For superusers: nobody else writes to where indexes are.
 *
 * <p><b>Invariant</b>: an index gets its place only with the SHA-256 that the file was given when
 * it was organized; one that has not, or is not of this file as it is now, is never used. So the
 * order of the file stays what it is. The place is the same as before: snapshots of the file find
 * it, too.
 *
 * <p><b>Crash.</b> What is made has another name, is read back, and gets its place by one operation
 * of the NameNode. What is left is deleted by the next run for the file.
 *
 * <p>For one file; not thread-safe.
 */
public final class IndexRepair {
  private static final Logger LOG = LoggerFactory.getLogger(IndexRepair.class);

  private final DistributedFileSystem fs;
  private final IndexFiles files;
  private final LayoutFolder folder;
  private final RepairPoints points;

  /**
   * @param folder absolute path of the suite's folder
   */
  public IndexRepair(DistributedFileSystem fs, String folder) {
    this(fs, folder, RepairPoints.NONE);
  }

  /**
   * As above.
   *
   * @param points notified where a repair is
   */
  public IndexRepair(DistributedFileSystem fs, String folder, RepairPoints points) {
    this.fs = fs;
    this.folder = new LayoutFolder(folder);
    this.points = points;
    this.files = new IndexFiles(fs);
  }

  /**
   * What was found, before anything was rebuilt.
   *
   * @param index why it cannot be used; empty: it is sound
   * @param copy the same of its copy
   * @param pointer the same of the file's attribute
   */
  public record Found(Optional<String> index, Optional<String> copy, Optional<String> pointer) {
    /** Whether there is nothing to rebuild. */
    public boolean isSound() {
      return index.isEmpty() && copy.isEmpty() && pointer.isEmpty();
    }
  }

  /** An index that was looked for: its bytes, if they are right, and why it is rebuilt. */
  private record IndexContent(Optional<byte[]> bytes, Optional<String> fault) {}

  /** What a file is known to point to, and why that does not stand in its attribute. */
  private record Known(LayoutPointer pointer, Optional<String> fault) {}

  /**
   * Looks at an index and its copy, and changes nothing.
   *
   * @param path absolute, without scheme
   * @return what would be rebuilt
   * @throws IOException if the file is not in stored order
   */
  public Found look(HdfsFileStatus status, String path) throws IOException {
    Known known = known(status, path);
    return new Found(
        look(known.pointer(), known.pointer().index(), status, path).fault(),
        look(known.pointer(), known.pointer().spare(), status, path).fault(),
        known.fault());
  }

  /**
   * Rebuilds what is not sound.
   *
   * @param path absolute, without scheme
   * @return what it was before
   * @throws IOException if neither of both is sound, or the file is not in stored order; nothing is
   *     changed then
   */
  public Found repair(HdfsFileStatus status, String path) throws IOException {
    Known known = known(status, path);
    LayoutPointer pointer = known.pointer();
    IndexContent index = look(pointer, pointer.index(), status, path);
    IndexContent copy = look(pointer, pointer.spare(), status, path);
    Found found = new Found(index.fault(), copy.fault(), known.fault());
    if (found.isSound()) {
      return found;
    }
    Optional<byte[]> bytes = index.bytes().or(copy::bytes);
    if (bytes.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("repair an index")
              .value("index", "[" + index.fault().orElse("") + "]")
              .value("copy", "[" + copy.fault().orElse("") + "]")
              .expected(
                  "one of them sound: put "
                      + pointer.index()
                      + " with SHA-256 "
                      + pointer.sha256()
                      + " back from a backup")
              .where("file", path)
              .message());
    }
    // A user may write to the attribute, and this is a superuser who writes to where it leads.
    if (!pointer.folder().equals(folder.path())) {
      throw refused("folder", pointer.folder(), folder.path(), path);
    }
    points.reached(Point.LOOKED);
    folder.prepare(fs);
    new WorkFiles(fs, folder).clean(status.getFileId());
    if (index.fault().isPresent()) {
      put(pointer, bytes.get(), new Path(pointer.index()), path);
    }
    if (copy.fault().isPresent()) {
      put(pointer, bytes.get(), new Path(pointer.spare()), path);
    }
    if (known.fault().isPresent()) {
      fs.setXAttr(
          new Path(InodePaths.path(status.getFileId())),
          LayoutPointer.XATTR,
          pointer.encode(),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
      points.reached(Point.POINTED);
    }
    return found;
  }

  private void put(LayoutPointer pointer, byte[] sound, Path place, String path)
      throws IOException {
    Path made = new WorkFiles(fs, folder).newIndex(pointer.fileId());
    try {
      files.create(made, sound, pointer, IndexFiles.decode(sound, pointer, path).parityCells());
      points.reached(Point.MADE);
      files.bytes(pointer, made.toUri().getPath(), path);
      points.reached(Point.READ_BACK);
      fs.rename(made, place, Options.Rename.OVERWRITE);
      points.reached(Point.PUT);
    } catch (IOException | RuntimeException e) {
      try {
        fs.delete(made, /* recursive= */ false);
      } catch (IOException notDeleted) {
        // The next run deletes it.
        e.addSuppressed(notDeleted);
      }
      throw e;
    }
  }

  /**
   * What the file was given when it was organized: as the index has it, where only superusers write
   * and which only they see, else as the file has it, which is its owner's to change.
   */
  private Known known(HdfsFileStatus status, String path) throws IOException {
    long fileId = status.getFileId();
    Optional<LayoutPointer> kept =
        kept(folder.index(fileId), fileId).or(() -> kept(folder.spare(fileId), fileId));
    Optional<LayoutPointer> said;
    try {
      said = new LayoutStore(fs.getClient()).pointer(status, path);
    } catch (IOException e) {
      return new Known(kept.orElseThrow(() -> e), Optional.of(String.valueOf(e.getMessage())));
    }
    if (kept.isEmpty()) {
      return new Known(
          said.orElseThrow(() -> refused("order", "its own", "a file in stored order", path)),
          Optional.empty());
    }
    return new Known(
        kept.get(),
        said.equals(kept)
            ? Optional.empty()
            : Optional.of(LayoutPointer.XATTR + (said.isEmpty() ? " missing" : " changed")));
  }

  private Optional<LayoutPointer> kept(Path at, long fileId) {
    try {
      byte[] value = fs.getXAttrs(at).get(IndexFiles.POINTER);
      if (value != null) {
        LayoutPointer pointer = LayoutPointer.decode(value, at.toString());
        if (pointer.fileId() == fileId) {
          return Optional.of(pointer);
        }
      }
    } catch (FileNotFoundException e) {
      LOG.debug("No index: {}", at, e);
    } catch (IOException e) {
      LOG.warn("Cannot tell from {} what its file points to", at, e);
    }
    return Optional.empty();
  }

  private static IOException refused(String name, Object value, Object rule, String path) {
    return new IOException(
        ErrorMessage.to("repair an index")
            .value(name, value)
            .expected(rule)
            .where("file", path)
            .message());
  }

  private IndexContent look(LayoutPointer pointer, String from, HdfsFileStatus status, String path)
      throws IOException {
    byte[] bytes;
    try {
      bytes = files.bytes(pointer, from, path);
    } catch (IOException e) {
      return new IndexContent(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
    // The bytes are the right ones: if they do not fit, no copy does, and the file has changed.
    IndexFiles.decode(bytes, pointer, status, path);
    return new IndexContent(Optional.of(bytes), Optional.empty());
  }
}
