/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx.client;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which reply and which timer. A call that was lost is sent again after a back-off,
 * until it is answered: operations never see loss. Not thread-safe.
 */
final class Calls {
  private record Pending(int node, Request request, int attempt, Consumer<Reply> continuation) {}

  private final Map<Long, Pending> pending = new HashMap<>();
  private final Map<Long, Runnable> timers = new HashMap<>();
  private List<Output> outputs = new ArrayList<>();
  private long nextId;

  void emit(Output output) {
    outputs.add(output);
  }

  List<Output> drain() {
    List<Output> drained = outputs;
    outputs = new ArrayList<>();
    return drained;
  }

  void call(int node, Request request, Consumer<Reply> continuation) {
    emit(register(new Pending(node, request, 0, continuation)));
  }

  /** One request to several nodes; the continuation hears each node's reply. */
  void broadcast(List<Integer> nodes, Request request, NodeReply continuation) {
    List<Output.Send> sends = new ArrayList<>();
    for (int node : nodes) {
      sends.add(register(new Pending(node, request, 0, reply -> continuation.accept(node, reply))));
    }
    emit(new Output.Broadcast(sends));
  }

  private Output.Send register(Pending call) {
    long id = nextId++;
    pending.put(id, call);
    return new Output.Send(id, call.node, call.request);
  }

  void after(int attempt, Runnable action) {
    long id = nextId++;
    timers.put(id, action);
    emit(new Output.StartTimer(id, attempt));
  }

  /** A reply to a call that was given up as lost is ignored. */
  void onReply(long id, Reply reply) {
    Pending call = pending.remove(id);
    if (call != null) {
      call.continuation.accept(reply);
    }
  }

  void onLost(long id) {
    Pending call = pending.remove(id);
    if (call != null) {
      int attempt = call.attempt + 1;
      after(
          attempt,
          () -> emit(register(new Pending(call.node, call.request, attempt, call.continuation))));
    }
  }

  void onTimer(long id) {
    @Nullable Runnable action = timers.remove(id);
    if (action != null) {
      action.run();
    }
  }

  boolean isIdle() {
    return pending.isEmpty() && timers.isEmpty();
  }

  /** Hears the reply of one of several nodes. */
  @FunctionalInterface
  interface NodeReply {
    void accept(int node, Reply reply);
  }
}
