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

  /** Points, in their order. */
  enum Point {
    /** It is known what is damaged; nothing is changed. */
    LOOKED,
    /** The directory says that it has files in stored order. */
    MARKED,
    /** The new file is there, readable to its maker only. */
    MADE,
    /** Who may read the file may read the new one. */
    DRESSED,
    /** Both files were read back and are right. */
    READ_BACK,
    /** The file points to what was made. */
    POINTED,
    /** A file that nothing points to is gone; once for each. */
    DISCARDED
  }

  void reached(Point point);
}
