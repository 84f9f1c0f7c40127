/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of two stripes in one group, 2-of-4, whose real nodes take a call when the test says so,
 * and whose client runs on the test's thread alone: every order of events can be had. Not
 * thread-safe.
 */
final class SteppedFile implements StripeSession, NodeCalls {
  static final StripeKey STRIPE = new StripeKey(0, 0);
  static final int CELL_BYTES = 4;
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2));
  static final int UNITS = 4;
  static final AjxOptions AJX =
      new AjxOptions(AddMode.PARALLEL, 1, 1, new Failures(1, 1), 3, 10, 10);
  static final UpdaterOptions OPTIONS =
      new UpdaterOptions(new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 1), 0, 8, 1, 100, 100, 1, 1);

  /** A call that no node has seen yet. */
  record Sent(long groupId, int stripe, int unit, Request request, Listener listener) {}

  private record StripeOf(long groupId, int stripe) {}

  /** What the NameNode says, instead of where the group is. */
  interface Locating {
    Located now() throws IOException;
  }

  /** Everything at once, on the caller's thread, but for what is to happen later. */
  static final class Timers extends ScheduledThreadPoolExecutor {
    private final List<Runnable> later = new ArrayList<>();

    Timers() {
      super(
          1,
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      later.add(task);
      return super.schedule(() -> {}, 1, TimeUnit.DAYS);
    }

    /** All back-offs that have been begun are over. */
    void runLater() {
      List<Runnable> due = List.copyOf(later);
      later.clear();
      due.forEach(Runnable::run);
    }
  }

  final Timers timers = new Timers();
  final List<Sent> sent = new ArrayList<>();
  private final Map<StripeOf, List<SlotMachine>> nodes = new HashMap<>();
  private final List<Locating> locatings = new ArrayList<>();
  private Consumer<Sent> whenSent = ignored -> {};
  private long groupId = 1;

  static AjxClient client(long id) {
    return new AjxClient(id, CODE, AJX);
  }

  static Bytes bytes(int value) {
    return Bytes.copyOf(new byte[] {(byte) value});
  }

  /** Of the first byte of the first cell. */
  static SortedMap<Integer, Patch> patches(int value) {
    return new TreeMap<>(Map.of(0, new Patch(0, bytes(value))));
  }

  /** The group gets another id, and nodes that have seen nothing. */
  void replaceGroup() {
    groupId++;
  }

  /** Runs when the next call is sent, on the thread that sends it. */
  void whenSent(Consumer<Sent> hook) {
    whenSent = hook;
  }

  /** For the next question where the group is. */
  void locateNextBy(Locating locating) {
    locatings.add(locating);
  }

  Located located() {
    Map<Integer, UnitLocation> units = new HashMap<>();
    for (int unit = 0; unit < UNITS; unit++) {
      units.put(
          unit,
          new UnitLocation(
              new ReplicaKey("bp", groupId * UNITS + unit),
              new Endpoint("node" + unit, 1, "bp", "")));
    }
    return new Located(groupId, units);
  }

  /** Of the first stripe. */
  SlotMachine node(long group, int unit) {
    return node(group, 0, unit);
  }

  SlotMachine node(long group, int stripe, int unit) {
    return nodes
        .computeIfAbsent(
            new StripeOf(group, stripe),
            id -> {
              List<SlotMachine> made = new ArrayList<>();
              for (int i = 0; i < UNITS; i++) {
                made.add(
                    new SlotMachine(
                        CODE, i, DurableSlot.untouched(), new ArrayContent(new byte[CELL_BYTES])));
              }
              return made;
            })
        .get(unit);
  }

  /** Calls that have been sent, and are the test's now. */
  List<Sent> take() {
    List<Sent> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  void deliver(Sent call) {
    call.listener.answered(node(call.groupId, call.stripe, call.unit).handle(call.request).reply());
  }

  /** Until nothing is sent any more, and nothing is to happen later. */
  void deliverAll() {
    while (!sent.isEmpty() || !timers.later.isEmpty()) {
      take().forEach(this::deliver);
      timers.runLater();
    }
  }

  @Override
  public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
    long replica = slot.replica().blockId();
    Sent call =
        new Sent(replica / UNITS, slot.stripe(), (int) (replica % UNITS), request, listener);
    sent.add(call);
    Consumer<Sent> hook = whenSent;
    whenSent = ignored -> {};
    hook.accept(call);
  }

  @Override
  public void giveUp(Endpoint node, ReplicaKey replica) {}

  @Override
  public FileLayout layout() {
    return new FileLayout(CODE, CELL_BYTES, List.of(new FileLayout.Group(0, 4 * CELL_BYTES)));
  }

  @Override
  public SessionTerms terms() {
    return new SessionTerms(1, new Failures(1, 1), 1_000, 120_000);
  }

  @Override
  public Located locate(int group) throws IOException {
    @Nullable Locating next = locatings.isEmpty() ? null : locatings.remove(0);
    return next == null ? located() : next.now();
  }

  @Override
  public void renew() {}

  @Override
  public void end(OptionalLong lastWriteMs) {}

  /** Nothing hears of groups that were written anew, unless the test does. */
  GroupLocations locations(GroupLocations.Users users) {
    return new GroupLocations(this, this, Runnable::run, timers, /* everyMs= */ 0, users);
  }

  /** Users of groups of which the test wants to know nothing. */
  static class NoUsers implements GroupLocations.Users {
    @Override
    public void over(SessionOverException why) {}

    @Override
    public void restarted(int group, int version) {}

    @Override
    public void yieldNow(int group) {}
  }
}
