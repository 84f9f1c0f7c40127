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
 * @param write writing all files
 * @param settledSeconds from the end of that until the machine was idle: parity that came later,
 *     write-back
 * @param read reading them, from an idle machine on
 * @param rewrite writing the same files again, so that old blocks are deleted meanwhile, from an
 *     idle machine on
 * @param receivedBytesPerByte bytes of blocks that DataNodes received from clients and each other,
 *     a byte written, as their metrics have it: replicas without packet headers and control traffic
 * @param networkBytesPerByte bytes that crossed the wire between nodes (replicas, checksums,
 *     headers, acknowledgements, heartbeats, RAIDP's own calls), a byte written; 0 when not counted
 * @param compilingShare share of the machine's processors that compilers of DataNodes took when the
 *     last warm-up wrote
 */
record Sample(
    String contender,
    int round,
    DfsioJob.Speed write,
    double settledSeconds,
    DfsioJob.Speed read,
    DfsioJob.Speed rewrite,
    double receivedBytesPerByte,
    double networkBytesPerByte,
    double compilingShare) {}
