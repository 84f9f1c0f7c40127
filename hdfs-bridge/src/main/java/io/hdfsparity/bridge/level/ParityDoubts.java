/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

/**
 * Which block groups have parity that was compared with their data and did not fit. Whoever gives
 * up units of a group, or adds some, asks: the units that contradict each other are the evidence of
 * which is right. Implemented by features of the NameNode that know. Thread-safe.
 */
@FunctionalInterface
public interface ParityDoubts {
  /** What is known of a group. */
  enum Doubt {
    /** No comparison did not fit, or one has fitted since; or its codec is not verified. */
    NONE,
    /** A comparison did not fit, and none has fitted since. */
    FOUND,
    /** There were more contradictory groups than are listed: it may be one of them. */
    UNLISTED,
    /** What is known is not loaded, or cannot be: it may be contradictory. */
    UNKNOWN
  }

  /** Nothing is compared. */
  ParityDoubts NONE = (codec, groupId) -> Doubt.NONE;

  /**
   * What is known of a group. Called under the NameNode's lock: it must not block.
   *
   * @param codec of the group's policy
   */
  Doubt doubt(String codec, long groupId);

  /**
   * The same, for who rebuilds or rewrites a group that cannot be used otherwise. It is {@link
   * Doubt#NONE} instead of {@link Doubt#UNLISTED} once HDFS's own rebuilds believe such parity:
   * whoever refuses then keeps nothing from being deleted.
   */
  default Doubt doubtOfRebuild(String codec, long groupId) {
    return doubt(codec, groupId);
  }

  /**
   * Has what is known loaded, if it is not yet, as after a failover. Waits for some seconds at
   * most. Not to be called under a lock.
   */
  default void load() {}
}
