/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One round of Fig. 7: discard from old lists what an earlier round retired at all nodes; then
 * retire what has been completed since. The second begins when the first has ended everywhere.
 */
final class GarbageCollection {
  private final AjxClient client;
  private final GarbageLists garbage;
  private int waiting;

  GarbageCollection(AjxClient client, GarbageLists garbage) {
    this.client = client;
    this.garbage = garbage;
  }

  void start() {
    phase(node -> new Request.GcOld(garbage.old(node)), this::retire); // lines 2 to 4
  }

  private void retire() {
    List<List<Tid>> taken = new ArrayList<>();
    for (int node = 0; node < client.shape().blocks(); node++) {
      taken.add(garbage.takeRecent(node));
    }
    phase(
        node -> new Request.GcRecent(taken.get(node)), // lines 5 to 7
        () -> {
          for (int node = 0; node < taken.size(); node++) {
            garbage.retired(node); // line 8
          }
          client.collected();
        });
  }

  private void phase(IntFunction<Request> request, Runnable next) {
    waiting = client.shape().blocks();
    for (int node = 0; node < client.shape().blocks(); node++) {
      ask(node, request.apply(node), 1, next);
    }
  }

  private void ask(int node, Request request, int attempt, Runnable next) {
    client.calls().call(node, request, reply -> onReply(node, request, attempt, next, reply));
  }

  private void onReply(int node, Request request, int attempt, Runnable next, Reply reply) {
    if (reply instanceof Reply.GcRefused refused) {
      // The paper repeats for ever; a node that nobody recovers would never answer otherwise.
      if (attempt >= client.options().tiredAfter() && !refused.lockMode().isHeld()) {
        client.startRecovery();
      }
      client.calls().after(attempt, () -> ask(node, request, attempt + 1, next));
    } else if (--waiting == 0) {
      next.run();
    }
  }
}
