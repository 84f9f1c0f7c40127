/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/**
 * What DataNodes have done to replicas for in-place updates since they were started, as they count
 * it themselves. Immutable.
 *
 * @param cellWrites writes to cells of data units
 * @param parityUpdates changes of cells of parity units, each of however many cells of its stripe
 * @param parityBytes bytes of these
 */
public record UpdateCounters(long cellWrites, long parityUpdates, long parityBytes) {
  /** None. */
  public static final UpdateCounters NONE = new UpdateCounters(0, 0, 0);

  /**
   * Reads the counters of a DataNode.
   *
   * @param httpAddress host and port of its web pages
   * @throws IOException when it does not answer
   */
  static UpdateCounters read(String httpAddress) throws IOException {
    UpdateCounters sum = NONE;
    for (JsonNode bean :
        Jmx.beans(httpAddress, "Hadoop:service=DataNode,name=EcUpdateReplicas-*")) {
      sum =
          sum.plus(
              new UpdateCounters(
                  bean.path("CellWrites").asLong(),
                  bean.path("ParityUpdates").asLong(),
                  bean.path("ParityBytes").asLong()));
    }
    return sum;
  }

  /**
   * Sums up DataNodes.
   *
   * @param httpAddresses host and port of the web pages of each
   * @throws IOException when one does not answer: the sum would lack its part
   */
  static UpdateCounters ofAll(List<String> httpAddresses) throws IOException {
    UpdateCounters sum = NONE;
    for (String address : httpAddresses) {
      sum = sum.plus(read(address));
    }
    return sum;
  }

  /** The sum of both. */
  public UpdateCounters plus(UpdateCounters other) {
    return new UpdateCounters(
        cellWrites + other.cellWrites,
        parityUpdates + other.parityUpdates,
        parityBytes + other.parityBytes);
  }

  /** What has been done since an earlier reading of the same DataNodes. */
  public UpdateCounters since(UpdateCounters earlier) {
    return new UpdateCounters(
        cellWrites - earlier.cellWrites,
        parityUpdates - earlier.parityUpdates,
        parityBytes - earlier.parityBytes);
  }
}
