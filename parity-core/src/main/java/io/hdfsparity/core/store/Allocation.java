/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

/** How a new store gets its space. */
public enum Allocation {
  /**
   * All space is taken at creation, so that a full device is found then. Right for mapped files,
   * where a hole that cannot be filled later is a fault in the middle of a memory access. A file
   * system that cannot preallocate has every byte written.
   */
  FULL,

  /** A hole; space is taken when it is written. */
  SPARSE
}
