/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

/**
 * Told at each point of a move at which a crash of the mover leaves another state behind. In
 * production {@link #NONE}; tests end the mover there by throwing an Error, which no step catches.
 */
@FunctionalInterface
public interface MovePoints {
  /** Goes on everywhere. */
  MovePoints NONE = point -> {};

  /** Points of a move, in their order. */
  enum Point {
    /** Nothing is written. */
    INSPECTED,
    /** The copy is open; part of it may be written. */
    WRITING,
    /** The copy is closed. */
    COPIED,
    /** The copy was read back and is equal. */
    VERIFIED,
    /** The copy has the attributes. */
    DRESSED,
    /** The copy is in the place of the file. */
    SWAPPED
  }

  void reached(Point point);
}
