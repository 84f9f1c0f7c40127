/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.verify;

/**
 * A replica of a unit of a block group, and the DataNode that has it. Immutable.
 *
 * @param unit number of the unit
 * @param nodeUuid of the DataNode
 * @param storageId of the DataNode's storage; empty in what DataNodes are sent
 * @param ipAddress as it registered
 * @param hostName as it registered
 * @param transferPort for data transfer
 */
public record UnitHolder(
    int unit,
    String nodeUuid,
    String storageId,
    String ipAddress,
    String hostName,
    int transferPort) {}
