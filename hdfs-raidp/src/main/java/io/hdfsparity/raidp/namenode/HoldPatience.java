/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How long superchunks hold back others of their dead disks while it is not known whether what they
 * need is there: each for some time after it was first found so with these dead frames, whenever in
 * a recovery that is. A recovery may go on for weeks, and disks die meanwhile. Pure; not
 * thread-safe.
 */
final class HoldPatience {
  /** When a superchunk was first found to wait, with which dead frames. */
  private record Since(Set<FrameRef> gone, long ms) {}

  private final long maxMs;
  private final Map<Long, Since> since = new HashMap<>();

  /**
   * @param maxMs that a superchunk holds others
   */
  HoldPatience(long maxMs) {
    this.maxMs = maxMs;
  }

  /** Whether a superchunk that waits now may hold others. */
  boolean holds(SuperchunkView superchunk, long nowMs) {
    Set<FrameRef> gone =
        superchunk.gone().stream().map(FrameView::ref).collect(Collectors.toUnmodifiableSet());
    Since first =
        since.compute(
            superchunk.id(),
            (id, before) ->
                before != null && before.gone().equals(gone) ? before : new Since(gone, nowMs));
    return nowMs - first.ms() <= maxMs;
  }

  /** Begins again for all. */
  void clear() {
    since.clear();
  }
}
