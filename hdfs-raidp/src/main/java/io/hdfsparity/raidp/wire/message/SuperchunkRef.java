/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * A superchunk at a moment of its life; a call with an old epoch is refused by the callee.
 *
 * @param superchunkId identity of the pair
 * @param epoch grows whenever the pair changes
 */
public record SuperchunkRef(long superchunkId, long epoch) {}
