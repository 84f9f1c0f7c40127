/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** When the bytes of a deleted block leave the parity (paper section 5, "re-write"). */
public enum Mode {
  /** When the disk is idle; deletes and overwrites cost nothing at once. */
  IDLE,
  /** Before the delete is done: the paper's update-oriented variant. */
  INLINE
}
