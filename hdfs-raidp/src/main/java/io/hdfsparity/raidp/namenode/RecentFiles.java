/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Protected files that were written before this NameNode became active. A block of theirs may be
 * plain, because the NameNode that was active before did not know its storages, or found no room.
 * That one had noted the file for adoption, and its notes are gone. So the namespace is walked once
 * to find such files.
 *
 * <p>Those that want three replicas have them, and wait for the next adoption that is asked for.
 * Not thread-safe.
 */
final class RecentFiles {
  /** How far back a file may have been written: notes live until the file is adopted. */
  static final long AGE_MS = TimeUnit.DAYS.toMillis(1);

  /** Of a page, under one hold of the NameNode's lock. */
  static final int INODES = 1_000;

  /** In a round of one second: a namespace of 100 million files takes an hour and a half. */
  static final int PAGES = 20;

  private final Pages pages;
  private final FilesToLower queue;

  /** The walk. */
  interface Pages {
    boolean isOver();

    /** Inode ids of files that the next page of inodes has. */
    List<Long> next();
  }

  RecentFiles(Pages pages, FilesToLower queue) {
    this.pages = pages;
    this.queue = queue;
  }

  /** Goes on with the walk, unless many files wait to be adopted already. */
  void round() {
    for (int page = 0; page < PAGES && !pages.isOver() && !queue.isHalfFull(); page++) {
      pages.next().forEach(queue::add);
    }
  }
}
