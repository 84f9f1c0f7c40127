/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A session that the NameNode has granted for a file with units missing: nothing is written with
 * it. The units that there are note it like any other, so that nobody decodes beside it. For one
 * thread.
 */
final class DegradedSession implements DegradedReader.Session {
  private static final System.Logger LOG = System.getLogger(DegradedSession.class.getName());

  private final SessionHolder holder;
  private final FileLayout layout;
  private final Admission admission;
  private final Closeable channels;
  private final ScheduledExecutorService renewals = Timers.daemon("ec-update-degraded");
  private final Map<Integer, Map<Integer, UnitLocation>> located = new HashMap<>();
  private final List<UnitLocation> entered = new ArrayList<>();

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
    long everyMs = holder.known().session().lease().renewEveryMs();
    renewals.scheduleWithFixedDelay(this::renew, everyMs, everyMs, TimeUnit.MILLISECONDS);
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
    Map<Integer, UnitLocation> known = located.get(group);
    if (known != null) {
      return known;
    }
    UpdateSession session = holder.known().session();
    Map<Integer, UnitLocation> places = new TreeMap<>();
    if (session.groups().get(group).isToBeRewritten()) {
      throw new IOException(
          ErrorMessage.to("read a block group")
              .value("isToBeRewritten", true)
              .expected("false: its level was lowered; read the file without -degraded")
              .where("group", group)
              .where("file", session.file().path())
              .message());
    }
    for (UpdateUnit unit : session.groups().get(group).units()) {
      places.put(unit.unit(), ReplicaTokens.location(session, unit));
    }
    entered.addAll(places.values());
    admission.await(places.values());
    located.put(group, places);
    return places;
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
