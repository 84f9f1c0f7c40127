/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.verify.UnitHolder;
import io.hdfsparity.izs.repair.GroupShape;
import java.util.List;

/**
 * A block group that a DataNode is to verify. Immutable.
 *
 * @param taskId to be reported with the outcome
 * @param blockPool of the group
 * @param groupId id of the group; unit i has the id {@code groupId + i}
 * @param generation generation stamp of its units
 * @param codec name of the codec
 * @param shape of the group
 * @param isWhole every byte is to be compared, not only samples
 * @param holders of its units, one each
 */
public record VerifyTask(
    long taskId,
    String blockPool,
    long groupId,
    long generation,
    String codec,
    GroupShape shape,
    boolean isWhole,
    List<UnitHolder> holders) {
  public VerifyTask {
    holders = List.copyOf(holders);
  }
}
