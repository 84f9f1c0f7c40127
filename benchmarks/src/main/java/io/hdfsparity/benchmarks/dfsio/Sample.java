/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

/**
 * What one run of one contender measured.
 *
 * @param contender its name
 * @param round 0 for the first
 * @param writeMegabytesPerSecond aggregate: all bytes over the wall-clock time of the job
 * @param readMegabytesPerSecond the same for reading
 * @param rewriteMegabytesPerSecond writing the same files again, so that old blocks are deleted
 *     meanwhile
 * @param receivedBytesPerByte bytes that DataNodes received from clients and each other, a byte
 *     written
 * @param networkBytesPerByte the same less the copy that the writer keeps on its own node
 */
record Sample(
    String contender,
    int round,
    double writeMegabytesPerSecond,
    double readMegabytesPerSecond,
    double rewriteMegabytesPerSecond,
    double receivedBytesPerByte,
    double networkBytesPerByte) {}
