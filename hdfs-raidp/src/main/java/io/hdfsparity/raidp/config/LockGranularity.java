/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** What a thread that XORs into a superchunk under reconstruction locks (paper table 2). */
public enum LockGranularity {
  /** Only the byte range that it changes. */
  RANGE,
  /** The whole superchunk. */
  SUPERCHUNK
}
