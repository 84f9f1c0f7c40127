/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.updater.LockWait;
import io.hdfsparity.ecupdate.updater.LockedGroupReader;
import io.hdfsparity.ecupdate.updater.StripeSession;
import java.util.Set;
import java.util.function.Function;

/**
 * A block group of which units are lost.
 *
 * @param units indices in the group of the lost units: all that the NameNode has no place of
 * @param nodes DataNodes that the lost units were on, by uuid: each unit was on one of them when
 *     the session used the group first, and nowhere since (ADR 0014)
 * @param healer who wants it healed
 * @param reader locks and reads the others
 */
record LostUnits(
    Set<Integer> units,
    Set<String> nodes,
    StripeSession.Healer healer,
    Function<LockWait, LockedGroupReader> reader) {
  LostUnits {
    units = Set.copyOf(units);
    nodes = Set.copyOf(nodes);
  }
}
