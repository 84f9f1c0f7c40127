/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * An order to a frame: store this pairing durably, then report it.
 *
 * @param frame the frame
 * @param pairing what it shall store
 */
public record Assignment(FrameRef frame, Pairing pairing) {}
