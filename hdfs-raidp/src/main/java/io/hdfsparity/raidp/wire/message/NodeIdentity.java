/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * Who a DataNode is and where it is reached.
 *
 * @param nodeUuid DataNode uuid
 * @param hostName as registered with the NameNode
 * @param xferPort data transfer port
 * @param peerHost where its peer service is reached
 * @param peerPort see peerHost
 * @param clusterId HDFS cluster id
 * @param incarnation changes at each start of the DataNode
 */
public record NodeIdentity(
    String nodeUuid,
    String hostName,
    int xferPort,
    String peerHost,
    int peerPort,
    String clusterId,
    long incarnation) {}
