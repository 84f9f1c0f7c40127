/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.List;

/**
 * What recovery is doing, for the command line and the metrics. Immutable.
 *
 * @param state IDLE, RUNNING, WAITING (nothing can be done now) or DONE
 * @param startedAtMs manager's clock; 0: never
 * @param elapsedMs since its start
 * @param progress how far it is
 * @param moves all superchunks that it has moved or is moving
 * @param waiting superchunks that it cannot move, with the reason
 * @param givenUp superchunks of which blocks could not be rebuilt after several attempts
 * @param problems that it has found and no report shows
 */
record RecoveryStatus(
    State state,
    long startedAtMs,
    long elapsedMs,
    Progress progress,
    List<RecoveryMove> moves,
    List<Waiting> waiting,
    List<Long> givenUp,
    List<Problem> problems) {
  /**
   * Data bytes to rebuild and copy.
   *
   * @param bytesTotal all, as far as known
   * @param bytesDone of these
   * @param bytesPerSecond over the last seconds
   * @param etaMs until done at that rate; -1: unknown
   */
  record Progress(long bytesTotal, long bytesDone, long bytesPerSecond, long etaMs) {}

  /** Where it stands. */
  enum State {
    IDLE,
    RUNNING,
    WAITING,
    DONE
  }

  /**
   * A superchunk that stays as it is for now.
   *
   * @param superchunkId which
   * @param reason one word
   * @param detail for people
   */
  record Waiting(long superchunkId, String reason, String detail) {}

  RecoveryStatus {
    moves = List.copyOf(moves);
    waiting = List.copyOf(waiting);
    givenUp = List.copyOf(givenUp);
    problems = List.copyOf(problems);
  }

  RecoveryStatus withWaiting(List<Waiting> now) {
    return new RecoveryStatus(
        state, startedAtMs, elapsedMs, progress, moves, now, givenUp, problems);
  }

  static RecoveryStatus idle() {
    return new RecoveryStatus(
        State.IDLE, 0, 0, new Progress(0, 0, 0, -1), List.of(), List.of(), List.of(), List.of());
  }
}
