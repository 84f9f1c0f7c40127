/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;

/**
 * The surviving copy of a frame of a dead disk: who can serve the covered images of its blocks.
 *
 * @param frameIndex on the dead disk
 * @param storageId volume of the dead frame
 * @param mirrorStorageId volume of the surviving frame; empty: none survives
 * @param server peer service of the survivor; empty: none survives
 */
public record Mirror(
    int frameIndex,
    String storageId,
    Optional<String> mirrorStorageId,
    Optional<PeerAddress> server) {}
