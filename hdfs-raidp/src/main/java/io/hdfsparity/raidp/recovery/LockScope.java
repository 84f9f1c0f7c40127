/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

/**
 * What a thread locks while it XORs into the superchunk being rebuilt (paper section 6.4, Table 2).
 */
public enum LockScope {
  /** The bytes that it changes. */
  RANGE,
  /** Everything. */
  SUPERCHUNK
}
