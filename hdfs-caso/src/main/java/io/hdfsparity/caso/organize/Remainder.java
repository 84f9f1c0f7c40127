/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

/** What becomes of correlated cells that do not fill a stripe. */
public enum Remainder {
  /**
   * Algorithm 1, step 12: they are the last group, padded. A group for which no two correlated
   * cells are left is filled by address.
   */
  LAST_GROUP,

  /**
   * They go with the uncorrelated cells, as does what is left when no two cells are correlated any
   * more: so the authors' public code, from which the reference figures are.
   */
  ADDRESS_ORDER
}
