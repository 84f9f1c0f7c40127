/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.SessionId;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Admits sessions to replicas, apart for each disk: first admissions copy the files of a replica,
 * so a slow disk holds up only those who wait for it. A disk makes one copy at a time, and admits
 * one session at a time to replicas that have been copied: at most two threads a disk. Thread-safe.
 */
final class Admissions implements Closeable {
  /** Of one user, for one disk: as many as one may have connections of a node. */
  private static final int MAX_USER_ADMISSIONS = 2048;

  private final UpdateReplicas replicas;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new DefaultThreadFactory("ec-update-admission", true));
  private final Map<String, TurnQueue> copying = new ConcurrentHashMap<>();
  private final Map<String, TurnQueue> entering = new ConcurrentHashMap<>();

  Admissions(UpdateReplicas replicas) {
    this.replicas = replicas;
  }

  /**
   * Admits a session to a replica. Does not block; whoever asks again while that is under way waits
   * for the same.
   *
   * @param user whose turn it takes
   * @param task calls {@link UpdateReplicas#admit(long, ReplicaDescriptor, SessionId)}
   * @return completes when it is durable
   * @throws IOException if the DataNode has no such replica
   */
  CompletableFuture<Void> admit(String user, long blockId, SessionId session, TurnQueue.Task task)
      throws IOException {
    Map<String, TurnQueue> queues = replicas.isAdmitted(blockId) ? entering : copying;
    return queues
        .computeIfAbsent(
            replicas.storageId(blockId), id -> new TurnQueue(MAX_USER_ADMISSIONS, threads))
        .add(new TurnQueue.Key(user, blockId, session.value()), task);
  }

  /** Ends those that have not begun. A copy that is being made ends when its volume is closed. */
  @Override
  public void close() {
    threads.shutdown();
    copying.values().forEach(TurnQueue::close);
    entering.values().forEach(TurnQueue::close);
  }
}
