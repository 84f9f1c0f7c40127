/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.util.List;

/**
 * A kernel that runs whole programs of sums on direct memory. That spares a view of each element
 * and a comparison of coefficients at each sum, which cost as much as sums of a few KiB do.
 */
public interface ProgramKernel extends Kernel {
  /**
   * Prepares a program. An element is numbered {@code column * rows + row}.
   *
   * @param rows of each column: 1..256
   * @param columns that the caller brings, 1..256; those from this number on are scratch
   * @param scratchColumns columns for what is computed on the way: 0..256
   * @param sums in the order in which they are computed; none reads what it writes
   * @throws IllegalArgumentException if a number is out of its range
   * @throws IndexOutOfBoundsException if a sum names an element that is not there
   */
  KernelProgram prepare(int rows, int columns, int scratchColumns, List<ElementSum> sums);
}
