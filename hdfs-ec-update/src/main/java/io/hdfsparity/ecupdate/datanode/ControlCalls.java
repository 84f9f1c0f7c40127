/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.protocol.NodeStatus;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Serves administrators. What changes something is for superusers; a status is for whoever may call
 * at all, as the state of DataNodes on their web pages. Thread-safe.
 *
 * <p>No call asks for a session, nor whether a block group was replaced: they change where the
 * bytes of a replica lie, never what they are, and tell nobody any of them.
 */
final class ControlCalls implements ControlProtocol {
  /** A call ends after so long, at the end of a replica. */
  private static final long MAX_MS = 5_000;

  private final Supplier<String> uuid;
  private final Replicas replicas;
  private final IntSupplier connections;
  private final SuperuserRule superusers;

  /** The replicas, when the DataNode has them. */
  @FunctionalInterface
  interface Replicas {
    /**
     * @throws IOException before the DataNode has its block pool, and after it has stopped
     */
    UpdateReplicas get() throws IOException;
  }

  /** Something that is done for one replica. */
  @FunctionalInterface
  private interface Action {
    void on(long blockId) throws IOException, InterruptedException;
  }

  /**
   * @param uuid of the DataNode, when it has registered
   * @param connections to the update channel; -1: it is not up
   */
  ControlCalls(
      Supplier<String> uuid, Replicas replicas, IntSupplier connections, SuperuserRule superusers) {
    this.uuid = uuid;
    this.replicas = replicas;
    this.connections = connections;
    this.superusers = superusers;
  }

  @Override
  public NodeStatus status(Listed listed, Set<Long> blockIds) throws IOException {
    UpdateReplicas all = replicas.get();
    return new NodeStatus(
        uuid.get(), all.blockPool(), connections.getAsInt(), all.status(listed, blockIds));
  }

  @Override
  public ControlOutcome merge(Set<Long> blockIds) throws IOException {
    superusers.check("merge replicas");
    UpdateReplicas all = replicas.get();
    return each(all, blockIds.isEmpty() ? all.admitted() : blockIds, all::merge);
  }

  @Override
  public ControlOutcome convert(String scheme, Set<Long> blockIds) throws IOException {
    superusers.check("convert replicas");
    try {
      UpdateScheme.of(scheme);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    UpdateReplicas all = replicas.get();
    return each(all, blockIds, blockId -> all.convert(blockId, scheme));
  }

  private static ControlOutcome each(UpdateReplicas all, Set<Long> blockIds, Action action)
      throws IOException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_MS);
    Set<Long> admitted = all.admitted();
    long done = 0;
    long absent = 0;
    List<ControlOutcome.Failure> failures = new ArrayList<>();
    List<Long> left = new ArrayList<>();
    for (long blockId : blockIds) {
      if (!admitted.contains(blockId)) {
        absent++;
      } else if (System.nanoTime() - endNanos > 0) {
        left.add(blockId);
      } else {
        try {
          action.on(blockId);
          done++;
        } catch (IOException e) {
          failures.add(new ControlOutcome.Failure(blockId, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          InterruptedIOException interrupted = new InterruptedIOException("The DataNode is ending");
          interrupted.initCause(e);
          throw interrupted;
        }
      }
    }
    return new ControlOutcome(done, absent, failures, left);
  }
}
