/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import java.util.HashSet;
import java.util.Set;

/**
 * Which indexes may be deleted: those whose inode was gone in this round and in the one before. A
 * round that did not come to its end counts for nothing. Used by one thread.
 */
final class GoneTwice {
  private Set<String> before = Set.of();
  private Set<String> now = new HashSet<>();
  private boolean isEnded;

  /** Begins a round. */
  void begin() {
    before = isEnded ? now : Set.of();
    now = new HashSet<>();
    isEnded = false;
  }

  /**
   * Notes that the inode of an index is gone.
   *
   * @return whether it was gone in the round before, too
   */
  boolean isAgain(String index) {
    now.add(index);
    return before.contains(index);
  }

  /** Ends a round that has seen all indexes. */
  void end() {
    isEnded = true;
  }
}
