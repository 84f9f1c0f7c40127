/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What became of one path. Immutable.
 *
 * @param path as asked for
 * @param groups number of block groups; 0: none, or not looked at
 * @param fromPolicy name of the policy before; empty: none, or not looked at
 * @param toPolicy after; equal to {@code fromPolicy} when it is unchanged
 * @param refusal why it is unchanged although it should not be
 */
public record FileOutcome(
    String path,
    int groups,
    Optional<String> fromPolicy,
    Optional<String> toPolicy,
    Optional<Refusal> refusal) {

  /** The file has another policy than before. */
  public boolean changed() {
    return refusal.isEmpty() && !fromPolicy.equals(toPolicy);
  }
}
