/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

/**
 * A block group of a file in a session. Immutable.
 *
 * @param groupId id of the block group
 * @param generation generation stamp
 * @param offsetBytes of its first byte in the file
 * @param lengthBytes data bytes; parity not counted
 * @param units that have a replica, in order; data units without bytes have none, and units that
 *     are missing are not listed
 * @param isToBeRewritten it must not change any more, since its level was lowered, and no units are
 *     listed: whoever wants to use it rewrites it under other ids first
 */
public record UpdateGroup(
    long groupId,
    long generation,
    long offsetBytes,
    long lengthBytes,
    List<UpdateUnit> units,
    boolean isToBeRewritten) {
  public UpdateGroup {
    units = List.copyOf(units);
  }
}
