/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * A row of a block on a storage, in a superchunk. Immutable.
 *
 * @param coveredBytes prefix of the block that the parity has
 * @param isWhole the row is live, has the checksums of that prefix, and its partner has said that
 *     it covers the same
 */
public record BlockRow(
    long blockId,
    String storageId,
    long superchunkId,
    long generationStamp,
    long coveredBytes,
    boolean isWhole) {}
