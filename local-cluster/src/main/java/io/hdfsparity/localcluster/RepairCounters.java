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
 * What DataNodes have done to rebuild units of codec izs, from metrics source IzsRepair. Counters
 * of a DataNode begin at 0 when it starts, so those of one that has died are gone.
 *
 * @param nodesInService DataNodes whose repair plugin is in service
 * @param halfReads block groups that were rebuilt by half reads
 * @param fullReads block groups that were rebuilt from k units
 * @param mixed block groups that were begun by half reads and ended from k units
 * @param failed block groups that were not rebuilt; HDFS orders them again
 * @param bytesRead bytes read of other DataNodes
 * @param bytesSaved bytes that reading k units for each stripe would have read more
 * @param bytesDiscarded bytes read and not used, as a helper failed in the middle
 */
public record RepairCounters(
    int nodesInService,
    long halfReads,
    long fullReads,
    long mixed,
    long failed,
    long bytesRead,
    long bytesSaved,
    long bytesDiscarded) {
  /** None. */
  public static final RepairCounters NONE = new RepairCounters(0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * Reads the counters of a DataNode.
   *
   * @param httpAddress host and port of its web pages
   * @throws IOException when it does not answer
   */
  static RepairCounters read(String httpAddress) throws IOException {
    RepairCounters sum = NONE;
    for (JsonNode bean : Jmx.beans(httpAddress, "Hadoop:service=DataNode,name=IzsRepair-*")) {
      sum =
          sum.plus(
              new RepairCounters(
                  bean.path("FailedClosed").asInt(1) == 0 ? 1 : 0,
                  bean.path("HalfReadRepairs").asLong(),
                  bean.path("FullReadRepairs").asLong(),
                  bean.path("MixedRepairs").asLong(),
                  bean.path("FailedRepairs").asLong(),
                  bean.path("BytesRead").asLong(),
                  bean.path("BytesSaved").asLong(),
                  bean.path("BytesDiscarded").asLong()));
    }
    return sum;
  }

  /**
   * Sums up DataNodes; those that do not answer are left out, which {@link #nodesInService} shows.
   *
   * @param httpAddresses host and port of the web pages of each
   */
  static RepairCounters ofThoseThatAnswer(List<String> httpAddresses) {
    RepairCounters sum = NONE;
    for (String address : httpAddresses) {
      try {
        sum = sum.plus(read(address));
      } catch (IOException dead) {
        // The number of nodes in service is smaller by it.
        continue;
      }
    }
    return sum;
  }

  /** The sum of both. */
  public RepairCounters plus(RepairCounters other) {
    return new RepairCounters(
        nodesInService + other.nodesInService,
        halfReads + other.halfReads,
        fullReads + other.fullReads,
        mixed + other.mixed,
        failed + other.failed,
        bytesRead + other.bytesRead,
        bytesSaved + other.bytesSaved,
        bytesDiscarded + other.bytesDiscarded);
  }

  /** What has been done since an earlier reading of the same DataNodes. */
  public RepairCounters since(RepairCounters earlier) {
    return new RepairCounters(
        nodesInService,
        halfReads - earlier.halfReads,
        fullReads - earlier.fullReads,
        mixed - earlier.mixed,
        failed - earlier.failed,
        bytesRead - earlier.bytesRead,
        bytesSaved - earlier.bytesSaved,
        bytesDiscarded - earlier.bytesDiscarded);
  }

  /** Block groups that were rebuilt. */
  public long rebuilt() {
    return halfReads + fullReads + mixed;
  }
}
