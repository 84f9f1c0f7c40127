/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

/**
 * Told at each point of a change of order at which a crash leaves another state behind. In
 * production {@link #NONE}; tests end the run there by throwing an Error, which no step catches.
 */
@FunctionalInterface
public interface RewritePoints {
  /** Goes on everywhere. */
  RewritePoints NONE = point -> {};

  /** Points, in their order. */
  enum Point {
    /** Nothing is written. */
    INSPECTED,
    /** The copy is open, or its folder is made; part of it may be written. */
    WRITING,
    /** The copy is closed, and whole. */
    COPIED,
    /** The index is there, and the copy points to it; before WRITING if it is made in parts. */
    INDEXED,
    /** The copy was read back in the file's own order and is equal. */
    VERIFIED,
    /** The copy has the attributes. */
    DRESSED,
    /** The copy is in the place of the file. */
    SWAPPED,
    /** The index that the file had before is gone. */
    CLEANED
  }

  void reached(Point point);
}
