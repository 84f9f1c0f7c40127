/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

/**
 * Notified at each point of a swap at which a crash of the NameNode leaves another state behind. In
 * production {@link #NONE}; tests end the NameNode there.
 */
@FunctionalInterface
public interface SwapPoints {
  /** Continues everywhere. */
  SwapPoints NONE = point -> {};

  /** Points of a swap, in their order. */
  enum Point {
    /** Judged under the read lock, which is given back. */
    JUDGED,
    /** Both are still as they were judged, under the write lock; nothing is changed. */
    CHECKED,
    /** Memory is changed, and the operation is in the log's buffer. */
    LOGGED,
    /** The log is durable; no block of the old file is released. */
    DURABLE
  }

  void reached(Point point);
}
