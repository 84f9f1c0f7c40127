/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.Comparator;
import java.util.Set;

/**
 * Who keeps the log from being cut. Immutable, in a fixed order.
 *
 * @param toApply replicas with changes to be folded and applied
 * @param toKeep slots whose state is only there
 */
public record UnfoldedReplicas(Set<ReplicaKey> toApply, Set<SlotKey> toKeep) {
  static final Comparator<ReplicaKey> ORDER =
      Comparator.comparing(ReplicaKey::blockPool).thenComparingLong(ReplicaKey::blockId);
  static final Comparator<SlotKey> SLOT_ORDER =
      Comparator.comparing(SlotKey::replica, ORDER).thenComparingInt(SlotKey::stripe);
}
