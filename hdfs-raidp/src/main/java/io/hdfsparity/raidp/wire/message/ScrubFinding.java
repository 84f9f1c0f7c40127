/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something that is not as it should be.
 *
 * @param diskId where
 * @param kind one word, e.g. parity-mismatch
 * @param detail for people
 * @param repaired it is right again
 * @param storageId frame, if it concerns one
 * @param blockId block, if it concerns one
 */
public record ScrubFinding(
    String diskId,
    String kind,
    String detail,
    boolean repaired,
    Optional<String> storageId,
    OptionalLong blockId) {}
