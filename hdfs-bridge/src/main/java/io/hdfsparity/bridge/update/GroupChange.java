/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

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
 * @param copy the other file; empty where it does not matter: the file has no such group, or it is
 *     only asked whether that may be replaced
 */
public record GroupChange(
    StripedFile file, long blockBytes, Optional<GroupFacts> group, Optional<Copy> copy) {
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
