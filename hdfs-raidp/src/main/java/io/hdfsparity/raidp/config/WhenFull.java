/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** What becomes of a new block of a protected directory that no superchunk has room for. */
public enum WhenFull {
  /** The write fails. */
  REFUSE,
  /** It gets three plain replicas, if its file asks for so many. */
  PLAIN
}
