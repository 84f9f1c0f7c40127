/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * Progress of a rebuild of one superchunk.
 *
 * @param rebuildId as ordered
 * @param superchunkId what is rebuilt
 * @param phase where it stands
 * @param counts how far it is
 * @param errors blocks that could not be rebuilt and why
 * @param elapsedMs since its start
 * @param obstacle why what could not be rebuilt may be rebuilt later
 */
public record RebuildStatus(
    long rebuildId,
    long superchunkId,
    RebuildPhase phase,
    RebuildCounts counts,
    List<String> errors,
    long elapsedMs,
    RebuildObstacle obstacle) {
  public RebuildStatus {
    errors = List.copyOf(errors);
  }
}
