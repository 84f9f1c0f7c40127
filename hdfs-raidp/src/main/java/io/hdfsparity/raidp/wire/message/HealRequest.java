/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * Order to look at a replica and to put it right if it is damaged.
 *
 * @param storageId frame
 * @param blockId block
 * @param generationStamp that the replica must have
 * @param lengthBytes that the replica must have
 */
public record HealRequest(String storageId, long blockId, long generationStamp, long lengthBytes) {}
