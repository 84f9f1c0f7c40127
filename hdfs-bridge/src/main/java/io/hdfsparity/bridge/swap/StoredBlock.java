/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.level.ParityDoubts;

/**
 * A block, or a block group, as the NameNode holds it. Immutable.
 *
 * @param id never used again for another block
 * @param generation grows whenever somebody may change its bytes
 * @param lengthBytes of its content
 * @param complete its bytes are final
 * @param live replicas or units of it on working storages of nodes that send heartbeats
 * @param wanted replicas or units that its file asks for
 * @param missingDataUnits data units of a group that are on no node that can be read; a reader
 *     decodes them. 0 of a replicated block
 * @param doubt whether the parity of a group is known to contradict its data
 */
public record StoredBlock(
    long id,
    long generation,
    long lengthBytes,
    boolean complete,
    int live,
    int wanted,
    int missingDataUnits,
    ParityDoubts.Doubt doubt) {}
