/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * A DataNode that can update replicas. Immutable.
 *
 * @param uuid as HDFS has it
 * @param bootEpoch of its process, random
 * @param host of its data channel
 * @param port of its data channel
 * @param controlPort of its control server, at the same host; 0: it has none
 */
public record UpdateNode(String uuid, long bootEpoch, String host, int port, int controlPort) {
  /** One without a control server. */
  public UpdateNode(String uuid, long bootEpoch, String host, int port) {
    this(uuid, bootEpoch, host, port, 0);
  }
}
