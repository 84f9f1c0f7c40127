/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/**
 * Files of ours in the directory of a file: the copy that is being made, {@code .caso-copy-<inode
 * of the file>-<random>}, the folder of a copy's parts, {@code .caso-parts-<inode of the
 * file>-<SHA-256 of what they are parts of>}, indexes, {@code .caso-index-<inode of the stored
 * file>-<random>}, and their copies, {@code .caso-spare-<inode of the stored file>-<random>}. Names
 * with a dot are hidden from jobs.
 *
 * <p>What a run leaves behind when it ends before its time is used by nobody: no run trusts the
 * copy of another. The next run for the same file in the directory deletes it, but for parts of
 * what it makes itself ({@link PartCopy}); once the file is gone, so does one for any other file:
 * no run puts a copy in the place of a file that is gone. An index belongs to nobody when its inode
 * is not there, neither by now nor in a snapshot.
 *
 * <p>A directory with an index has the attribute {@value #MARK}. Thread-safe.
 */
public final class SideFiles {
  /** Extended attribute of a directory that has files in stored order. */
  static final String MARK = "user.parity.caso";

  /**
   * Extended attribute of a copy while it is written: a forecast, see {@link
   * io.hdfsparity.caso.placement.ForecastFormat}. Of a namespace that only superusers can write to:
   * it moves load between nodes.
   */
  public static final String FORECAST = "trusted.parity.caso.forecast";

  static final String COPY = ".caso-copy-";

  private static final String PARTS = ".caso-parts-";

  /** A copy or the folder of its parts, of any file. */
  private static final Pattern MADE_FOR =
      Pattern.compile("\\.caso-(?:copy|parts)-([0-9]{1,18})-[0-9a-f]{16,64}");

  private static final Pattern INDEX =
      Pattern.compile("\\.caso-(?:index|spare)-([0-9]{1,18})-[0-9a-f]{16}");

  private final DistributedFileSystem fs;
  private final Path directory;
  private final SecureRandom random = new SecureRandom();

  SideFiles(DistributedFileSystem fs, Path directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /** A path that nothing has, for the copy of a file. */
  Path newCopy(long fileId) {
    return new Path(directory, copyPrefix(fileId) + hex());
  }

  private static String copyPrefix(long fileId) {
    return COPY + fileId + "-";
  }

  /**
   * Where the parts of a copy are.
   *
   * @param plan digest of what they are parts of
   */
  Path parts(long fileId, String plan) {
    return new Path(directory, partsPrefix(fileId) + plan);
  }

  private static String partsPrefix(long fileId) {
    return PARTS + fileId + "-";
  }

  /** Whether a path may be that of a copy. */
  public static boolean isCopy(String path) {
    return path.startsWith(COPY, path.lastIndexOf('/') + 1);
  }

  /** A path that nothing has, for the index of a stored file. */
  Path newIndex(long storedFileId) {
    return new Path(directory, ".caso-index-" + storedFileId + "-" + hex());
  }

  /** A path that nothing has, for the copy of the index of a stored file. */
  Path newSpare(long storedFileId) {
    return new Path(directory, ".caso-spare-" + storedFileId + "-" + hex());
  }

  private String hex() {
    return String.format("%016x", random.nextLong());
  }

  void mark() throws IOException {
    fs.setXAttr(
        directory,
        MARK,
        "files in stored order".getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /**
   * Deletes copies of a file and their parts, those of files that are gone, and indexes of no file
   * and their copies; takes the mark from a directory without index. A run that is at work on the
   * same file loses its copy and changes nothing then; one for another file that is there does not.
   *
   * @param fileId inode of the file
   */
  void clean(long fileId) throws IOException {
    clean(fileId, Optional.empty());
  }

  /**
   * As above, after another inode has taken the place of the file, so that no snapshot has it: its
   * index is nobody's then.
   */
  void cleanReplaced(long fileId) throws IOException {
    clean(fileId, Optional.empty(), OptionalLong.of(fileId));
  }

  /**
   * As above.
   *
   * @param kept parts that are not deleted, with the index of what they are parts of
   */
  void clean(long fileId, Optional<Path> kept) throws IOException {
    clean(fileId, kept, OptionalLong.empty());
  }

  private void clean(long fileId, Optional<Path> kept, OptionalLong replaced) throws IOException {
    List<Path> indexes = new ArrayList<>();
    RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
    while (children.hasNext()) {
      FileStatus child = children.next();
      Path path = child.getPath();
      Matcher made = MADE_FOR.matcher(path.getName());
      boolean isParts = path.getName().startsWith(PARTS);
      if (made.matches() && child.isDirectory() == isParts) {
        boolean isKept = kept.isPresent() && kept.get().getName().equals(path.getName());
        long id = Long.parseLong(made.group(1));
        if (!isKept && (id == fileId || !exists(id))) {
          fs.delete(path, /* recursive= */ isParts);
        }
      } else if (child.isFile() && INDEX.matcher(path.getName()).matches()) {
        indexes.add(path);
      }
    }
    // Last: an index may be that of a file that is gone by now.
    boolean hasIndex = false;
    for (Path index : indexes) {
      if (isNobodys(index, replaced)) {
        fs.delete(index, /* recursive= */ false);
      } else {
        hasIndex = true;
      }
    }
    if (!hasIndex && fs.getXAttrs(directory).containsKey(MARK)) {
      fs.removeXAttr(directory, MARK);
    }
  }

  /**
   * Whether no file needs an index, or its copy, any more. One that is in a snapshot only has no
   * path by inode; which snapshot has it, or none, would take a look at all that is in them. So
   * while there are snapshots, only the index of a file that was replaced is nobody's for sure.
   *
   * @param replaced inode of a file that was replaced in this run
   */
  private boolean isNobodys(Path index, OptionalLong replaced) throws IOException {
    Matcher owner = INDEX.matcher(index.getName());
    if (!owner.matches()) {
      return false;
    }
    long id = Long.parseLong(owner.group(1));
    // In this order: a file that was gone before is in no snapshot that was made since.
    return !exists(id) && (replaced.equals(OptionalLong.of(id)) || !hasSnapshots());
  }

  /** Not only of this directory: the file may have been moved out of it since. */
  private boolean hasSnapshots() throws IOException {
    SnapshottableDirectoryStatus[] directories = fs.getSnapshottableDirListing();
    return directories != null
        && Arrays.stream(directories).anyMatch(each -> each.getSnapshotNumber() > 0);
  }

  /** Indexes of a stored file and copies of them, those too that it does not point to. */
  List<Path> indexesOf(long storedFileId) throws IOException {
    List<Path> found = new ArrayList<>();
    RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
    while (children.hasNext()) {
      FileStatus child = children.next();
      Matcher index = INDEX.matcher(child.getPath().getName());
      if (child.isFile() && index.matches() && Long.parseLong(index.group(1)) == storedFileId) {
        found.add(child.getPath());
      }
    }
    return found;
  }

  private boolean exists(long inodeId) throws IOException {
    try {
      return fs.getClient().getFileInfo(Inodes.path(inodeId)) != null;
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
