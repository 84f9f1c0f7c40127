/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

/**
 * A DataNode as a NameNode knows it. Immutable.
 *
 * @param transferPort of data transfer, which tells DataNodes of one host apart
 * @param suitePort where the suite's server in it listens, as it has reported to a feature; 0: not
 *     known
 */
public record RegisteredNode(
    String uuid,
    String ipAddress,
    String hostName,
    int transferPort,
    String rack,
    DataNodeAvailability state,
    int suitePort) {
  /** For messages. */
  public String place() {
    return (hostName.isEmpty() ? ipAddress : hostName) + ":" + transferPort;
  }
}
