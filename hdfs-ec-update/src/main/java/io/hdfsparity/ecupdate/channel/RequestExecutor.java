/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Executes requests of connections, and knows whose are being executed. Thread-safe. */
final class RequestExecutor {
  private final SlotService service;
  private final Running running = new Running();

  RequestExecutor(SlotService service) {
    this.service = service;
  }

  /**
   * Executes a request, on the calling thread. May block.
   *
   * @param permit of the connection
   * @param answer takes what is sent back, once, perhaps later and on another thread
   */
  void execute(
      Message.Ask ask,
      ChannelAccess.Grant grant,
      ConnectionPermits.Permit permit,
      Consumer<Message> answer) {
    running.begin(grant);
    try {
      // Again: whoever takes a right away waits only for those who have begun.
      if (!RequestRules.isPermitted(ask, grant)) {
        answer.accept(new Message.Failure(ask.call(), "the token's permission was revoked"));
        return;
      }
      handle(permit.locks(), ask, grant)
          .whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  permit.locks().answered(ask.slot(), ask.request(), reply);
                  answer.accept(new Message.Answer(ask.call(), reply));
                } else {
                  answer.accept(new Message.Failure(ask.call(), String.valueOf(failure)));
                }
              });
    } catch (IllegalArgumentException e) {
      answer.accept(new Message.Refusal(ask.call(), String.valueOf(e.getMessage())));
    } catch (IOException | RuntimeException | Error e) {
      answer.accept(new Message.Failure(ask.call(), e.toString()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.accept(new Message.Failure(ask.call(), "the node stops"));
    } finally {
      running.end(grant);
    }
  }

  private CompletableFuture<Reply> handle(
      HeldLocks locks, Message.Ask ask, ChannelAccess.Grant grant)
      throws IOException, InterruptedException {
    boolean isNewLock = locks.asked(ask.slot(), ask.request());
    try {
      return service.handle(ask.slot(), ask.request(), () -> RequestRules.isPermitted(ask, grant));
    } catch (IllegalArgumentException e) {
      locks.refused(ask.slot(), ask.request(), isNewLock);
      throw e;
    }
  }

  /** Expires locks of clients that are gone. */
  void expireLocks(List<HeldLock> locks) {
    service.expireLocks(locks);
  }

  /** As {@link Running#awaitNone}. */
  boolean awaitNone(Predicate<ChannelAccess.Grant> grants, long maxMs) throws InterruptedException {
    return running.awaitNone(grants, maxMs);
  }

  /** As {@link Running#all}. */
  List<ChannelAccess.Grant> running() {
    return running.all();
  }
}
