/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which frames in which superchunks nodes have reported, and report no more. The map remembers
 * epochs of each, so that none is handed out twice. A node that lies could name others in each
 * report, until the NameNode has no memory left. Not thread-safe.
 */
final class NamedPairings {
  /** Of a node, in the life of a NameNode: each frame of a large node may be paired many times. */
  static final int MAX_PASSED = 2 * ReportRules.MAX_FRAMES;

  private final Map<String, Set<Named>> passed = new HashMap<>();

  /** A frame in a superchunk. */
  private record Named(FrameRef frame, long superchunkId) {}

  /**
   * Remembers what is reported no more.
   *
   * @param before of the last report
   * @throws IllegalArgumentException when it is too much; nothing is remembered then
   */
  void replace(String nodeUuid, Stream<FrameReport> before, Stream<FrameReport> now) {
    Set<Named> gone = named(before);
    gone.removeAll(named(now));
    if (gone.isEmpty()) {
      return;
    }
    Collection<Named> known = passed.getOrDefault(nodeUuid, Set.of());
    gone.removeAll(known);
    if (known.size() + gone.size() > MAX_PASSED) {
      throw new IllegalArgumentException(
          ErrorMessage.to("take a report in")
              .value("node", nodeUuid)
              .value("superchunks that its frames have left", known.size() + gone.size())
              .expected(
                  "at most "
                      + MAX_PASSED
                      + " since this NameNode started; if the DataNode is sound, restart the"
                      + " NameNode")
              .message());
    }
    passed.computeIfAbsent(nodeUuid, id -> new HashSet<>()).addAll(gone);
  }

  private static Set<Named> named(Stream<FrameReport> frames) {
    return frames
        .filter(frame -> frame.pairing().isPresent())
        .map(frame -> new Named(frame.ref(), frame.pairing().orElseThrow().superchunkId()))
        .collect(Collectors.toCollection(HashSet::new));
  }
}
