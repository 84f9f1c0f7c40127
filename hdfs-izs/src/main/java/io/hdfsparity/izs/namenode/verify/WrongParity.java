/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.bridge.guard.GroupWriters;
import io.hdfsparity.bridge.verify.UnitHolder;
import io.hdfsparity.bridge.verify.VerifiableGroup;
import io.hdfsparity.izs.verify.VerifyReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.ParityGroups;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done about groups that do not fit. Wrong parity units are dropped, all of a group
 * together, so that HDFS has them encoded from the rest; none of a group whose data is suspected,
 * for they may be all that is left of the right bytes. Thread-safe.
 */
final class WrongParity {
  private static final Logger LOG = LoggerFactory.getLogger(WrongParity.class);

  /** Times that parity of one group is dropped. */
  private static final int MAX_DROPS = 3;

  private static final int REMEMBERED = 10_000;

  private final ParityGroups groups;
  private final GroupWriters writers;
  private final VerifyCounters counters;
  private final Map<Long, Dropped> dropped =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Dropped> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Groups whose parity is to be dropped, by id. */
  private final Map<Long, Contradiction> scheduled = new LinkedHashMap<>();

  private record Dropped(int times, List<UnitHolder> replicas) {}

  /** What a comparison of all bytes of a group has found. */
  record Contradiction(VerifiableGroup group, VerifyReport report) {}

  /** What was done about a group. */
  enum Done {
    /** Its wrong units were dropped. */
    DROPPED,
    /** It has changed; nothing was done. */
    CHANGED,
    /** It was done too often. */
    GIVEN_UP
  }

  WrongParity(ParityGroups groups, GroupWriters writers, VerifyCounters counters) {
    this.groups = groups;
    this.writers = writers;
    this.counters = counters;
  }

  /** Replicas that were dropped last of a group. */
  synchronized List<UnitHolder> droppedOf(long groupId) {
    Dropped last = dropped.get(groupId);
    return last == null ? List.of() : last.replicas();
  }

  /** Keeps what was found until {@link #drop}. */
  synchronized void schedule(VerifiableGroup group, VerifyReport report) {
    scheduled.put(group.identity().groupId(), new Contradiction(group, report));
  }

  /** What was found, and not dropped yet. */
  synchronized List<Contradiction> scheduled() {
    return List.copyOf(scheduled.values());
  }

  /** Forgets what is scheduled. */
  synchronized void clear() {
    scheduled.clear();
  }

  /**
   * Drops the units that were found wrong.
   *
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  Done drop(Contradiction found) throws IOException {
    Done done = drop(found.group(), found.report());
    synchronized (this) {
      scheduled.remove(found.group().identity().groupId(), found);
    }
    return done;
  }

  private Done drop(VerifiableGroup group, VerifyReport report) throws IOException {
    long id = group.identity().groupId();
    int times = timesDropped(id);
    counters.wrongParity.increment();
    if (times >= MAX_DROPS) {
      LOG.error(
          "Parity units {} of block group {} do not fit its data after {} attempts to encode them:"
              + " file={}, writer={}",
          report.units(),
          id,
          times,
          group.path(),
          writer(id));
      return Done.GIVEN_UP;
    }
    List<UnitHolder> replicas = groups.drop(group, report.units());
    if (replicas.isEmpty()) {
      return Done.CHANGED;
    }
    synchronized (this) {
      dropped.put(id, new Dropped(times + 1, replicas));
    }
    counters.unitsReencoded.add(replicas.size());
    LOG.warn(
        "Parity units {} of block group {} do not fit its data and are encoded from it: file={},"
            + " policy={}, writer={}, nodes={}",
        report.units(),
        id,
        group.path(),
        group.identity().policy().name(),
        writer(id),
        replicas.stream().map(each -> each.ipAddress() + ":" + each.transferPort()).toList());
    return Done.DROPPED;
  }

  private synchronized int timesDropped(long groupId) {
    @Nullable Dropped last = dropped.get(groupId);
    return last == null ? 0 : last.times();
  }

  /** Says that data is suspected; nothing is changed. */
  void suspectData(VerifiableGroup group, VerifyReport report) {
    long id = group.identity().groupId();
    counters.suspectedData.increment();
    LOG.error(
        "Parity of block group {} does not fit its data, and would if data unit {} had other bytes:"
            + " nothing is changed, compare the file with its source; file={}, writer={}, nodes={}",
        id,
        report.units(),
        group.path(),
        writer(id),
        group.holders().stream()
            .filter(each -> report.units().contains(each.unit()))
            .map(each -> each.ipAddress() + ":" + each.transferPort())
            .toList());
  }

  /** Says that parity is named wrong that may be right; nothing is changed. */
  void keep(VerifiableGroup group, VerifyReport report) {
    long id = group.identity().groupId();
    counters.suspectedData.increment();
    LOG.error(
        "Parity units {} of block group {} do not fit its data, but data was suspected, or other"
            + " parity may have been encoded from it since: nothing is changed, compare the file"
            + " with its source; file={}, writer={}",
        report.units(),
        id,
        group.path(),
        writer(id));
  }

  /** Says that all fits in which data was suspected. */
  void suspicionEnds(VerifiableGroup group) {
    long id = group.identity().groupId();
    LOG.warn(
        "Block group {}, in which a data unit was suspected, fits: either the data unit, or all"
            + " parity, was rebuilt; compare the file with its source, file={}, writer={}",
        id,
        group.path(),
        writer(id));
  }

  private String writer(long groupId) {
    return writers.of(groupId).orElse("unknown");
  }
}
