/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/**
 * How a rebuild runs.
 *
 * @param chunkBytes bytes of one request to a source
 * @param lock what a thread locks while it XORs
 * @param throttleBytesPerSecond maximum bytes read a second; 0: no limit
 */
public record RebuildPace(int chunkBytes, LockGranularity lock, long throttleBytesPerSecond) {}
