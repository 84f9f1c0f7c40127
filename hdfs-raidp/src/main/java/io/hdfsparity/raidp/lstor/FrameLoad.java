/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * How much is in a frame, counted as its rows change.
 *
 * @param freeUnits units that no row holds
 * @param liveRows rows in state LIVE
 * @param limboBytes covered bytes of rows in state LIMBO; 0 only if none of them covers anything
 * @param unacknowledgedRows rows that the partner has yet to acknowledge
 */
public record FrameLoad(int freeUnits, int liveRows, long limboBytes, int unacknowledgedRows) {}
