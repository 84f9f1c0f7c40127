/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;

/**
 * Bytes of the covered image of a block, live or in limbo.
 *
 * <p>A frame keeps what it cuts or deletes for the frame that it is paired with, and for no other.
 * To that one it may serve a replica with a newer stamp; to all others only the very stamp.
 *
 * @param storageId frame that serves
 * @param blockId HDFS block id
 * @param generationStamp of the row that asks
 * @param coveredBytes prefix that the row that asks covers
 * @param kind data or checksum file
 * @param position first byte
 * @param count bytes
 * @param pair of the frame whose row asks, when the row was made; empty: not known
 */
public record ImageRequest(
    String storageId,
    long blockId,
    long generationStamp,
    long coveredBytes,
    ImageKind kind,
    long position,
    int count,
    Optional<SuperchunkRef> pair) {}
