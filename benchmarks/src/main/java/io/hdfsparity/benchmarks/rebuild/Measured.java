/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

/**
 * What one recovery from two failed disks took. Times begin when the cluster knows that both disks
 * are gone.
 *
 * @param row its name
 * @param round 0 for the first
 * @param rebuildSeconds until no byte depends on parity alone: RAIDP's shared superchunk is
 *     rebuilt; in HDFS, where nothing tells those groups apart, all groups are
 * @param redundantSeconds until everything is as redundant as before the failure
 * @param rebuiltBytes bytes that had to be decoded
 * @param rebuildNetworkBytes bytes between nodes until {@code rebuildSeconds}; 0 when not counted
 * @param redundantNetworkBytes the same until {@code redundantSeconds}
 */
record Measured(
    String row,
    int round,
    double rebuildSeconds,
    double redundantSeconds,
    long rebuiltBytes,
    long rebuildNetworkBytes,
    long redundantNetworkBytes) {}
