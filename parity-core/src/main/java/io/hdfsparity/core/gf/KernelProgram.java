/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What {@link ProgramKernel#prepare} makes. Immutable, thread-safe. */
public interface KernelProgram {
  /**
   * Runs it.
   *
   * @param columns direct buffers by number; null where the program uses none. Used from their
   *     positions, which stay
   * @param baseOffsets where row 0 of each column is, in bytes from its position
   * @param rowBytes length of a row; 0 does nothing
   * @throws IllegalArgumentException before any byte is written, if a column is missing, is not
   *     direct, or is read-only and written to
   * @throws IndexOutOfBoundsException before any byte is written, if a column is too short for the
   *     rows that the program names
   */
  void run(@Nullable ByteBuffer[] columns, int[] baseOffsets, int rowBytes);
}
