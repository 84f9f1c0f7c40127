/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.util.Set;

/**
 * What an engine keeps of replaced bytes for the clients of sessions, until they collect, or are
 * over. Thread-safe.
 */
public final class EngineReceipts {
  private final ReceiptBudget budget;
  private final ReplicaTable replicas;

  EngineReceipts(ReceiptBudget budget, ReplicaTable replicas) {
    this.budget = budget;
    this.replicas = replicas;
  }

  /** In memory, of all sessions. */
  public long bytes() {
    return budget.bytes();
  }

  /** Numbers of the sessions that have some: the upper 32 bits of their clients. */
  public Set<Long> sessions() {
    return budget.sessions();
  }

  /**
   * Sessions are over for good, and nothing of theirs is being executed: nobody asks for what is
   * kept for them. Does not wait for a disk. What slots have that are in use just now is left, and
   * {@link #sessions} still has those sessions: ask again. The state on disk follows later.
   */
  public void forget(Set<Long> over) {
    if (!over.isEmpty()) {
      for (Replica replica : replicas.all()) {
        replica.forgetReceipts(client -> over.contains(ReceiptBudget.sessionOf(client)), budget);
      }
    }
  }
}
