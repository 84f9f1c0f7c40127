/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** Which blocks on a DataNode with Lstors belong in superchunks. */
public enum Protection {
  /** All. */
  ALL,
  /** Those of directories that are marked; the others are HDFS's alone, on the same disks. */
  DIRECTORIES
}
