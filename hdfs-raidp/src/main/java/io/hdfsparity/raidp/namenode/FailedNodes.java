/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.HashMap;
import java.util.Map;

/**
 * DataNodes that did not answer: each is left alone for a while, longer each time, so that it does
 * not hold up the questions to others. Not thread-safe; time is passed in.
 */
final class FailedNodes {
  private static final long FIRST_MS = 3_000;
  private static final long LAST_MS = 60_000;
  private static final int MAX_NODES = 10_000;

  private final Map<String, Pause> pauses = new HashMap<>();

  private record Pause(long endMs, long lengthMs) {}

  /** Whether a node is left alone now. */
  boolean isLeftAlone(String nodeUuid, long nowMs) {
    Pause pause = pauses.get(nodeUuid);
    return pause != null && nowMs < pause.endMs();
  }

  void failed(String nodeUuid, long nowMs) {
    Pause before = pauses.get(nodeUuid);
    long lengthMs = before == null ? FIRST_MS : Math.min(LAST_MS, 2 * before.lengthMs());
    if (before != null || pauses.size() < MAX_NODES) {
      pauses.put(nodeUuid, new Pause(nowMs + lengthMs, lengthMs));
    }
  }

  void answered(String nodeUuid) {
    pauses.remove(nodeUuid);
  }
}
