/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import java.util.List;

/**
 * Faults that begin together, and are healed together before the next episode begins. Immutable.
 *
 * @param beginMs when at the earliest, in milliseconds since the clients have begun
 * @param holdMs how long they last before they are healed
 * @param faults at least one
 */
public record Episode(long beginMs, long holdMs, List<Fault> faults) {
  public Episode {
    faults = List.copyOf(faults);
  }
}
