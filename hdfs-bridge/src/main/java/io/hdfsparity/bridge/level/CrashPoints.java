/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

/**
 * Notified at each point at which a crash leaves another state behind. In production {@link #NONE};
 * tests end the NameNode there.
 */
@FunctionalInterface
public interface CrashPoints {
  /** Continues everywhere. */
  CrashPoints NONE = point -> {};

  /** Points of a change, in their order. */
  enum Point {
    /** Nothing is logged. */
    CHECKED,
    /** OP_DELETE of the copy is in the log's buffer; only where a block group is replaced. */
    COPY_DELETED,
    /** OP_ADD is in the log's buffer. */
    OPENED,
    /** OP_CLOSE too. */
    CLOSED,
    /** Memory says what the log says. */
    APPLIED,
    /** The log is durable; nothing is deleted, nothing is ordered. */
    DURABLE
  }

  void reached(Point point);
}
