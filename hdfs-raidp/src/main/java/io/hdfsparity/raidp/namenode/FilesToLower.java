/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Files to adopt: those that ask for more than two replicas and have a block with both replicas of
 * its superchunk, and protected ones with a block that was placed outside superchunks. At most
 * {@link #MAX_FILES}: one of the former that is over comes again when HDFS looks at its blocks.
 * Thread-safe.
 */
final class FilesToLower {
  static final int MAX_FILES = 100_000;

  private final LinkedHashSet<Long> inodeIds = new LinkedHashSet<>();

  synchronized void add(long inodeId) {
    if (inodeIds.size() < MAX_FILES) {
      inodeIds.add(inodeId);
    }
  }

  synchronized int size() {
    return inodeIds.size();
  }

  /** Whether those that can wait should. */
  synchronized boolean isHalfFull() {
    return inodeIds.size() >= MAX_FILES / 2;
  }

  /** Takes the files that wait longest. */
  synchronized List<Long> take(int limit) {
    List<Long> taken = new ArrayList<>();
    Iterator<Long> longest = inodeIds.iterator();
    while (taken.size() < limit && longest.hasNext()) {
      taken.add(longest.next());
      longest.remove();
    }
    return taken;
  }

  synchronized void clear() {
    inodeIds.clear();
  }
}
