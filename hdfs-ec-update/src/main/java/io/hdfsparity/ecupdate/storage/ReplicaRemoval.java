/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes down that replicas are given up, with all their changes. Thread-safe. */
final class ReplicaRemoval {
  /** Executes steps. */
  @FunctionalInterface
  interface StepRunner {
    /** Executes a step; on return it has ended. */
    void run(ReplicaTable.Step step) throws IOException;
  }

  private final UpdateLog log;
  private final ReplicaTable replicas;

  /** The caller, until there are threads. */
  private volatile StepRunner runner = ReplicaTable.Step::run;

  ReplicaRemoval(UpdateLog log, ReplicaTable replicas) {
    this.log = log;
    this.replicas = replicas;
  }

  /**
   * Who writes the log from now on. Callers are threads of HDFS, which may be interrupted in the
   * middle of I/O: that closes the file of the log.
   */
  void runOn(StepRunner next) {
    runner = next;
  }

  /**
   * Gives a replica up: durable on return. Nobody is at its files then.
   *
   * @param store of the copy that counts as INIT from now on; null if there is none
   */
  void giveUp(ReplicaKey key, @Nullable ReplicaStore store) throws IOException {
    replicas.giveUp(key, () -> runner.run(() -> write(key, store)));
  }

  private void write(ReplicaKey key, @Nullable ReplicaStore store) throws IOException {
    log.commitGroup();
    if (store != null) {
      long upTo = log.durableSequence();
      log.sealUpTo(upTo);
      ReplicaState state = ReplicaState.arrived(log.salt(), upTo);
      NotKeptException.write(store, state.encode(key));
    }
    log.dropped(key);
    log.commitGroup();
  }
}
