/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.List;
import java.util.Optional;

/**
 * Decides on one file. Called under the NameNode's lock: it must not block, and it must not keep
 * what it is given. Thread-safe.
 */
public interface LevelRule {
  /** What shall become of a file. */
  sealed interface Decision permits Keep, Change, Refuse {}

  /** It has the level already. */
  record Keep() implements Decision {}

  /** It gets another policy, if its groups allow. */
  record Change(CodePolicy target) implements Decision {}

  /** It keeps its policy. */
  record Refuse(Refusal refusal) implements Decision {}

  /**
   * @param policies all that the NameNode knows
   */
  Decision decide(StripedFile file, List<CodePolicy> policies);

  /** Judges one group of a file for which {@link #decide} said {@link Change}. */
  Optional<Refusal> judge(StripedFile file, CodePolicy target, StripedGroup group);
}
