/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives AJX's client of one stripe with threads: every input under its lock, outputs carried out
 * behind it. When a node refuses a call the machine cannot continue: all that was asked fails, and
 * from then on it is, to the protocol, a client that has crashed.
 *
 * <p>When the group was rewritten, another machine takes the place of the first, and all that was
 * asked and has not ended is asked of it, in the same order: each machine belongs to one version of
 * the group, and nothing that an earlier one still says is heard. What has been reported to have
 * ended is never done again, for others may have written over it. Thread-safe.
 */
final class StripeDriver {
  /** What somebody waits for, and how a machine is asked for it. */
  private record Operation(
      CompletableFuture<Bytes> done, BiFunction<AjxClient, Long, List<Output>> begin) {}

  /**
   * What a machine has said, to be carried out behind the lock.
   *
   * @param of the version of the group that it belongs to
   * @param ended notified last, and whatever becomes of the rest
   */
  private record Step(int of, List<Output> outputs, List<Runnable> ended) {}

  /** What is tried so often takes longer than others would keep a stripe locked. */
  private static final int LOOK_AFTER_ATTEMPTS = 10;

  private final StripeKey stripe;
  private final GroupLocations nodes;
  private final ScheduledExecutorService timers;
  private final int maxBackOffMs;
  private final Runnable whenSwapLost;

  /** In the order in which they were asked for. */
  private final SortedMap<Long, Operation> operations = new TreeMap<>();

  private final List<CompletableFuture<Boolean>> probes = new ArrayList<>();
  private final List<CompletableFuture<Void>> collections = new ArrayList<>();
  private final List<CompletableFuture<Void>> idlers = new ArrayList<>();
  private AjxClient machine;
  private int version;
  private long nextOperation;
  private @Nullable IOException failure;
  private String trouble = "";

  /**
   * Begins.
   *
   * @param version of the group that the machine belongs to
   * @param whenSwapLost called on a thread of {@code timers}: the node may have no room for what a
   *     write replaces before earlier ones were collected
   */
  StripeDriver(
      StripeKey stripe,
      int version,
      AjxClient machine,
      GroupLocations nodes,
      ScheduledExecutorService timers,
      int maxBackOffMs,
      Runnable whenSwapLost) {
    this.stripe = stripe;
    this.version = version;
    this.machine = machine;
    this.nodes = nodes;
    this.timers = timers;
    this.maxBackOffMs = maxBackOffMs;
    this.whenSwapLost = whenSwapLost;
  }

  StripeKey stripe() {
    return stripe;
  }

  /** Writes of one stripe are carried out in the order in which they are asked for. */
  CompletableFuture<Bytes> write(SortedMap<Integer, Patch> patches) {
    return operation((client, operation) -> client.write(operation, patches));
  }

  CompletableFuture<Bytes> read(int block, int offset, int lengthBytes) {
    return operation((client, operation) -> client.read(operation, block, offset, lengthBytes));
  }

  private CompletableFuture<Bytes> operation(BiFunction<AjxClient, Long, List<Output>> begin) {
    CompletableFuture<Bytes> done = new CompletableFuture<>();
    Step step;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      long operation = nextOperation++;
      operations.put(operation, new Operation(done, begin));
      step = step(begin.apply(machine, operation));
    }
    carryOut(step);
    return done;
  }

  /**
   * The group was rewritten.
   *
   * @param fresh takes over
   * @param now the version of the group that it belongs to; of no effect unless it is a later one
   */
  void restart(AjxClient fresh, int now) {
    Step step;
    synchronized (this) {
      if (failure != null || now <= version) {
        return;
      }
      List<Output> outputs = new ArrayList<>();
      machine = fresh;
      version = now;
      trouble = "";
      operations.forEach((operation, asked) -> outputs.addAll(asked.begin.apply(fresh, operation)));
      if (!probes.isEmpty()) {
        outputs.addAll(fresh.probe());
      }
      if (!collections.isEmpty()) {
        outputs.addAll(fresh.collectGarbage());
      }
      step = step(outputs);
    }
    carryOut(step);
  }

  /** As {@link AjxClient#yieldNow}. */
  void yieldNow() {
    Step step;
    synchronized (this) {
      if (failure != null) {
        return;
      }
      step = step(machine.yieldNow());
    }
    carryOut(step);
  }

  /** Ends with whether nothing had to be recovered. */
  CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Step step;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      probes.add(done);
      step = step(machine.probe());
    }
    carryOut(step);
    return done;
  }

  /** One round; joins the one that is under way if there is one. */
  CompletableFuture<Void> collectGarbage() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Step step;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      collections.add(done);
      step = step(machine.collectGarbage());
    }
    carryOut(step);
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

  /** Of the group: the one in which it is at work, or has failed. */
  synchronized int version() {
    return version;
  }

  /** What kept a call last; empty if nothing has. */
  synchronized String trouble() {
    return trouble;
  }

  /** For messages about one that is not finished. */
  synchronized String state() {
    return failure != null
        ? String.valueOf(failure.getMessage())
        : stripe
            + ": idle="
            + machine.isIdle()
            + ", identifiers not collected="
            + machine.uncollected()
            + ", last trouble="
            + (trouble.isEmpty() ? "none" : trouble);
  }

  private void input(int of, Function<AjxClient, List<Output>> input) {
    try {
      Step step;
      synchronized (this) {
        if (of != version) {
          return;
        }
        step = step(failure != null ? List.of() : input.apply(machine));
      }
      carryOut(step);
    } catch (RuntimeException e) {
      fail("the protocol's client failed: " + e, e);
    }
  }

  /**
   * Takes what has ended, while the lock is held in which the machine has said so: if it were still
   * there when the group was rewritten, it would be done again, after others may have written over
   * it.
   */
  private synchronized Step step(List<Output> outputs) {
    List<Runnable> ended = new ArrayList<>();
    for (Output output : outputs) {
      if (output instanceof Output.ReadDone done) {
        ended.add(end(done.operation(), done.bytes()));
      } else if (output instanceof Output.WriteDone done) {
        ended.add(end(done.operation(), Bytes.zeros(0)));
      } else if (output instanceof Output.Probed done) {
        ended.add(end(probes, probe -> probe.complete(done.isHealthy())));
      } else if (output instanceof Output.GarbageCollected) {
        ended.add(end(collections, collection -> collection.complete(null)));
      } else if (output instanceof Output.RecoveryEnded recovery
          && recovery.result() == Output.RecoveryResult.STUCK) {
        trouble = "a recovery is stuck: " + recovery.detail();
      }
    }
    if (machine.isIdle()) {
      ended.add(end(idlers, idler -> idler.complete(null)));
    }
    return new Step(version, outputs, ended);
  }

  /** Nobody's, if it has failed before. */
  private synchronized Runnable end(long operation, Bytes bytes) {
    @Nullable Operation taken = operations.remove(operation);
    return taken == null ? () -> {} : () -> taken.done.complete(bytes);
  }

  private static <T> Runnable end(List<T> from, Consumer<T> how) {
    List<T> taken = List.copyOf(from);
    from.clear();
    return () -> taken.forEach(how);
  }

  /** Not under the lock. */
  private void carryOut(Step step) {
    try {
      for (Output output : step.outputs) {
        if (output instanceof Output.Send send) {
          send(step.of, send);
        } else if (output instanceof Output.Broadcast broadcast) {
          broadcast.sends().forEach(send -> send(step.of, send));
        } else if (output instanceof Output.StartTimer timer) {
          start(step.of, timer);
        }
      }
    } finally {
      step.ended.forEach(Runnable::run);
    }
  }

  /** Of an earlier version, it keeps nothing from going on. */
  private synchronized void trouble(int of, String why) {
    if (of == version) {
      trouble = why;
    }
  }

  private void start(int of, Output.StartTimer timer) {
    if (timer.attempt() >= LOOK_AFTER_ATTEMPTS) {
      // Its nodes answer, and admit nobody: for good, if the group was rewritten.
      nodes.look(stripe.group());
    }
    int longest = Math.min(maxBackOffMs, 1 << Math.min(timer.attempt(), 20));
    int delayMs = ThreadLocalRandom.current().nextInt(longest + 1);
    try {
      timers.schedule(
          () -> input(of, client -> client.onTimer(timer.timer())), delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      fail("the updater was closed", e);
    }
  }

  private void send(int of, Output.Send send) {
    nodes.call(stripe, of, send.node(), send.request(), new Answers(of, send));
  }

  /** The session is over, or something else keeps this from going on. */
  void fail(IOException why) {
    fail(String.valueOf(why.getMessage()), why);
  }

  private void failVersion(int of, String why) {
    fail(why, null, () -> of == version);
  }

  private void fail(String why, @Nullable Throwable cause) {
    fail(why, cause, () -> true);
  }

  /** Looks at what must be so under the lock. */
  private void fail(String why, @Nullable Throwable cause, BooleanSupplier isWanted) {
    List<CompletableFuture<?>> left = new ArrayList<>();
    IOException first;
    synchronized (this) {
      if (!isWanted.getAsBoolean()) {
        return;
      }
      if (failure == null) {
        failure = new IOException("Cannot continue with " + stripe + ": " + why, cause);
      }
      first = failure;
      operations.values().forEach(operation -> left.add(operation.done));
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
    private final int of;
    private final long call;
    private final boolean isSwap;

    Answers(int of, Output.Send send) {
      this.of = of;
      call = send.call();
      isSwap = send.request() instanceof Request.Swap;
    }

    @Override
    public void answered(Reply reply) {
      later(() -> input(of, client -> client.onReply(call, reply)));
    }

    @Override
    public void lost(String why) {
      trouble(of, why);
      later(
          () -> {
            input(of, client -> client.onLost(call));
            if (isSwap) {
              whenSwapLost.run();
            }
          });
    }

    @Override
    public void failed(String why) {
      failVersion(of, why);
    }

    @Override
    public void delayed(String why) {
      trouble(of, why);
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
