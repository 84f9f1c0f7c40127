/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.NodeOptions;

/**
 * What all disks of a node share.
 *
 * @param options configuration
 * @param clock time
 * @param partners the other sides of superchunks
 * @param pool block pool
 * @param busyAttempts how often a call that is answered {@link PeerException.Busy} is made
 * @param busyPauseMs pause between two of them
 */
record DiskContext(
    NodeOptions options,
    Clock clock,
    Partners partners,
    BlockPool pool,
    int busyAttempts,
    long busyPauseMs) {}
