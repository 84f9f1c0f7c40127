/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.SystemFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;

/**
 * What is being made of files, in the folder that only superusers enter ({@link LayoutFolder}): the
 * copy, {@code .caso-copy-<inode of the file>-<random>}, the folder of a copy's parts, {@code
 * .caso-parts-<inode of the file>-<SHA-256 of what they are parts of>}, and an index that is made
 * anew, {@code .caso-index-<inode of the file>-<random>}.
 *
 * <p>What a run leaves behind when it ends before its time is used by nobody: no run trusts the
 * copy of another. The next run for the same file deletes it, but for parts of what it makes itself
 * ({@link PartCopy}); once the file is gone, so does one for any other file: no run puts a copy in
 * the place of a file that is gone. Thread-safe.
 */
public final class WorkFiles {
  /**
   * Extended attribute of a copy while it is written: a forecast, see {@link
   * io.hdfsparity.caso.placement.ForecastFormat}. Of a namespace that only superusers can write to:
   * it moves load between nodes.
   */
  public static final String FORECAST = "trusted.parity.caso.forecast";

  /** Extended attribute of the suite's folders, which only superusers can set. */
  public static final String FOLDER_MARK = SystemFolder.ORDERS;

  static final String COPY = ".caso-copy-";

  private static final String PARTS = ".caso-parts-";
  private static final String INDEX = ".caso-index-";

  private static final Pattern MADE_FOR =
      Pattern.compile("\\.caso-(?:copy|parts|index)-([0-9]{1,18})-[0-9a-f]{16,64}");

  private final DistributedFileSystem fs;
  private final Path work;
  private final SecureRandom random = new SecureRandom();

  WorkFiles(DistributedFileSystem fs, LayoutFolder folder) {
    this.fs = fs;
    this.work = folder.work();
  }

  /** A path that nothing has, for the copy of a file. */
  Path newCopy(long fileId) {
    return new Path(work, COPY + fileId + "-" + hex());
  }

  /** A path that nothing has, for a new index of a file. */
  Path newIndex(long fileId) {
    return new Path(work, INDEX + fileId + "-" + hex());
  }

  /**
   * Where the parts of a copy are.
   *
   * @param plan digest of what they are parts of
   */
  Path parts(long fileId, String plan) {
    return new Path(work, PARTS + fileId + "-" + plan);
  }

  /** Whether a path may be that of a copy. */
  public static boolean isCopy(String path) {
    return path.startsWith(COPY, path.lastIndexOf('/') + 1);
  }

  private String hex() {
    return String.format("%016x", random.nextLong());
  }

  /**
   * Deletes what was made for a file, and for files that are gone. A run that is at work on the
   * same file loses its copy and changes nothing then; one for another file that is there does not.
   *
   * @param fileId inode of the file
   */
  void clean(long fileId) throws IOException {
    clean(fileId, Optional.empty());
  }

  /**
   * As above.
   *
   * @param kept parts that are not deleted
   */
  void clean(long fileId, Optional<Path> kept) throws IOException {
    RemoteIterator<FileStatus> children = fs.listStatusIterator(work);
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
      }
    }
  }

  private boolean exists(long inodeId) throws IOException {
    try {
      return fs.getClient().getFileInfo(InodePaths.path(inodeId)) != null;
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
