/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import io.hdfsparity.bridge.level.StripedGroup;
import java.util.List;

/**
 * A block group as the NameNode holds it, taken under its lock. Immutable.
 *
 * @param state as for changes of level
 * @param groupId id of the group; unit i has the id {@code groupId + i}
 * @param generation generation stamp of the group and of its units
 * @param lengthBytes data bytes of the group, parity not counted
 * @param places of its replicas
 */
public record GroupFacts(
    StripedGroup state, long groupId, long generation, long lengthBytes, List<UnitPlace> places) {
  public GroupFacts {
    places = List.copyOf(places);
  }
}
