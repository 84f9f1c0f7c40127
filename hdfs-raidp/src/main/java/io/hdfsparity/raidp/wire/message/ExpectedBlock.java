/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.OptionalLong;

/**
 * A block that the NameNode wants back.
 *
 * @param blockId HDFS block id
 * @param generationStamp newest that the NameNode knows
 * @param complete false: under construction, its length is not final
 * @param numBytes length that the NameNode has; empty for an open block whose replicas are lost, so
 *     that any length will do
 */
public record ExpectedBlock(
    long blockId, long generationStamp, boolean complete, OptionalLong numBytes) {}
