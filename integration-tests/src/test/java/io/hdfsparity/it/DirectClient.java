/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A client of AJX for one stripe, over {@link MiniUpdates}'s direct calls. Thread-safe. */
final class DirectClient {
  private static final AjxOptions OPTIONS =
      new AjxOptions(AddMode.PARALLEL, 1, 1, new Bounds.Failures(1, 1), 20, 500, 3);
  private static final int MAX_BACK_OFF_MS = 50;

  private final MiniUpdates cluster;
  private final MiniUpdates.Group group;
  private final int stripe;
  private final AjxClient machine;
  private final ScheduledExecutorService timers;
  private final Random random;
  private final Map<Long, CompletableFuture<Bytes>> operations = new HashMap<>();
  private CompletableFuture<Boolean> probed = CompletableFuture.completedFuture(true);
  private long nextOperation;

  DirectClient(
      MiniUpdates cluster,
      MiniUpdates.Group group,
      int stripe,
      long id,
      ScheduledExecutorService timers) {
    this.cluster = cluster;
    this.group = group;
    this.stripe = stripe;
    this.timers = timers;
    machine = new AjxClient(id, MiniUpdates.CODE, OPTIONS);
    random = new Random(id);
  }

  /** Ends with an empty run of bytes. */
  CompletableFuture<Bytes> write(int block, Patch patch) {
    return operation(operation -> machine.write(operation, new TreeMap<>(Map.of(block, patch))));
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

  void collectGarbage() {
    input(AjxClient::collectGarbage);
  }

  /** Ends with whether nothing had to be recovered. */
  CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      probed = done;
      outputs = machine.probe();
    }
    carryOut(outputs);
    return done;
  }

  private void input(Function<AjxClient, List<Output>> input) {
    List<Output> outputs;
    synchronized (this) {
      outputs = input.apply(machine);
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
    cluster.call(
        group,
        send.node(),
        stripe,
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
