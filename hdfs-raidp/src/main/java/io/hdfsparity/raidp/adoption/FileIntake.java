/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * What a run takes in hand next: files that were set aside and have waited long enough, then those
 * that its source gives. Not thread-safe.
 */
final class FileIntake {
  /** So many without a file that is taken in hand end a round. */
  private static final int MAX_PAGES = 200;

  private final FileSource source;
  private final SetAsideFiles setAside;
  private final AdoptionCounts counts;

  FileIntake(FileSource source, SetAsideFiles setAside, AdoptionCounts counts) {
    this.source = source;
    this.setAside = setAside;
    this.counts = counts;
  }

  /** Takes a file in hand, or says why not. */
  @FunctionalInterface
  interface Glance {
    /**
     * @param looks at the file before this one
     */
    void at(AdoptableFile file, int looks);
  }

  /**
   * Takes files in.
   *
   * @param room for blocks, as it is then
   */
  void fill(long nowMs, IntSupplier room, Glance glance) {
    while (room.getAsInt() > 0) {
      SetAsideFiles.Entry next = setAside.next(nowMs).orElse(null);
      if (next == null) {
        break;
      }
      Optional<AdoptableFile> file = source.look(next.inodeId());
      if (file.isPresent()) {
        glance.at(file.get(), next.looks());
      } else {
        counts.glanced(FileOutcome.GONE, 0);
      }
    }
    for (int page = 0; page < MAX_PAGES && !source.isOver(); page++) {
      int left = room.getAsInt();
      if (left <= 0) {
        return;
      }
      source.next(left).forEach(file -> glance.at(file, 0));
    }
  }

  /** Whether nothing is left to take in. */
  boolean isOver() {
    return source.isOver() && setAside.isEmpty();
  }
}
