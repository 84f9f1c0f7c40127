/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * Which block groups have parity that was compared with their data and did not fit. Called under
 * the NameNode's lock: it must not block. Thread-safe.
 */
@FunctionalInterface
public interface ParityDoubts {
  /** Nothing is compared. */
  ParityDoubts NONE = (codec, groupId) -> false;

  /**
   * Whether a comparison did not fit, and none has fitted since.
   *
   * @param codec of the group's policy
   */
  boolean isDoubted(String codec, long groupId);
}
