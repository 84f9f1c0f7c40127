/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

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
  /** Calls that may be abandoned together. */
  static final class Scope {
    private boolean isGivenUp;

    /** What they are answered is not heard any more, and what was lost is not sent again. */
    void giveUp() {
      isGivenUp = true;
    }
  }

  /**
   * A call under way.
   *
   * @param whenLost called each time, before it is sent again
   */
  private record Pending(
      int node,
      Request request,
      int attempt,
      Consumer<Reply> continuation,
      Runnable whenLost,
      Scope scope) {}

  private record Timer(Runnable action, Scope scope) {}

  /** Of all that is never abandoned. */
  private final Scope kept = new Scope();

  private final Map<Long, Pending> pending = new HashMap<>();
  private final Map<Long, Timer> timers = new HashMap<>();
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
    call(node, request, continuation, kept);
  }

  void call(int node, Request request, Consumer<Reply> continuation, Scope scope) {
    emit(register(new Pending(node, request, 0, continuation, () -> {}, scope)));
  }

  /** The same for who wants to know that the answer takes longer, because the call was lost. */
  void call(int node, Request request, Consumer<Reply> continuation, Runnable whenLost) {
    emit(register(new Pending(node, request, 0, continuation, whenLost, kept)));
  }

  /** One request to several nodes; the continuation hears each node's reply. */
  void broadcast(List<Integer> nodes, Request request, NodeReply continuation) {
    List<Output.Send> sends = new ArrayList<>();
    for (int node : nodes) {
      sends.add(
          register(
              new Pending(
                  node, request, 0, reply -> continuation.accept(node, reply), () -> {}, kept)));
    }
    emit(new Output.Broadcast(sends));
  }

  private Output.Send register(Pending call) {
    long id = nextId++;
    pending.put(id, call);
    return new Output.Send(id, call.node, call.request);
  }

  void after(int attempt, Runnable action) {
    after(attempt, action, kept);
  }

  void after(int attempt, Runnable action, Scope scope) {
    long id = nextId++;
    timers.put(id, new Timer(action, scope));
    emit(new Output.StartTimer(id, attempt));
  }

  /** A reply to a call that was abandoned as lost is ignored. */
  void onReply(long id, Reply reply) {
    Pending call = pending.remove(id);
    if (call != null && !call.scope.isGivenUp) {
      call.continuation.accept(reply);
    }
  }

  void onLost(long id) {
    Pending call = pending.remove(id);
    if (call != null && !call.scope.isGivenUp) {
      call.whenLost.run();
      int attempt = call.attempt + 1;
      after(
          attempt,
          () ->
              emit(
                  register(
                      new Pending(
                          call.node,
                          call.request,
                          attempt,
                          call.continuation,
                          call.whenLost,
                          call.scope))),
          call.scope);
    }
  }

  void onTimer(long id) {
    @Nullable Timer timer = timers.remove(id);
    if (timer != null && !timer.scope.isGivenUp) {
      timer.action.run();
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
