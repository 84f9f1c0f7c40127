/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * Bytes of the covered image of a block, live or in limbo.
 *
 * @param storageId frame that serves
 * @param blockId HDFS block id
 * @param generationStamp of the row that asks
 * @param coveredBytes prefix that the row that asks covers
 * @param kind data or checksum file
 * @param position first byte
 * @param count bytes
 */
public record ImageRequest(
    String storageId,
    long blockId,
    long generationStamp,
    long coveredBytes,
    ImageKind kind,
    long position,
    int count) {}
