/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * What a node serves: {@link io.hdfsparity.ecupdate.storage.BlockEngine#handle}, or several engines
 * and who finds the one that has the replica. Thread-safe.
 */
public interface SlotService {
  /**
   * Answers a request. May block for want of room, and for a disk.
   *
   * @param isPermitted whether it still may be carried out; it is not if that turns false while it
   *     waits for room
   * @return completes with the reply when it may leave
   * @throws IllegalArgumentException for a request that makes no sense; nothing has changed
   * @throws IOException if the replica is not there, or the engine has failed
   */
  CompletableFuture<Reply> handle(SlotKey slot, Request request, BooleanSupplier isPermitted)
      throws IOException, InterruptedException;

  /**
   * Clients that held locks have been gone for some time: these expire, so that others can recover
   * what they left. One that lives after all learns from the nodes that it has lost them.
   *
   * @param locks that were held when the client left, or were asked for
   */
  void expireLocks(List<HeldLock> locks);
}
