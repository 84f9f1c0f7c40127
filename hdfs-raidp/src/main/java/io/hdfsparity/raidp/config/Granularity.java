/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** How much of a block is collected before it is XORed into the parity (paper section 5). */
public enum Granularity {
  /** The whole block, at finalize. */
  BLOCK,
  /** Each packet as it is written: the paper's unoptimized case, for comparison. */
  PACKET
}
