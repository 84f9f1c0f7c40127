/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

/**
 * Told at each point of a repair of an index at which a crash leaves another state behind. In
 * production {@link #NONE}; tests end the run there by throwing an Error, which no step catches.
 */
@FunctionalInterface
public interface RepairPoints {
  /** Goes on everywhere. */
  RepairPoints NONE = point -> {};

  /** Points, in their order; MADE, READ_BACK and PUT once for each of index and copy. */
  enum Point {
    /** It is known what is damaged; nothing is changed. */
    LOOKED,
    /** The new file is there, under another name. */
    MADE,
    /** It was read back and is right. */
    READ_BACK,
    /** It is in its place. */
    PUT,
    /** The file points to its index again. */
    POINTED
  }

  void reached(Point point);
}
