/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

/** What is measured. */
public enum Operation {
  /** All parity of a stripe of {@link Stripe#DATA_UNITS} cells. */
  ENCODE,

  /** Three lost data units from three data units and three parity units, the plan being there. */
  DECODE,

  /** All parity when one cell changes by a delta. */
  UPDATE,

  /** One cell XORed into another: RAIDP's parity of a side with coefficient 1. */
  XOR,

  /** One cell times 2 added to another: RAIDP's parity of a side with coefficient 2. */
  ADD_TWICE
}
