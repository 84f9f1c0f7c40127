/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import java.util.List;

/**
 * An Lstor as its daemon sees it.
 *
 * @param diskId disk that it belongs to
 * @param clusterId HDFS cluster id
 * @param geometry shape
 * @param frames frame table
 * @param journalBytes records not yet checkpointed
 * @param locked its DataNode holds it
 * @param entries rows of the slot table
 * @param unacknowledged rows that the partner has not acknowledged
 */
public record LstorInfo(
    String diskId,
    String clusterId,
    LstorGeometry geometry,
    List<FrameReport> frames,
    long journalBytes,
    boolean locked,
    int entries,
    int unacknowledged) {
  public LstorInfo {
    frames = List.copyOf(frames);
  }
}
