/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.LockedGroupReader;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.SessionTerms;
import io.hdfsparity.ecupdate.updater.StripeSession;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A session that the NameNode has granted, for an updater. The modification time of the file is the
 * NameNode's own doing. Thread-safe.
 */
final class NameNodeSession implements StripeSession {
  private static final System.Logger LOG = System.getLogger(NameNodeSession.class.getName());
  private static final int ATTEMPTS = 3;

  /** What the NameNode has said is asked again before a group is used for the first time. */
  private static final int FRESH_MS = 1000;

  /** Of what DataNodes have noted: somebody, who never leaves. */
  private static final long UNKNOWN = 0;

  private final SessionHolder holder;
  private final FileLayout layout;
  private final PlacedGroups placed;
  private final SessionTerms terms;
  private final Admission admission;
  private final Renewal renewal;
  private final ChannelClient channels;
  private final long operationMs;

  /** What the NameNode had said when a group was last located, by group. */
  private final Map<Integer, SessionHolder.KnownSession> located = new HashMap<>();

  /** DataNodes of the units of groups that were located, by index of the unit. */
  private final Map<GroupKey, Map<Integer, String>> homes = new HashMap<>();

  /** What was locked to heal groups. */
  private final HeldGroups held = new HeldGroups();

  /** Units that may have admitted the session, and that belong to the file as far as is known. */
  private final Map<GroupKey, Set<UnitLocation>> entered = new HashMap<>();

  /** Groups that were rewritten, and that somebody may still use until he has heard of that. */
  private final Set<GroupKey> leaving = new HashSet<>();

  /**
   * A session.
   *
   * @param renewal of groups of which HDFS has rebuilt or copied a unit
   * @param channels to the units; closed when the session ends
   * @param operationMs how long one operation is tried
   */
  NameNodeSession(
      SessionHolder holder,
      FileLayout layout,
      SessionTerms terms,
      Admission admission,
      Renewal renewal,
      ChannelClient channels,
      long operationMs) {
    this.holder = holder;
    this.layout = layout;
    placed = new PlacedGroups(layout);
    this.terms = terms;
    this.admission = admission;
    this.renewal = renewal;
    this.channels = channels;
    this.operationMs = operationMs;
    holder.attachable(this::groupsInUse);
  }

  private synchronized Set<Long> groupsInUse() {
    return Stream.concat(entered.keySet().stream(), leaving.stream())
        .map(GroupKey::id)
        .collect(Collectors.toSet());
  }

  @Override
  public synchronized void following(int group, long id) {
    leaving.removeIf(key -> key.index() == group && key.id() != id);
  }

  @Override
  public FileLayout layout() {
    return layout;
  }

  @Override
  public SessionTerms terms() {
    return terms;
  }

  @Override
  public Located locate(int group) throws IOException {
    SessionHolder.KnownSession before;
    synchronized (this) {
      before = located.get(group);
    }
    if (before == null) {
      // Who looks a group up again does so later by himself.
      FailoverWait failover = new FailoverWait(operationMs);
      return noted(
          group, failover.await("use block group " + group, () -> begin(group, holder.known())));
    }
    SessionHolder.KnownSession now = holder.refreshed(before);
    if (groupId(now, group) == groupId(before, group)) {
      requireStayed(group, placed.group(now.session(), group));
      return noted(group, now);
    }
    forget(group, before);
    return noted(group, begin(group, now));
  }

  private long groupId(SessionHolder.KnownSession known, int group) throws IOException {
    return placed.group(known.session(), group).groupId();
  }

  /** A group as the session goes by it from now on, unless something newer is known. */
  private synchronized Located noted(int group, SessionHolder.KnownSession known)
      throws IOException {
    SessionHolder.KnownSession latest =
        located.merge(group, known, (a, b) -> a.version() > b.version() ? a : b);
    UpdateGroup now = placed.group(latest.session(), group);
    Map<Integer, String> nodes = new HashMap<>();
    now.units().forEach(unit -> nodes.put(unit.unit(), unit.storage().node().uuid()));
    homes.putIfAbsent(new GroupKey(group, now.groupId()), nodes);
    return new Located(now.groupId(), placed.places(latest.session(), group));
  }

  /** The group was rewritten: its old units belong to no file. */
  private void forget(int group, SessionHolder.KnownSession before) throws IOException {
    GroupKey gone = new GroupKey(group, groupId(before, group));
    synchronized (this) {
      homes.remove(gone);
      entered.remove(gone);
      leaving.add(gone);
    }
    held.forget(gone);
  }

  @Override
  public boolean heal(int group, Healer healer) throws IOException {
    SessionHolder.KnownSession known;
    synchronized (this) {
      known = located.get(group);
    }
    if (known == null) {
      return false;
    }
    GroupKey key = new GroupKey(group, groupId(known, group));
    Map<Integer, String> nodes;
    synchronized (this) {
      nodes = homes.getOrDefault(key, Map.of());
    }
    Map<Integer, UnitLocation> left = placed.places(known.session(), group);
    Set<Integer> units = new HashSet<>();
    Set<String> lost = new HashSet<>();
    for (int unit = 0; unit < layout.code().shape().blocks(); unit++) {
      if (layout.hasUnit(group, unit) && !left.containsKey(unit)) {
        String home = nodes.get(unit);
        if (home == null) {
          return false; // it is not known who may still serve it
        }
        units.add(unit);
        lost.add(home);
      }
    }
    if (lost.isEmpty() || held.isReleasing(key, left.keySet())) {
      return false;
    }
    return renewal.heal(
        known.session(),
        group,
        new LostUnits(
            units,
            lost,
            healer,
            waiting ->
                held.remembered(
                    key,
                    new LockedGroupReader(
                        layout, group, left, channels, terms.number(), operationMs, waiting))));
  }

  /** Groups with stripes that healing has left as after a crash. */
  private synchronized Set<Integer> groupsLeftLocked() {
    Set<GroupKey> left = held.leftLocked();
    left.removeIf(
        key -> {
          SessionHolder.KnownSession known = located.get(key.index());
          // What was left of a group that the file has no more matters to nobody.
          return known == null || known.session().groups().get(key.index()).groupId() != key.id();
        });
    return left.stream().map(GroupKey::index).collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * Has all replicas of a group admitted, and then asks the NameNode again: one that it has copied
   * before, or is about to delete, is not used. From their admission on none is copied, and one is
   * not admitted until its quiet time has passed since it was read by a DataNode; a copy that was
   * made before is known to the NameNode by then.
   */
  private SessionHolder.KnownSession begin(int group, SessionHolder.KnownSession known)
      throws IOException {
    SessionHolder.KnownSession before = fresh(group, known);
    for (int i = 0; i < ATTEMPTS; i++) {
      if (placed.group(before.session(), group).isToBeRewritten()) {
        before = rewritten(group, before.session());
        continue;
      }
      Map<Integer, UnitLocation> places = placed.places(before.session(), group);
      placed.requireAll(group, places);
      GroupKey key = new GroupKey(group, groupId(before, group));
      synchronized (this) {
        entered.computeIfAbsent(key, g -> new HashSet<>()).addAll(places.values());
      }
      try {
        admission.await(places.values());
      } catch (IOException e) {
        before = elsewhere(group, before, e);
        continue;
      }
      SessionHolder.KnownSession after = holder.settled(groupId(before, group), System.nanoTime());
      if (placed.places(after.session(), group).equals(places)) {
        return after;
      }
      before = after;
    }
    throw new IOException(
        ErrorMessage.to("update a block group")
            .value("places", placed.places(before.session(), group))
            .expected("units that stay where they are; try again")
            .where("group", group)
            .message());
  }

  /**
   * Asked again when it may be old: units of a group that another program has rewritten meanwhile
   * would be asked for long, and those that were lost may be back.
   */
  private SessionHolder.KnownSession fresh(int group, SessionHolder.KnownSession known)
      throws IOException {
    return known.ageMs() > FRESH_MS
            || placed.missing(group, placed.places(known.session(), group)).isPresent()
        ? holder.refreshed(known)
        : known;
  }

  /**
   * After units have not admitted the session: when the group was rewritten meanwhile, or is now,
   * where it is.
   *
   * @throws IOException what they have said, if that is of no use
   */
  private SessionHolder.KnownSession elsewhere(
      int index, SessionHolder.KnownSession before, IOException said) throws IOException {
    long id = placed.group(before.session(), index).groupId();
    SessionHolder.KnownSession now = holder.refreshed(before);
    if (placed.group(now.session(), index).groupId() == id) {
      if (!(said instanceof GroupRetiredException)) {
        throw said;
      }
      // Those that have admitted it become quiescent in good time, also if this program dies
      // meanwhile.
      Map<Integer, UnitLocation> old = placed.places(before.session(), index);
      admission.leave(old.values(), before.session().id().value(), this::isOver);
      now = rewritten(index, now.session());
    }
    synchronized (this) {
      entered.remove(new GroupKey(index, id));
    }
    return now;
  }

  private SessionHolder.KnownSession rewritten(int index, UpdateSession session)
      throws IOException {
    renewal.renew(session, index);
    return holder.refreshed(holder.known());
  }

  /**
   * HDFS has no way to copy a replica of an admitted group (ADR 0014). A unit that is on another
   * DataNode nevertheless was copied before, and has none of the changes since.
   */
  private synchronized void requireStayed(int index, UpdateGroup now) throws IOException {
    Map<Integer, String> nodes = homes.getOrDefault(new GroupKey(index, now.groupId()), Map.of());
    for (UpdateUnit unit : now.units()) {
      String home = nodes.getOrDefault(unit.unit(), unit.storage().node().uuid());
      if (!home.equals(unit.storage().node().uuid())) {
        throw new IOException(
            ErrorMessage.to("update a block group")
                .value("DataNode of unit " + unit.unit(), unit.storage().node().uuid())
                .expected("the one it was on when the group was first used, " + home)
                .where("group", index)
                .message());
      }
    }
  }

  @Override
  public void renew() throws IOException {
    holder.renew();
  }

  @Override
  public void leave(Set<Integer> begun) {
    Set<Integer> unfinished = groupsLeftLocked();
    unfinished.addAll(begun);
    Map<GroupKey, Set<UnitLocation>> finished = new HashMap<>();
    synchronized (this) {
      entered.forEach((key, units) -> finished.put(key, Set.copyOf(units)));
    }
    finished.keySet().removeIf(key -> unfinished.contains(key.index()));
    List<UnitLocation> units = whereNow(finished);
    if (!unfinished.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Left unfinished; HDFS neither decodes nor rebuilds them until hdfs ecupdate -recover:"
              + " groups="
              + unfinished);
    }
    if (holder.isOver()) {
      LOG.log(
          Level.WARNING,
          "The session is over, so no DataNode learns that it has left: HDFS neither decodes nor"
              + " rebuilds what it used until hdfs ecupdate -recover");
      return;
    }
    admission.leave(units, holder.known().session().id().value(), this::isOver);
  }

  private boolean isOver() {
    try {
      holder.renew();
      return false;
    } catch (SessionOverException e) {
      return true;
    } catch (IOException e) {
      return false; // that is not known
    }
  }

  @Override
  public OtherSessions noted(int group) throws IOException {
    Map<Integer, UnitLocation> places = locate(group).units();
    placed.requireAll(group, places);
    Set<Long> noted = new HashSet<>();
    for (Reply reply : ask(places, new Request.Sessions(Set.of()))) {
      noted.addAll(((Reply.SessionsReply) reply).noted());
    }
    noted.remove(holder.known().session().id().value());
    if (noted.isEmpty()) {
      return OtherSessions.NOTHING;
    }
    Set<Long> over = new HashSet<>(noted);
    over.remove(UNKNOWN);
    for (Reply reply : ask(places, new Request.Sessions(over))) {
      over.retainAll(((Reply.SessionsReply) reply).over());
    }
    noted.removeAll(over);
    return new OtherSessions(over, noted);
  }

  @Override
  public void crossOut(int group, Set<Long> over) throws IOException {
    if (over.isEmpty()) {
      return;
    }
    Map<Integer, UnitLocation> places = locate(group).units();
    placed.requireAll(group, places);
    ask(places, new Request.CrossOut(over));
  }

  private Collection<Reply> ask(Map<Integer, UnitLocation> places, Request request)
      throws IOException {
    return admission
        .askAll(places.values(), request, "settle what sessions have left behind")
        .values();
  }

  /**
   * Where units are now that have admitted the session: a DataNode that was started again meanwhile
   * still has it noted, and may listen at another port. Those of a group that was rewritten since
   * are nobody's, and refuse whoever still uses them.
   */
  private List<UnitLocation> whereNow(Map<GroupKey, Set<UnitLocation>> groups) {
    Map<ReplicaKey, UnitLocation> places = new LinkedHashMap<>();
    groups.values().forEach(each -> each.forEach(place -> places.put(place.replica(), place)));
    try {
      for (Map.Entry<GroupKey, Set<UnitLocation>> each : groups.entrySet()) {
        GroupKey key = each.getKey();
        SessionHolder.KnownSession before;
        synchronized (this) {
          before = located.get(key.index());
        }
        if (before == null) {
          continue;
        }
        // One call for all groups: who learned later than another group knows enough.
        SessionHolder.KnownSession now = holder.refreshed(before);
        if (groupId(now, key.index()) == key.id()) {
          placed
              .places(now.session(), key.index())
              .values()
              .forEach(place -> places.replace(place.replica(), place));
        } else {
          each.getValue().forEach(place -> places.remove(place.replica()));
        }
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Leaving where units were before: " + e);
    }
    return new ArrayList<>(places.values());
  }

  @Override
  public void end(OptionalLong lastWriteMs) throws IOException {
    // First: who gives a session back has stopped using it.
    channels.close();
    holder.close();
  }
}
