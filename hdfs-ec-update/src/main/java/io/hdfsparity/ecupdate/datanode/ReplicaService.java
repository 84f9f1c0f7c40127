/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.net.SlotService;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNode's replicas, for its update channel. That a replica is of the DataNode's block pool
 * is in the grant of a connection. Thread-safe.
 */
record ReplicaService(UpdateReplicas replicas) implements SlotService {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaService.class);

  @Override
  public CompletableFuture<Reply> handle(SlotKey slot, Request request)
      throws IOException, InterruptedException {
    return replicas.handle(slot.replica().blockId(), slot.stripe(), request);
  }

  @Override
  public void expireLocks(long client) {
    try {
      replicas.expireLocks(client);
    } catch (IOException e) {
      // Of an engine that does not serve: when it is opened again, locks that were held are EXP.
      LOG.info("Cannot expire the locks of client {}: {}", client, e.toString());
    }
  }
}
