/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where units are: takes calls to them, and looks again when one does not get through. Thread-safe.
 */
final class GroupLocations {
  private static final System.Logger LOG = System.getLogger(GroupLocations.class.getName());

  private final StripeSession session;
  private final NodeCalls calls;
  private final Executor mayBlock;
  private final Executor work;
  private final long everyNanos;
  private final AbsentUnit absent;
  private final Consumer<SessionOverException> onOver;
  private final Map<Integer, Map<Integer, UnitLocation>> known = new HashMap<>();
  private final Map<Integer, Long> lookedNanos = new HashMap<>();
  private final Set<Integer> looking = new HashSet<>();

  /**
   * None is known yet.
   *
   * @param mayBlock for calls to the session
   * @param work for what is answered here
   * @param everyMs at most how often one group is looked up
   * @param onOver told when the session is over
   */
  GroupLocations(
      StripeSession session,
      NodeCalls calls,
      Executor mayBlock,
      Executor work,
      long everyMs,
      Consumer<SessionOverException> onOver) {
    this.onOver = onOver;
    this.session = session;
    this.calls = calls;
    this.mayBlock = mayBlock;
    this.work = work;
    everyNanos = TimeUnit.MILLISECONDS.toNanos(everyMs);
    absent = new AbsentUnit(session.layout().cellBytes());
  }

  /** A call to one unit of a stripe. */
  void call(StripeKey stripe, int unit, Request request, NodeCalls.Listener listener) {
    if (!session.layout().hasUnit(stripe.group(), unit)) {
      work.execute(() -> listener.answered(absent.answer(request)));
      return;
    }
    @Nullable UnitLocation location;
    boolean isKnown;
    synchronized (this) {
      Map<Integer, UnitLocation> group = known.get(stripe.group());
      isKnown = group != null;
      location = group == null ? null : group.get(unit);
    }
    if (location != null) {
      calls.call(
          location.node(),
          new SlotKey(location.replica(), stripe.stripe()),
          request,
          new Watched(listener, stripe.group()));
      return;
    }
    look(stripe.group());
    work.execute(
        () -> {
          if (isKnown) {
            listener.delayed("no node has unit " + unit + " of group " + stripe.group());
          }
          listener.lost("it was not sent: unit " + unit + " of " + stripe + " is not located");
        });
  }

  /**
   * Looks a group up before it is used for the first time, so that no call waits for a back-off.
   */
  void require(int group) throws IOException {
    synchronized (this) {
      if (known.containsKey(group)) {
        return;
      }
    }
    found(group, session.locate(group));
  }

  /** Looks a group up again, unless that was done just now. */
  private void look(int group) {
    synchronized (this) {
      Long last = lookedNanos.get(group);
      if (last != null && System.nanoTime() - last < everyNanos || !looking.add(group)) {
        return;
      }
      lookedNanos.put(group, System.nanoTime());
    }
    try {
      mayBlock.execute(() -> lookNow(group));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed", e);
    }
  }

  private void lookNow(int group) {
    try {
      found(group, session.locate(group));
    } catch (SessionOverException e) {
      onOver.accept(e);
    } catch (IOException | RuntimeException e) {
      // The call that asked for it goes on, and asks again.
      LOG.log(Level.WARNING, "Cannot locate block group " + group + " of an updated file", e);
    } finally {
      synchronized (this) {
        looking.remove(group);
      }
    }
  }

  private void found(int group, Map<Integer, UnitLocation> located) {
    Map<Integer, UnitLocation> before;
    synchronized (this) {
      before = known.put(group, Map.copyOf(located));
      lookedNanos.put(group, System.nanoTime());
    }
    if (before != null) {
      before.forEach(
          (unit, place) -> {
            if (!place.equals(located.get(unit)) && located.get(unit) != null) {
              calls.giveUp(place.node(), place.replica());
            }
          });
    }
  }

  /** Looks again when a call is delayed. */
  private final class Watched implements NodeCalls.Listener {
    private final NodeCalls.Listener listener;
    private final int group;

    Watched(NodeCalls.Listener listener, int group) {
      this.listener = listener;
      this.group = group;
    }

    @Override
    public void answered(Reply reply) {
      listener.answered(reply);
    }

    @Override
    public void lost(String why) {
      listener.lost(why);
    }

    @Override
    public void failed(String why) {
      listener.failed(why);
    }

    @Override
    public void delayed(String why) {
      listener.delayed(why);
      look(group);
    }
  }
}
