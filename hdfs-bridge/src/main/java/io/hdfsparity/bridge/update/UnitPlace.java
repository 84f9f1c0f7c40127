/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

/**
 * Where the NameNode knows a replica of a unit. Immutable.
 *
 * @param unit index in the group, data units first
 * @param nodeUuid of the DataNode
 * @param nodeHost address of the DataNode, as it registered
 * @param storageId of the volume
 * @param storageType of the volume, as in {@code DISK}
 * @param alive the DataNode sends heartbeats, and the volume has not failed
 */
public record UnitPlace(
    int unit,
    String nodeUuid,
    String nodeHost,
    String storageId,
    String storageType,
    boolean alive) {}
