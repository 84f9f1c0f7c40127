/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.channel.HeldLock;
import io.hdfsparity.ecupdate.channel.SlotService;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.storage.ReceiptRoomException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNode's replicas, for its update channel. That a replica is of the DataNode's block pool
 * is in the grant of a connection. Thread-safe.
 */
record ReplicaService(UpdateReplicas replicas, EndedSessions ended, UpdateMetrics metrics)
    implements SlotService {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaService.class);

  @Override
  public CompletableFuture<Reply> handle(SlotKey slot, Request request, BooleanSupplier isPermitted)
      throws IOException, InterruptedException {
    long blockId = slot.replica().blockId();
    if (request instanceof Request.Sessions sessions) {
      return CompletableFuture.completedFuture(sessions(blockId, ids(sessions.asked())));
    } else if (request instanceof Request.CrossOut over) {
      return CompletableFuture.completedFuture(crossOut(blockId, ids(over.sessions())));
    }
    // Counted before the client learns of it; what failed stays as it is.
    CompletableFuture<Reply> counted = new CompletableFuture<>();
    changed(slot, request, isPermitted)
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                metrics.answered(request, reply);
                counted.complete(reply);
              } else {
                counted.completeExceptionally(failure);
              }
            });
    return counted;
  }

  private CompletableFuture<Reply> changed(
      SlotKey slot, Request request, BooleanSupplier isPermitted)
      throws IOException, InterruptedException {
    try {
      long blockId = slot.replica().blockId();
      return replicas.handle(
          blockId, slot.stripe(), request, () -> requirePermitted(isPermitted, blockId));
    } catch (ReceiptRoomException e) {
      metrics.refusedForRoom();
      throw e;
    }
  }

  /** Whoever asked is answered as to one that was not permitted when it began. */
  private static void requirePermitted(BooleanSupplier isPermitted, long blockId)
      throws IOException {
    if (!isPermitted.getAsBoolean()) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("permitted", false)
              .expected(
                  "a session that has not ended, nor been suspended, while it waited for room")
              .where("block", blockId)
              .message());
    }
  }

  private Reply sessions(long blockId, Set<SessionId> asked) throws IOException {
    Set<SessionId> over = asked.isEmpty() ? Set.of() : ended.over(asked);
    return new Reply.SessionsReply(numbers(replicas.noted(blockId)), numbers(over));
  }

  /** That they are over elsewhere, and have left nothing, is the client's word; not that here. */
  private Reply crossOut(long blockId, Set<SessionId> sessions) throws IOException {
    Set<SessionId> over = ended.over(sessions);
    if (!over.containsAll(sessions)) {
      throw new IOException(
          ErrorMessage.to("cross out sessions")
              .value("sessions", sessions)
              .expected("sessions that are over; of these only " + over + " are")
              .where("block", blockId)
              .message());
    }
    replicas.crossOut(blockId, sessions);
    return new Reply.Done();
  }

  private static Set<SessionId> ids(Set<Long> numbers) {
    return numbers.stream().map(SessionId::new).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<Long> numbers(Set<SessionId> ids) {
    return ids.stream().map(SessionId::value).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void expireLocks(List<HeldLock> locks) {
    for (HeldLock each : locks) {
      try {
        replicas.expireLock(each.slot(), each.lock());
      } catch (IOException e) {
        // Of an engine that does not serve: when it is opened again, locks that were held are EXP.
        LOG.info("Cannot expire {} of {}: {}", each.lock(), each.slot(), e.toString());
      }
    }
  }
}
