/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;

/**
 * A DataNode's question for which of its storages it was chosen for a block.
 *
 * @param clusterId of the node
 * @param nodeUuid of the asking node
 * @param generationStamp of the replica that is to be made
 * @param storageId of the asking node; empty: the answer names it
 */
public record SuperchunkRequest(
    String clusterId,
    String nodeUuid,
    String blockPoolId,
    long blockId,
    long generationStamp,
    Optional<String> storageId) {}
