/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives one client's machine of one stripe with threads, for tests of any module: every input
 * under its lock, outputs carried out behind it. Thread-safe.
 */
public final class ThreadedStripeClient {
  private static final AjxOptions OPTIONS =
      new AjxOptions(AddMode.PARALLEL, 1, 1, new Bounds.Failures(1, 1), 20, 500, 3);
  private static final int MAX_BACK_OFF_MS = 20;

  private final Nodes nodes;
  private final AjxClient machine;
  private final ScheduledExecutorService timers;
  private final Random random;
  private final Map<Long, CompletableFuture<Bytes>> operations = new HashMap<>();
  private CompletableFuture<Boolean> probed = CompletableFuture.completedFuture(true);
  private long nextOperation;
  private boolean isDead;

  /** The nodes of one stripe. */
  @FunctionalInterface
  public interface Nodes {
    /**
     * Sends a request to the node of a block.
     *
     * @param answer hears the reply, or null when the request is lost and will not be executed
     */
    void call(int block, Request request, Consumer<@Nullable Reply> answer);
  }

  /**
   * @param id of the client
   * @param timers carry out timers, and take replies
   */
  public ThreadedStripeClient(
      Nodes nodes, long id, StripeCode code, ScheduledExecutorService timers) {
    this.nodes = nodes;
    this.timers = timers;
    machine = new AjxClient(id, code, OPTIONS);
    random = new Random(id);
  }

  /** Ends with an empty run of bytes. */
  public CompletableFuture<Bytes> write(SortedMap<Integer, Patch> patches) {
    return operation(operation -> machine.write(operation, patches));
  }

  /** Ends with the bytes. */
  public CompletableFuture<Bytes> read(int block, int offset, int lengthBytes) {
    return operation(operation -> machine.read(operation, block, offset, lengthBytes));
  }

  private CompletableFuture<Bytes> operation(Function<Long, List<Output>> begin) {
    CompletableFuture<Bytes> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      long operation = nextOperation++;
      operations.put(operation, done);
      outputs = begin.apply(operation);
    }
    carryOut(outputs);
    return done;
  }

  /** Lets the nodes forget what is finished. */
  public void collectGarbage() {
    input(AjxClient::collectGarbage);
  }

  /** Ends with whether nothing had to be recovered. */
  public CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      probed = done;
      outputs = machine.probe();
    }
    carryOut(outputs);
    return done;
  }

  /** Never heard of again. */
  public synchronized void kill() {
    isDead = true;
  }

  private void input(Function<AjxClient, List<Output>> input) {
    List<Output> outputs;
    synchronized (this) {
      outputs = isDead ? List.of() : input.apply(machine);
    }
    carryOut(outputs);
  }

  private void carryOut(List<Output> outputs) {
    for (Output output : outputs) {
      if (output instanceof Output.Send send) {
        send(send);
      } else if (output instanceof Output.Broadcast broadcast) {
        broadcast.sends().forEach(this::send);
      } else if (output instanceof Output.StartTimer timer) {
        int longest = Math.min(MAX_BACK_OFF_MS, 1 << Math.min(timer.attempt(), 10));
        int delayMs;
        synchronized (this) {
          delayMs = random.nextInt(longest + 1);
        }
        timers.schedule(
            () -> input(client -> client.onTimer(timer.timer())), delayMs, TimeUnit.MILLISECONDS);
      } else if (output instanceof Output.ReadDone done) {
        take(done.operation()).complete(done.bytes());
      } else if (output instanceof Output.WriteDone done) {
        take(done.operation()).complete(Bytes.zeros(0));
      } else if (output instanceof Output.Probed done) {
        takeProbe().complete(done.isHealthy());
      }
    }
  }

  private synchronized CompletableFuture<Bytes> take(long operation) {
    return operations.remove(operation);
  }

  private synchronized CompletableFuture<Boolean> takeProbe() {
    return probed;
  }

  private void send(Output.Send send) {
    nodes.call(
        send.node(),
        send.request(),
        reply ->
            timers.execute(
                () ->
                    input(
                        client ->
                            reply == null
                                ? client.onLost(send.call())
                                : client.onReply(send.call(), reply))));
  }
}
