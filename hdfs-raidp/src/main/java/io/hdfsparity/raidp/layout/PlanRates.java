/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * How fast a described cluster is.
 *
 * @param linkBytesPerSecond link of a node, in and out each
 * @param diskBytesPerSecond a disk, reading or writing
 * @param maxStreams {@code dfs.namenode.replication.max-streams}
 */
public record PlanRates(long linkBytesPerSecond, long diskBytesPerSecond, int maxStreams) {}
