/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;

/**
 * A round over all replicas of an engine, in which their changes leave the log for where their
 * scheme wants them. What waits for a reader, or was postponed, goes to the file when it can.
 *
 * <p>The log is sealed once for all deltas that go to reserved space: {@link LogCheckpointer} moves
 * none that came after the seal, so that a round costs no force of the log for each replica while
 * changes keep coming. They come with the next round. Run by one thread at a time.
 */
final class CheckpointRound {
  /** How long changes that could not be brought on wait for the next attempt. */
  private static final long MAX_RETRY_MS = 10_000;

  private final UpdateLog log;
  private final ReplicaTable replicas;
  private final LogCheckpointer checkpointer;
  private final int maxRounds;

  CheckpointRound(
      UpdateLog log, ReplicaTable replicas, LogCheckpointer checkpointer, long roundMs) {
    this.log = log;
    this.replicas = replicas;
    this.checkpointer = checkpointer;
    maxRounds = (int) Math.max(1, MAX_RETRY_MS / Math.max(1, roundMs));
  }

  /** Runs it. An {@link IOException} as of {@link LogCheckpointer}: the engine has to stop. */
  void run() throws IOException {
    if (replicas.all().stream().anyMatch(CheckpointRound::hasDeltasToMove)) {
      log.seal();
    }
    for (Replica replica : replicas.all()) {
      if (replica.bytes().isAwaited()) {
        checkpointer.fold(replica);
      } else if (replica.isPostponed()) {
        if (replica.pollDue(maxRounds)) {
          checkpointer.fold(replica);
        }
      } else if (!replica.isDamaged()
          && (replica.bytes().pendingBytes() > 0 || !replica.reserved().isEmpty())) {
        checkpointer.drain(replica);
      }
    }
  }

  private static boolean hasDeltasToMove(Replica replica) {
    return replica.destination() == UpdateScheme.Destination.RESERVED_SPACE
        && replica.bytes().pendingBytes() > 0;
  }
}
