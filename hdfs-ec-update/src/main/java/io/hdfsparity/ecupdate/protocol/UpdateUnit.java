/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.ecupdate.ajx.Bytes;
import java.util.Optional;

/**
 * An internal block and the DataNode that serves its updates. Immutable.
 *
 * @param unit index in the group, data units first
 * @param blockId of the internal block
 * @param generation generation stamp
 * @param lengthBytes of the internal block
 * @param storage where it is stored
 * @param terms what the NameNode says of it to its DataNode; inside the token, if there is one
 * @param token empty where the cluster has no block tokens
 */
public record UpdateUnit(
    int unit,
    long blockId,
    long generation,
    long lengthBytes,
    UnitStorage storage,
    Bytes terms,
    Optional<WriteToken> token) {}
