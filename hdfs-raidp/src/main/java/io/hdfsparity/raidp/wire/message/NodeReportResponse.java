/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;
import java.util.OptionalLong;

/**
 * The manager's answer to a node report.
 *
 * @param assignments pairings to store
 * @param peers peer services of the partners of the node's frames and of the other nodes; to an
 *     incremental report only if one of them may be another one than before
 * @param rebuilds rebuilds to run
 * @param disks of the node
 * @param goneStorageIds partners of the node's frames that the manager counts as gone: they
 *     acknowledge nothing, and what waits for them must not hold writes up
 * @param superseded frames of the node whose superchunk has gone on without them: what they hold
 *     waits for nobody
 * @param active false: from a standby NameNode; obey nothing but {@code peers}
 * @param receipt what the next incremental report names as its basis; empty: the manager took
 *     nothing in, since it does not have what an incremental report continues
 */
public record NodeReportResponse(
    List<Assignment> assignments,
    List<PeerAddress> peers,
    List<RebuildOrder> rebuilds,
    DiskOrders disks,
    List<String> goneStorageIds,
    List<FrameRef> superseded,
    boolean active,
    OptionalLong receipt) {
  /** To a report of changes to something that the manager does not have. */
  public static final NodeReportResponse NOTHING_TAKEN_IN =
      new NodeReportResponse(
          List.of(),
          List.of(),
          List.of(),
          DiskOrders.NONE,
          List.of(),
          List.of(),
          false,
          OptionalLong.empty());

  public NodeReportResponse {
    assignments = List.copyOf(assignments);
    peers = List.copyOf(peers);
    rebuilds = List.copyOf(rebuilds);
    goneStorageIds = List.copyOf(goneStorageIds);
    superseded = List.copyOf(superseded);
  }
}
