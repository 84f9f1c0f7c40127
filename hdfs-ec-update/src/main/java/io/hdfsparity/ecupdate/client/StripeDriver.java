/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.client.AjxClient;
import io.hdfsparity.ecupdate.ajx.client.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives AJX's client of one stripe with threads: every input under its lock, outputs carried out
 * behind it. When a node refuses a call the machine cannot go on: all that was asked fails, and
 * from then on it is, to the protocol, a client that has crashed. Thread-safe.
 */
final class StripeDriver {
  private final StripeKey stripe;
  private final AjxClient machine;
  private final GroupLocations nodes;
  private final ScheduledExecutorService timers;
  private final int longestBackOffMs;
  private final Map<Long, CompletableFuture<Bytes>> operations = new HashMap<>();
  private final List<CompletableFuture<Boolean>> probes = new ArrayList<>();
  private final List<CompletableFuture<Void>> collections = new ArrayList<>();
  private final List<CompletableFuture<Void>> idlers = new ArrayList<>();
  private long nextOperation;
  private @Nullable IOException failure;
  private String trouble = "";

  StripeDriver(
      StripeKey stripe,
      AjxClient machine,
      GroupLocations nodes,
      ScheduledExecutorService timers,
      int longestBackOffMs) {
    this.stripe = stripe;
    this.machine = machine;
    this.nodes = nodes;
    this.timers = timers;
    this.longestBackOffMs = longestBackOffMs;
  }

  StripeKey stripe() {
    return stripe;
  }

  /** Writes of one stripe are carried out in the order in which they are asked for. */
  CompletableFuture<Bytes> write(SortedMap<Integer, Patch> patches) {
    return operation(operation -> machine.write(operation, patches));
  }

  CompletableFuture<Bytes> read(int block, int offset, int lengthBytes) {
    return operation(operation -> machine.read(operation, block, offset, lengthBytes));
  }

  private CompletableFuture<Bytes> operation(Function<Long, List<Output>> begin) {
    CompletableFuture<Bytes> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      long operation = nextOperation++;
      operations.put(operation, done);
      outputs = begin.apply(operation);
    }
    carryOut(outputs);
    return done;
  }

  /** Ends with whether nothing had to be recovered. */
  CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      probes.add(done);
      outputs = machine.probe();
    }
    carryOut(outputs);
    return done;
  }

  /** One round; joins the one that is under way if there is one. */
  CompletableFuture<Void> collectGarbage() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    List<Output> outputs;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      collections.add(done);
      outputs = machine.collectGarbage();
    }
    carryOut(outputs);
    return done;
  }

  /** Ends when nothing is under way, no recovery either. */
  CompletableFuture<Void> whenIdle() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      if (failure == null && !machine.isIdle()) {
        idlers.add(done);
        return done;
      }
    }
    done.complete(null);
    return done;
  }

  /** Identifiers of complete writes, over all nodes, that nodes still keep. */
  synchronized int uncollected() {
    return machine.uncollected();
  }

  /** Whether all that was asked has ended, and nothing of it is left on any node. */
  synchronized boolean isFinished() {
    return failure == null && machine.isIdle() && machine.uncollected() == 0;
  }

  synchronized boolean hasFailed() {
    return failure != null;
  }

  /** What kept a call last; empty if nothing has. */
  synchronized String trouble() {
    return trouble;
  }

  private void input(Function<AjxClient, List<Output>> input) {
    List<Output> outputs;
    try {
      List<CompletableFuture<Void>> idle = List.of();
      synchronized (this) {
        outputs = failure != null ? List.of() : input.apply(machine);
        if (machine.isIdle()) {
          idle = taken(idlers);
        }
      }
      carryOut(outputs);
      idle.forEach(idler -> idler.complete(null));
    } catch (RuntimeException e) {
      fail("the protocol's client failed: " + e, e);
    }
  }

  private void carryOut(List<Output> outputs) {
    for (Output output : outputs) {
      if (output instanceof Output.Send send) {
        send(send);
      } else if (output instanceof Output.Broadcast broadcast) {
        broadcast.sends().forEach(this::send);
      } else if (output instanceof Output.StartTimer timer) {
        start(timer);
      } else if (output instanceof Output.ReadDone done) {
        take(done.operation()).complete(done.bytes());
      } else if (output instanceof Output.WriteDone done) {
        take(done.operation()).complete(Bytes.zeros(0));
      } else if (output instanceof Output.Probed done) {
        taken(probes).forEach(probe -> probe.complete(done.isHealthy()));
      } else if (output instanceof Output.GarbageCollected) {
        taken(collections).forEach(collection -> collection.complete(null));
      } else if (output instanceof Output.RecoveryEnded ended
          && ended.result() == Output.RecoveryResult.STUCK) {
        trouble("a recovery is stuck: " + ended.detail());
      }
    }
  }

  private synchronized CompletableFuture<Bytes> take(long operation) {
    CompletableFuture<Bytes> taken = operations.remove(operation);
    return taken == null ? new CompletableFuture<>() : taken;
  }

  private synchronized <T> List<T> taken(List<T> from) {
    List<T> taken = List.copyOf(from);
    from.clear();
    return taken;
  }

  private synchronized void trouble(String why) {
    trouble = why;
  }

  private void start(Output.StartTimer timer) {
    int longest = Math.min(longestBackOffMs, 1 << Math.min(timer.attempt(), 20));
    int delayMs = ThreadLocalRandom.current().nextInt(longest + 1);
    try {
      timers.schedule(
          () -> input(client -> client.onTimer(timer.timer())), delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      fail("the updater was closed", e);
    }
  }

  private void send(Output.Send send) {
    nodes.call(stripe, send.node(), send.request(), new Answers(send.call()));
  }

  /** The session is over. */
  void fail(SessionOverException why) {
    fail(String.valueOf(why.getMessage()), why);
  }

  private void fail(String why, @Nullable Throwable cause) {
    List<CompletableFuture<?>> left = new ArrayList<>();
    IOException first;
    synchronized (this) {
      if (failure == null) {
        failure = new IOException("Cannot go on with " + stripe + ": " + why, cause);
      }
      first = failure;
      left.addAll(operations.values());
      left.addAll(probes);
      left.addAll(collections);
      left.addAll(idlers);
      idlers.clear();
      operations.clear();
      probes.clear();
      collections.clear();
    }
    left.forEach(operation -> operation.completeExceptionally(first));
  }

  /** To one call. */
  private final class Answers implements NodeCalls.Listener {
    private final long call;

    Answers(long call) {
      this.call = call;
    }

    @Override
    public void answered(Reply reply) {
      later(() -> input(client -> client.onReply(call, reply)));
    }

    @Override
    public void lost(String why) {
      trouble(why);
      later(() -> input(client -> client.onLost(call)));
    }

    @Override
    public void failed(String why) {
      fail(why, null);
    }

    @Override
    public void delayed(String why) {
      trouble(why);
    }

    private void later(Runnable task) {
      try {
        timers.execute(task);
      } catch (RejectedExecutionException e) {
        fail("the updater was closed", e);
      }
    }
  }
}
