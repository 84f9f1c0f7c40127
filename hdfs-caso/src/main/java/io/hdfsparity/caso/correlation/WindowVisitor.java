/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

/** Sees the cells of one time window. */
@FunctionalInterface
public interface WindowVisitor {
  /**
   * One window.
   *
   * @param cells distinct cells in ascending order in its first {@code count} places; valid during
   *     the call only, and may be overwritten
   * @param count how many, at least 1
   */
  void window(long[] cells, int count);
}
