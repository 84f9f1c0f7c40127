/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.NodeOptions;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * What all disks of a node share.
 *
 * @param options configuration
 * @param clock time
 * @param partners the other sides of superchunks
 * @param pool block pool
 * @param busyAttempts how often a call that is answered {@link PeerException.Busy} is made
 * @param busyPauseMs pause between two of them
 * @param work what threads in the background share
 * @param damaged is given damaged replicas
 */
record DiskContext(
    NodeOptions options,
    Clock clock,
    Partners partners,
    BlockPool pool,
    int busyAttempts,
    long busyPauseMs,
    BackgroundWork work,
    DamagedReplicas damaged) {
  /** Is given replicas that were found damaged, so that HDFS looks at them. */
  @FunctionalInterface
  interface DamagedReplicas {
    void found(String storageId, ExtendedBlock block);
  }

  DiskContext(
      NodeOptions options,
      Clock clock,
      Partners partners,
      BlockPool pool,
      int busyAttempts,
      long busyPauseMs,
      DamagedReplicas damaged) {
    this(
        options,
        clock,
        partners,
        pool,
        busyAttempts,
        busyPauseMs,
        new BackgroundWork(new Semaphore(1), new SilentPartners(clock, options.reportIntervalMs())),
        damaged);
  }

  /**
   * What threads in the background share.
   *
   * @param takeIns held while a replica is taken into a superchunk: of one at a time the whole
   *     content is read and added to the parity, and what is acknowledged meanwhile does not wait
   *     for it
   * @param silent partners that do not answer
   */
  record BackgroundWork(Semaphore takeIns, SilentPartners silent) {}
}
