/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * A frame's side of a superchunk, as its frame file says.
 *
 * @param superchunkId identity of the pair
 * @param epoch grows whenever the pair changes
 * @param partnerStorageId the other frame
 * @param partnerNodeUuid its DataNode when the pair was made
 */
public record Pairing(long superchunkId, long epoch, String partnerStorageId, String partnerNodeUuid) {}
