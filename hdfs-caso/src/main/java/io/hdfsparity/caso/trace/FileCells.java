/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Cells of a trace of whole files: each file is a cell, numbered from 0 in the order in which the
 * trace first has it. A file that is renamed keeps its cell; one that is recreated under the name
 * of a deleted one gets a new cell. Some 200 bytes and the name for each file.
 *
 * <p>Not thread-safe.
 */
public final class FileCells {
  /** Maximum number of files by default: some 3 GB with names of 100 characters. */
  public static final int DEFAULT_MAX_FILES = 10_000_000;

  private final int maxFiles;

  /** By path, so that those below a directory are together. */
  private final TreeMap<String, Integer> cells = new TreeMap<>();

  /** Last path of each cell. */
  private final List<String> paths = new ArrayList<>();

  /**
   * @param maxFiles more are refused
   */
  public FileCells(int maxFiles) {
    Checks.argument(maxFiles >= 1, "number files", "maxFiles", maxFiles, ">= 1");
    this.maxFiles = maxFiles;
  }

  /** How many cells there are. */
  public int count() {
    return paths.size();
  }

  /** The last path that the file of a cell had; a deleted file keeps it. */
  public String path(long cell) {
    Checks.argument(
        cell >= 0 && cell < paths.size(), "name a file", "cell", cell, "below " + paths.size());
    return paths.get((int) cell);
  }

  /**
   * The cell of a path, a new one if it has none.
   *
   * @throws IllegalStateException if there would be too many
   */
  long cell(String path) {
    Integer known = cells.get(path);
    if (known != null) {
      return known;
    }
    Checks.state(
        paths.size() < maxFiles,
        "number files",
        "files",
        paths.size() + 1L,
        "at most " + maxFiles + "; read less of the log");
    cells.put(path, paths.size());
    paths.add(path);
    return paths.size() - 1L;
  }

  /** A file or directory is gone; an empty path is none. */
  void delete(String path) {
    if (!path.isEmpty()) {
      cells.remove(path);
      below(path).clear();
    }
  }

  /**
   * A file or directory has another name, and replaces the file that had that; an empty path is
   * none. The old call of HDFS moves into a directory that is there already, and logs the
   * directory's name.
   */
  void rename(String from, String name) {
    if (from.equals(name) || from.isEmpty()) {
      return;
    }
    String to = below(name).isEmpty() ? name : name + from.substring(from.lastIndexOf('/'));
    TreeMap<String, Integer> moved = new TreeMap<>(below(from));
    Integer self = cells.get(from);
    if (self != null) {
      moved.put(from, self);
    }
    delete(from);
    // What is renamed out of sight, as into the trash of a snapshot, is not known any more.
    if (!to.isEmpty()) {
      delete(to);
      moved.forEach(
          (path, cell) -> {
            String moving = to + path.substring(from.length());
            cells.put(moving, cell);
            paths.set(cell, moving);
          });
    }
  }

  /** All below a directory: '0' is the character after '/'. */
  private SortedMap<String, Integer> below(String path) {
    return cells.subMap(path + "/", path + "0");
  }
}
