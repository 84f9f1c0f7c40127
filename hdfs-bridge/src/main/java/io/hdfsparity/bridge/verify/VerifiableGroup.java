/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.verify;

import io.hdfsparity.bridge.level.CodePolicy;
import java.util.List;
import java.util.Optional;

/**
 * A block group of a closed file, as the NameNode held it for a moment. Immutable.
 *
 * @param identity what must not change while it is verified
 * @param path of its file
 * @param holders of its replicas, by unit
 * @param obstacle why it cannot be verified now; empty: it can
 */
public record VerifiableGroup(
    Identity identity, String path, List<UnitHolder> holders, Optional<Obstacle> obstacle) {
  public VerifiableGroup {
    holders = List.copyOf(holders);
  }

  /**
   * What two looks at one group have in common if nothing has touched it in between.
   *
   * @param groupId id of the group
   * @param generation generation stamp
   * @param lengthBytes of data
   * @param policy of the group
   * @param inodeId of its file
   * @param updatedMs when an update in place of the file began or ended last; 0: never. No user can
   *     set it
   */
  public record Identity(
      long groupId,
      long generation,
      long lengthBytes,
      CodePolicy policy,
      long inodeId,
      long updatedMs) {}

  /**
   * Why a group cannot be verified.
   *
   * @param isUpdate whether somebody holds the file to update it in place
   * @param reason in words
   */
  public record Obstacle(boolean isUpdate, String reason) {}
}
