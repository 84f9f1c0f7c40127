/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What became of one path. Immutable.
 *
 * @param path as asked for
 * @param inodeId of the file; 0: none
 * @param groups number of its block groups; 0: not looked at
 * @param judgedGroups how many of them were looked at at most, whether or not the file was refused
 * @param from policy before; empty: none, or not looked at
 * @param to policy after; equal to {@code from} when it is unchanged
 * @param refusal why it is unchanged although it should not be
 */
public record LevelOutcome(
    String path,
    long inodeId,
    int groups,
    int judgedGroups,
    Optional<CodePolicy> from,
    Optional<CodePolicy> to,
    Optional<Refusal> refusal) {

  /** The path was not looked at, or the look failed. */
  public static LevelOutcome refused(String path, Refusal refusal) {
    return new LevelOutcome(
        path, 0, 0, 0, Optional.empty(), Optional.empty(), Optional.of(refusal));
  }

  /** The file has another policy than before. */
  public boolean changed() {
    return refusal.isEmpty() && !from.equals(to);
  }
}
