/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where units are: takes calls to them, and looks again when one does not get through. Thread-safe.
 *
 * <p>A group may be rewritten, under other ids: each such <b>version</b> of it has its own callers,
 * and what one of an earlier version still sends goes nowhere: a write whose first half was made in
 * one version and whose second half in another would spoil the stripe.
 */
final class GroupLocations {
  private static final System.Logger LOG = System.getLogger(GroupLocations.class.getName());

  /** Who uses groups. */
  interface Users {
    /** The session is over. */
    void over(SessionOverException why);

    /** A group was rewritten: what is under way is to be done again. */
    void restarted(int group, int version);

    /** Recoveries in a group are to let their locks go, and writes not to wait for lost nodes. */
    void yieldNow(int group);
  }

  /**
   * A group as it was located last.
   *
   * @param version counts how often it was rewritten since it was located first
   * @param units those that a DataNode has now
   * @param last where units of this version were when they were located last: calls may still be on
   *     their way there
   */
  private record Known(
      int version, long id, Map<Integer, UnitLocation> units, Map<Integer, UnitLocation> last) {}

  private final StripeSession session;
  private final NodeCalls calls;
  private final Executor mayBlock;
  private final ScheduledExecutorService work;
  private final long everyNanos;
  private final AbsentUnit absent;
  private final Users users;
  private final Map<Integer, Known> known = new HashMap<>();
  private final Map<Integer, Long> lookedNanos = new HashMap<>();
  private final GroupHealings healings;

  /** How often a group was found to be another one. */
  private int rewrites;

  /** Groups that are being looked up, and who waits for that: notified whether it could be. */
  private final Map<Integer, List<Consumer<Boolean>>> looking = new HashMap<>();

  /** Who came while a group was being looked up, and needs to know what is said from then on. */
  private final Map<Integer, List<Consumer<Boolean>>> toLookAgain = new HashMap<>();

  /**
   * None is known yet.
   *
   * @param mayBlock for calls to the session
   * @param work for what is answered here
   * @param everyMs at most how often one group is looked up
   */
  GroupLocations(
      StripeSession session,
      NodeCalls calls,
      Executor mayBlock,
      ScheduledExecutorService work,
      long everyMs,
      Users users) {
    this.users = users;
    this.session = session;
    this.calls = calls;
    this.mayBlock = mayBlock;
    this.work = work;
    everyNanos = TimeUnit.MILLISECONDS.toNanos(everyMs);
    absent = new AbsentUnit(session.layout().cellBytes());
    healings =
        new GroupHealings(
            session::heal,
            mayBlock,
            work,
            users::yieldNow,
            // Also when it has failed: somebody else may have been at it.
            (group, then) -> look(group, isKnown -> then.run()));
  }

  /** Of a group that was {@link #require}d. */
  synchronized int version(int group) {
    Known now = known.get(group);
    return now == null ? 0 : now.version;
  }

  /**
   * A call to one unit of a stripe.
   *
   * @param version of the group that the caller knows
   */
  void call(StripeKey stripe, int version, int unit, Request request, NodeCalls.Listener listener) {
    if (!session.layout().hasUnit(stripe.group(), unit)) {
      work.execute(() -> listener.answered(absent.answer(request)));
      return;
    }
    @Nullable Known group;
    synchronized (this) {
      group = known.get(stripe.group());
    }
    if (group != null && group.version != version) {
      work.execute(() -> listener.lost("it was not sent: the group was rewritten"));
      return;
    }
    @Nullable UnitLocation location = group == null ? null : group.units.get(unit);
    if (location != null) {
      calls.call(
          location.node(),
          new SlotKey(location.replica(), stripe.stripe()),
          request,
          new Watched(listener, stripe.group(), version));
      return;
    }
    boolean isKnown = group != null;
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
    StripeSession.Located located;
    try {
      located = session.locate(group);
    } catch (SessionOverException e) {
      users.over(e);
      throw e;
    }
    synchronized (this) {
      // Somebody may have been faster, and the group may have been rewritten since then: what
      // was said here first would look like yet another version of it.
      if (!known.containsKey(group)) {
        known.put(group, new Known(0, located.id(), located.units(), located.units()));
        lookedNanos.put(group, System.nanoTime());
      }
    }
  }

  /** Looks a group up again, unless that was done just now. */
  void look(int group) {
    synchronized (this) {
      Long last = lookedNanos.get(group);
      if (last != null && System.nanoTime() - last < everyNanos || looking.containsKey(group)) {
        return;
      }
    }
    look(group, isKnown -> {});
  }

  /**
   * Looks a group up again, by a question that is asked from now on, and does something then. One
   * question at a time: no older answer comes after a newer one.
   */
  private void look(int group, Consumer<Boolean> then) {
    synchronized (this) {
      if (looking.containsKey(group)) {
        toLookAgain.computeIfAbsent(group, index -> new ArrayList<>()).add(then);
        return;
      }
      looking.put(group, new ArrayList<>(List.of(then)));
    }
    beginLook(group);
  }

  private void beginLook(int group) {
    synchronized (this) {
      lookedNanos.put(group, System.nanoTime());
    }
    try {
      mayBlock.execute(() -> lookNow(group));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed", e);
      looked(group, /* isKnown= */ false);
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more: the call that asked for it asks again.
      LOG.log(Level.WARNING, "Cannot look up block group " + group + " of an updated file", e);
      looked(group, /* isKnown= */ false);
    }
  }

  private void lookNow(int group) {
    boolean isKnown = false;
    try {
      StripeSession.Located located = session.locate(group);
      found(group, located);
      if (isLacking(group, located)) {
        healings.heal(group);
      }
      isKnown = true;
    } catch (SessionOverException e) {
      users.over(e);
    } catch (IOException e) {
      // The call that asked for it continues, and asks again: DataNodes may be restarting.
      LOG.log(
          Level.WARNING,
          "Cannot locate block group " + group + " of an updated file; it is tried again: " + e);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot locate block group " + group + " of an updated file", e);
    } finally {
      looked(group, isKnown);
    }
  }

  private void looked(int group, boolean isKnown) {
    List<Consumer<Boolean>> waiting;
    List<Consumer<Boolean>> next;
    synchronized (this) {
      waiting = looking.remove(group);
      next = toLookAgain.remove(group);
      if (next != null) {
        looking.put(group, next);
      }
    }
    if (next != null) {
      beginLook(group);
    }
    if (waiting != null) {
      waiting.forEach(waiter -> waiter.accept(isKnown));
    }
  }

  private boolean isLacking(int group, StripeSession.Located located) {
    return IntStream.range(0, session.layout().code().shape().blocks())
        .anyMatch(
            unit -> session.layout().hasUnit(group, unit) && !located.units().containsKey(unit));
  }

  /** Counts how often groups were found rewritten, by whomever. */
  synchronized int rewrites() {
    return rewrites;
  }

  /** What is being healed. */
  GroupHealings healings() {
    return healings;
  }

  private void found(int group, StripeSession.Located located) {
    @Nullable Known before;
    Known now;
    synchronized (this) {
      before = known.get(group);
      int version = 0;
      Map<Integer, UnitLocation> last = new HashMap<>();
      if (before != null && before.id == located.id()) {
        version = before.version;
        last.putAll(before.last);
      } else if (before != null) {
        version = before.version + 1;
        rewrites++;
      }
      last.putAll(located.units());
      now = new Known(version, located.id(), located.units(), last);
      known.put(group, now);
      lookedNanos.put(group, System.nanoTime());
    }
    if (before == null) {
      return;
    }
    // A unit that no DataNode has may come back to where it was: its calls continue waiting.
    before.last.forEach(
        (unit, place) -> {
          if (!place.equals(now.last.get(unit))) {
            calls.giveUp(place.node(), place.replica());
          }
        });
    if (before.version != now.version) {
      LOG.log(Level.INFO, "Block group " + group + " of an updated file was rewritten");
      users.restarted(group, now.version);
      session.following(group, now.id);
    }
  }

  /** Looks again when a call is delayed, or refused for good: the group may be another by now. */
  private final class Watched implements NodeCalls.Listener {
    private final NodeCalls.Listener listener;
    private final int group;
    private final int version;

    Watched(NodeCalls.Listener listener, int group, int version) {
      this.listener = listener;
      this.group = group;
      this.version = version;
    }

    @Override
    public void answered(Reply reply) {
      listener.answered(reply);
    }

    @Override
    public void lost(String why) {
      listener.lost(why);
    }

    /** For good only in a group that is still the same: asked after the call has failed. */
    @Override
    public void failed(String why) {
      look(
          group,
          isKnown -> {
            if (isKnown && version(group) == version) {
              listener.failed(why);
            } else {
              listener.lost(why);
            }
          });
    }

    @Override
    public void delayed(String why) {
      listener.delayed(why);
      if (version(group) == version) {
        look(group);
      }
    }
  }
}
