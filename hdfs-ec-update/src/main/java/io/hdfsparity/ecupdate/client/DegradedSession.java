/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A session that the NameNode has granted for a file with units missing: nothing is written with
 * it. The units that there are note it like any other, so that nobody decodes beside it.
 *
 * <p>After a failover it is attached like every session. It goes by units of the last answer of the
 * NameNode only, all of whose DataNodes have confirmed the session then: so it reads what a session
 * would read that is opened now. For one thread.
 */
final class DegradedSession implements DegradedReader.Session {
  private static final System.Logger LOG = System.getLogger(DegradedSession.class.getName());

  private final SessionHolder holder;
  private final FileLayout layout;
  private final Admission admission;
  private final Closeable channels;
  private final ScheduledExecutorService renewals = Timers.daemon("ec-update-degraded");

  /** Units that may have admitted the session. */
  private final Set<UnitLocation> entered = new LinkedHashSet<>();

  /** By group; of one answer of the NameNode. */
  private final Map<Integer, Map<Integer, UnitLocation>> located = new HashMap<>();

  /** Ids of the groups that the same answer had, as far as they are used. */
  private final Set<Long> groupsInUse = new HashSet<>();

  private long locatedBy;

  /**
   * A session.
   *
   * @param channels closed when the session ends
   */
  DegradedSession(
      SessionHolder holder, FileLayout layout, Admission admission, Closeable channels) {
    this.holder = holder;
    this.layout = layout;
    this.admission = admission;
    this.channels = channels;
    holder.attachable(this::groupsInUse);
    long everyMs = holder.known().session().lease().renewEveryMs();
    renewals.scheduleWithFixedDelay(
        Timers.guarded(
            this::renew,
            e -> LOG.log(Level.WARNING, "Cannot renew an update session; it is tried again", e)),
        everyMs,
        everyMs,
        TimeUnit.MILLISECONDS);
  }

  private synchronized Set<Long> groupsInUse() {
    return Set.copyOf(groupsInUse);
  }

  private void renew() {
    try {
      holder.renew();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot renew an update session: " + e);
    }
  }

  @Override
  public FileLayout layout() {
    return layout;
  }

  @Override
  public int number() {
    return holder.known().session().id().number();
  }

  @Override
  public Map<Integer, UnitLocation> locate(int group) throws IOException {
    if (holder.isOver()) {
      throw new SessionOverException("Cannot read: the session is over; open the file again");
    }
    UpdateSession session = holder.whileKnown(known -> claim(group, known));
    UpdateGroup now = session.groups().get(group);
    if (now.isToBeRewritten()) {
      throw new IOException(
          ErrorMessage.to("read a block group")
              .value("isToBeRewritten", true)
              .expected(
                  "false: its level was lowered; read the file without -degraded, or start the"
                      + " DataNodes of all its data units")
              .where("group", group)
              .where("file", session.file().path())
              .message());
    }
    synchronized (this) {
      Map<Integer, UnitLocation> before = located.get(group);
      if (before != null) {
        return before;
      }
    }
    Map<Integer, UnitLocation> places = new TreeMap<>();
    for (UpdateUnit unit : now.units()) {
      places.put(unit.unit(), ReplicaTokens.location(session, unit));
    }
    entered.addAll(places.values());
    admission.await(places.values());
    synchronized (this) {
      located.put(group, places);
    }
    return places;
  }

  /** Notes that a group is in use, unless it must not be. */
  private synchronized UpdateSession claim(int group, SessionHolder.KnownSession known) {
    if (known.version() != locatedBy) {
      // The stripe before has ended: nothing that was located by an earlier answer is used.
      located.clear();
      groupsInUse.clear();
      locatedBy = known.version();
    }
    UpdateGroup claimed = known.session().groups().get(group);
    if (!claimed.isToBeRewritten()) {
      groupsInUse.add(claimed.groupId());
    }
    return known.session();
  }

  @Override
  public void end() throws IOException {
    renewals.shutdownNow();
    if (!holder.isOver()) {
      admission.leave(entered, holder.known().session().id().value(), holder::isOver);
    }
    channels.close();
    holder.close();
  }
}
