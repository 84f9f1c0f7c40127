/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.AttributeCopy;
import io.hdfsparity.caso.fs.RepairPoints.Point;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.LayoutPointer.Place;
import io.hdfsparity.core.check.Refusal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;

/**
 * Makes the index of a file in stored order anew from its copy, or the copy from the index, and
 * both beside the file if it was moved out of the directory that they are in: else they would go
 * with that.
 *
 * <p><b>Invariant</b>: what the file points to has, before and after, the SHA-256 that it was given
 * when it was organized; an index that has not, or is not of this file as it is now, is never used.
 * So the order of the file stays what it is.
 *
 * <p><b>Crash.</b> What is made has a name of its own, is read back, and is nobody's until the
 * attribute of the file is changed, which is one operation of the NameNode. What was damaged is
 * deleted after that, with whatever else of this file lies beside it, is not pointed to and has
 * other bytes. What has the right ones stays, as does all in a directory that the file has left: a
 * snapshot may point to it that was taken while the file was elsewhere, and the owner of a file is
 * not told of all snapshots there are. It is deleted when the stored file is gone ({@link
 * SideFiles#clean}).
 *
 * <p>For one file; not thread-safe.
 */
public final class IndexRepair {
  private final DistributedFileSystem fs;
  private final IndexFiles files;
  private final RepairPoints points;

  public IndexRepair(DistributedFileSystem fs) {
    this(fs, RepairPoints.NONE);
  }

  /**
   * As above.
   *
   * @param points told where a repair is
   */
  public IndexRepair(DistributedFileSystem fs, RepairPoints points) {
    this.fs = fs;
    this.points = points;
    this.files = new IndexFiles(fs);
  }

  /**
   * What was found, before anything was made anew.
   *
   * @param index why it cannot be used, or stay where it is; empty: it is sound
   * @param copy the same of its copy
   */
  public record Found(Optional<String> index, Optional<String> copy) {
    /** Whether there is nothing to make anew. */
    public boolean isSound() {
      return index.isEmpty() && copy.isEmpty();
    }
  }

  /** An index that was looked for: its bytes, if they are right, and why it is made anew. */
  private record Looked(Optional<byte[]> bytes, Optional<String> fault) {}

  /**
   * Looks at an index and its copy, and changes nothing.
   *
   * @param path absolute, without scheme
   * @return what would be made anew
   * @throws IOException if the file is not in stored order
   */
  public Found look(HdfsFileStatus status, String path) throws IOException {
    LayoutPointer pointer = pointer(status, path);
    return new Found(
        look(pointer, Optional.of(pointer.index()), status, path).fault(),
        look(pointer, pointer.copy(), status, path).fault());
  }

  /**
   * Makes anew what is not sound or not beside the file, and deletes what this file does not point
   * to.
   *
   * @param path absolute, without scheme
   * @return what it was before
   * @throws IOException if neither of both is sound, or the file is not in stored order; nothing is
   *     changed then
   */
  public Found repair(HdfsFileStatus status, String path) throws IOException {
    LayoutPointer pointer = pointer(status, path);
    Looked index = look(pointer, Optional.of(pointer.index()), status, path);
    Looked copy = look(pointer, pointer.copy(), status, path);
    Found found = new Found(index.fault(), copy.fault());
    if (found.isSound()) {
      tidy(status, path);
      return found;
    }
    Optional<byte[]> bytes = index.bytes().or(copy::bytes);
    if (bytes.isEmpty()) {
      throw new IOException(
          Refusal.to("repair an index")
              .value("index", "[" + index.fault().orElse("") + "]")
              .value("copy", "[" + copy.fault().orElse("") + "]")
              .expected(
                  "one of them sound: put "
                      + pointer.index().name()
                      + " with SHA-256 "
                      + pointer.sha256()
                      + " back from a backup or a snapshot")
              .where("file", path)
              .message());
    }
    points.reached(Point.LOOKED);
    SideFiles side = new SideFiles(fs, new Path(path).getParent());
    side.mark();
    points.reached(Point.MARKED);
    LayoutPointer repaired = make(pointer, bytes.get(), found, status, path);
    fs.setXAttr(
        new Path(Inodes.path(status.getFileId())),
        LayoutPointer.XATTR,
        repaired.encode(),
        EnumSet.of(XAttrSetFlag.REPLACE));
    points.reached(Point.POINTED);
    LayoutPointer now = tidy(status, path);
    // Another repair of the same file may have taken for a leftover what was not pointed to yet.
    for (Place place : new Place[] {now.index(), now.copy().orElse(now.index())}) {
      files.bytes(now, place, path);
    }
    return found;
  }

  /** Makes what was not sound, and reads both back; nothing stays if that fails. */
  private LayoutPointer make(
      LayoutPointer pointer, byte[] sound, Found found, HdfsFileStatus status, String path)
      throws IOException {
    SideFiles side = new SideFiles(fs, new Path(path).getParent());
    Path newIndex = side.newIndex(status.getFileId());
    Path newCopy = side.newSpare(status.getFileId());
    try {
      LayoutPointer repaired =
          new LayoutPointer(
              pointer.fileId(),
              found.index().isEmpty() ? pointer.index() : make(newIndex, sound, status),
              pointer.indexBytes(),
              pointer.sha256(),
              found.copy().isEmpty() ? pointer.copy() : Optional.of(make(newCopy, sound, status)));
      for (Place place : new Place[] {repaired.index(), repaired.copy().orElseThrow()}) {
        files.bytes(repaired, place, path);
      }
      points.reached(Point.READ_BACK);
      return repaired;
    } catch (IOException | RuntimeException e) {
      for (Path made : new Path[] {newIndex, newCopy}) {
        try {
          fs.delete(made, /* recursive= */ false);
        } catch (IOException notDeleted) {
          // The next repair deletes it.
          e.addSuppressed(notDeleted);
        }
      }
      throw e;
    }
  }

  /**
   * Deletes indexes of this file beside it, and copies of them, that it does not point to and that
   * are damaged.
   *
   * @return what the file points to
   */
  private LayoutPointer tidy(HdfsFileStatus status, String path) throws IOException {
    // In this order: what was there before, and is not pointed to after, was made by nobody who is
    // known to be at work; one who is finds it gone and says so.
    List<Path> there = new SideFiles(fs, new Path(path).getParent()).indexesOf(status.getFileId());
    LayoutPointer now = pointer(status, path);
    for (Path each : there) {
      String name = each.getName();
      if (!name.equals(now.index().name())
          && now.copy().stream().noneMatch(copy -> copy.name().equals(name))
          && !isSound(now, each)) {
        fs.delete(each, /* recursive= */ false);
        points.reached(Point.DISCARDED);
      }
    }
    return now;
  }

  private boolean isSound(LayoutPointer now, Path index) throws IOException {
    try {
      return files.isOf(now, index);
    } catch (FileNotFoundException | AccessControlException e) {
      // Another repair has deleted it, or it is another user's.
      return true;
    } catch (BlockMissingException | ChecksumException e) {
      return false;
    }
  }

  private LayoutPointer pointer(HdfsFileStatus status, String path) throws IOException {
    return new LayoutStore(fs)
        .pointer(status, path)
        .orElseThrow(
            () ->
                new IOException(
                    Refusal.to("repair an index")
                        .value("order", "its own")
                        .expected("a file in stored order")
                        .where("file", path)
                        .message()));
  }

  private Looked look(
      LayoutPointer pointer, Optional<Place> place, HdfsFileStatus status, String path)
      throws IOException {
    if (place.isEmpty()) {
      return new Looked(Optional.empty(), Optional.of("none was made"));
    }
    byte[] bytes;
    try {
      bytes = files.bytes(pointer, place.get(), path);
    } catch (IOException e) {
      return new Looked(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
    // The bytes are the right ones: if they do not fit, no copy does, and the file has changed.
    IndexFiles.decode(bytes, place.get().name(), status, path);
    return new Looked(
        Optional.of(bytes),
        files.isBeside(place.get(), path)
            ? Optional.empty()
            : Optional.of(place.get().name() + " is not in the directory of the file"));
  }

  private Place make(Path at, byte[] bytes, HdfsFileStatus status) throws IOException {
    Place made = files.create(at, bytes);
    points.reached(Point.MADE);
    new AttributeCopy(fs, Set.of()).owners(new Path(Inodes.path(status.getFileId())), at);
    points.reached(Point.DRESSED);
    return made;
  }
}
