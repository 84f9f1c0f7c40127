/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * Reaches into a block group in place.
 *
 * <p>Reaches BlockInfo.triplets (protected) and BlockInfoStriped.indices and ecPolicy (private, the
 * latter final): a change of level keeps the object, because everything in the NameNode refers to
 * it. Checked for Hadoop 3.5.0: slots beyond the policy's units are looked at by their recorded
 * index only, as for superfluous replicas, and all access is under the namesystem's lock. Callers
 * hold its write lock. Stateless but for the resolved fields.
 */
final class StripedSlots {
  private final Field policy;
  private final Field indices;

  /**
   * @throws IllegalStateException when this Hadoop has no such fields
   */
  StripedSlots() {
    policy = PrivateFields.of(BlockInfoStriped.class, "ecPolicy");
    indices = PrivateFields.of(BlockInfoStriped.class, "indices");
  }

  /** Gives the group at least so many slots; those it has keep their content. */
  void reserve(BlockInfoStriped group, int slots) {
    int before = group.getCapacity();
    if (before >= slots) {
      return;
    }
    byte[] grown = Arrays.copyOf((byte[]) PrivateFields.get(indices, group), slots);
    Arrays.fill(grown, before, slots, (byte) -1);
    PrivateFields.set(indices, group, grown);
    group.triplets = Arrays.copyOf(group.triplets, slots * 3);
  }

  /** Gives the group another policy of the same data units and cell size. */
  void setPolicy(BlockInfoStriped group, ErasureCodingPolicy target) {
    reserve(group, target.getNumDataUnits() + target.getNumParityUnits());
    PrivateFields.set(policy, group, target);
  }
}
