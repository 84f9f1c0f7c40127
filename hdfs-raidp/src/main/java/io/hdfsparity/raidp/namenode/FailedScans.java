/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has HDFS repeat its scan of all blocks if that has failed. HDFS itself does not, until a restart
 * or a failover; before its end nobody knows of all blocks what replicas they lack, so disks cannot
 * be failed and some superchunks are not re-paired.
 *
 * <p>A scan looks at millions of blocks under the NameNode's lock, and may fail at the same block
 * again: pauses grow. One thread calls {@link #round} and {@link #clear}; {@link #problem} may be
 * called on any.
 */
final class FailedScans {
  static final long FIRST_PAUSE_MS = 60_000;
  static final long LAST_PAUSE_MS = 3_600_000;

  private static final Logger LOG = LoggerFactory.getLogger(FailedScans.class);
  private static final String SCAN = "scan";

  private final Scan scan;
  private final GrowingPauses<String> pauses =
      new GrowingPauses<>(FIRST_PAUSE_MS, LAST_PAUSE_MS, 1);
  private int failures;
  private boolean isNoted;
  private volatile Optional<Problem> problem = Optional.empty();

  /** The scan of this NameNode; see {@link Namespace}. */
  interface Scan {
    /** See {@link Namespace#hasScanFailed}. */
    boolean hasFailed();

    /** See {@link Namespace#hasLookedAtAllBlocks}. */
    boolean isDone();

    /** See {@link Namespace#repeatScan}. */
    void repeat();
  }

  FailedScans(Scan scan) {
    this.scan = scan;
  }

  FailedScans(Namespace namespace) {
    this(
        new Scan() {
          @Override
          public boolean hasFailed() {
            return namespace.hasScanFailed();
          }

          @Override
          public boolean isDone() {
            return namespace.hasLookedAtAllBlocks();
          }

          @Override
          public void repeat() {
            namespace.repeatScan();
          }
        });
  }

  /** Repeats a scan that has failed, after a pause. Waits for the NameNode's lock. */
  void round(long nowMs) {
    if (!scan.hasFailed()) {
      isNoted = false;
      if (failures > 0 && scan.isDone()) {
        LOG.info("HDFS has looked at all blocks: failures before that={}", failures);
        clear();
      }
    } else if (!isNoted) {
      isNoted = true;
      failures++;
      pauses.failed(SCAN, nowMs);
      problem = Optional.of(describe());
      LOG.warn("HDFS' scan of all blocks has failed and will be repeated: failures={}", failures);
    } else if (!pauses.isPaused(SCAN, nowMs)) {
      isNoted = false;
      LOG.info("Repeating HDFS' scan of all blocks: failures={}", failures);
      scan.repeat();
    }
  }

  /** Forgets all: another NameNode is the active one. */
  void clear() {
    failures = 0;
    isNoted = false;
    pauses.clear();
    problem = Optional.empty();
  }

  /** That scans have failed, until one has not. */
  Optional<Problem> problem() {
    return problem;
  }

  private Problem describe() {
    return new Problem(
        Problem.Kind.BLOCK_SCAN_FAILED,
        "NameNode",
        "HDFS' scan of all blocks has failed: failures="
            + failures
            + ", so it does not know which blocks lack replicas. It is repeated after at most "
            + LAST_PAUSE_MS / 60_000
            + " minutes. Until it ends, no disk can be failed without -force. The NameNode's log"
            + " has the cause: 'Error while processing reconstruction queues async'");
  }
}
