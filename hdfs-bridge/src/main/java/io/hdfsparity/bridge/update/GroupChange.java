/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.level.StripedFile;
import java.util.List;
import java.util.Optional;

/**
 * A block group that is to be replaced by that of another file, both as the NameNode holds them.
 * Immutable.
 *
 * @param file that has the group
 * @param blockBytes preferred size of a block of it
 * @param group that is to be replaced; empty: the file has no such group
 * @param oldUnits that are deleted when it is replaced; of no meaning where there is no such group
 * @param copy the other file; empty where it does not matter: the file has no such group, or it is
 *     only asked whether that may be replaced
 */
public record GroupChange(
    StripedFile file,
    long blockBytes,
    Optional<GroupFacts> group,
    OldUnits oldUnits,
    Optional<Copy> copy) {
  /**
   * Whether units of the group may know better than a copy of it.
   *
   * @param doubt what is known against its parity, for who cannot use the group otherwise
   * @param missingDataUnits data units that no node has that can be read
   */
  public record OldUnits(Doubt doubt, int missingDataUnits) {
    /** All data units can be read, and nothing is known against parity. */
    public static final OldUnits SOUND = new OldUnits(Doubt.NONE, 0);
  }

  /**
   * What takes the place.
   *
   * @param blockBytes preferred size of a block
   * @param groups the file's one group; none where it has another number or is not striped: {@link
   *     StripedFile#groups} tells how many
   * @param isLowered its level was lowered: a unit that was dropped may come back, and the mark
   *     would not go with the group
   */
  public record Copy(
      StripedFile file, long blockBytes, List<GroupFacts> groups, boolean isLowered) {
    public Copy {
      groups = List.copyOf(groups);
    }
  }
}
