/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;
import java.util.Optional;

/**
 * What an Lstor daemon tells the manager about one Lstor.
 *
 * @param diskId disk that it belongs to
 * @param clusterId HDFS cluster id
 * @param nodeUuid DataNode that owns the disk
 * @param host where the daemon is reached
 * @param port where the daemon is reached
 * @param locked its DataNode holds it: the daemon cannot serve it
 * @param frames frame table kept in the Lstor
 * @param failure why it cannot be read
 */
public record LstorReport(
    String diskId,
    String clusterId,
    String nodeUuid,
    String host,
    int port,
    boolean locked,
    List<FrameReport> frames,
    Optional<String> failure) {
  public LstorReport {
    frames = List.copyOf(frames);
  }

  /** The same Lstor, which cannot be read. */
  public LstorReport withFailure(String why) {
    return new LstorReport(
        diskId, clusterId, nodeUuid, host, port, locked, frames, Optional.of(why));
  }
}
