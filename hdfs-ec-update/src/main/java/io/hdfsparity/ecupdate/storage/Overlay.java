/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.storage.log.BlockChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one block that are durable in a log and not yet in its file. A reader pins the version
 * that it began with and sees exactly that, bytes and checksums alike, however long it reads.
 *
 * <p>Applying takes two steps, so that a crash between them loses and doubles nothing: {@link
 * #planApply} folds the oldest records into absolute, chunk-aligned ones; when those are durable,
 * {@link #apply} writes them to the base. After a crash all of them are written again, which
 * changes nothing, and records up to {@link ApplyPlan#version} are not played back.
 *
 * <p>An owner that must not hold up others during I/O guards the overlay by a short lock and moves
 * bytes outside it: reads the base, then {@link #patch}es; {@link #beginApply}, writes the base,
 * {@link #endApply}. It has to see to it that no {@code endApply} comes between the two halves of a
 * read.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>versions in the overlay are consecutive, from {@code appliedVersion + 1} to {@code
 *       version};
 *   <li>no pin is older than {@code appliedVersion};
 *   <li>{@code pendingBytes} is the sum of the records' lengths and at most the limit.
 * </ul>
 *
 * <p>Not thread-safe.
 */
final class Overlay {
  /**
   * Records are found by regions of so many bytes: what a read costs does not grow with changes
   * elsewhere. Small reads see one or two, records of 128 KiB are in nine at most.
   */
  private static final int REGION_BYTES = 1 << 14;

  private final Base base;
  private final int chunkBytes;
  private final long limitBytes;
  private final int regionBytes;
  private final Deque<BlockChange> records = new ArrayDeque<>();

  /** The same, by each region that they touch; oldest first. */
  private final Map<Integer, Deque<BlockChange>> regions = new HashMap<>();

  /** Number of readers by the version that they pin. */
  private final TreeMap<Long, Integer> pins = new TreeMap<>();

  private @Nullable ApplyPlan applying;
  private long appliedVersion;
  private long version;
  private long pendingBytes;

  /** What a reader holds from opening to closing. */
  record Pin(long version) {}

  /**
   * Records folded for the base.
   *
   * @param version of the last record that is in it
   * @param changes absolute and chunk-aligned, none overlapping another, by offset
   */
  record ApplyPlan(long version, List<BlockChange.Absolute> changes) {
    public ApplyPlan {
      changes = List.copyOf(changes);
    }
  }

  /**
   * An overlay without records.
   *
   * @param chunkBytes bytes under one checksum
   * @param limitBytes of records not applied, beyond which changes are to wait
   * @param appliedVersion of the last change that the base has
   */
  Overlay(Base base, int chunkBytes, long limitBytes, long appliedVersion) {
    this(base, chunkBytes, limitBytes, appliedVersion, REGION_BYTES);
  }

  /** With regions of another size than usual. */
  Overlay(Base base, int chunkBytes, long limitBytes, long appliedVersion, int regionBytes) {
    Checks.argument(chunkBytes > 0, "overlay a block", "chunkBytes", chunkBytes, "> 0");
    Checks.argument(limitBytes > 0, "overlay a block", "limitBytes", limitBytes, "> 0");
    this.base = base;
    this.chunkBytes = chunkBytes;
    this.limitBytes = limitBytes;
    this.regionBytes = regionBytes;
    this.appliedVersion = appliedVersion;
    version = appliedVersion;
  }

  /** Version of the latest change. */
  long version() {
    return version;
  }

  /** Version that the base has. */
  long appliedVersion() {
    return appliedVersion;
  }

  /** Bytes of records that are not applied. */
  long pendingBytes() {
    return pendingBytes;
  }

  /** Whether a change of this length must wait until something has been applied. */
  boolean mustWait(int lengthBytes) {
    return pendingBytes > 0 && pendingBytes + lengthBytes > limitBytes;
  }

  /** The oldest version that a reader holds, or the latest if there is no reader. */
  long oldestPinned() {
    return pins.isEmpty() ? version : pins.firstKey();
  }

  /** Adds a change that is durable in the log. */
  void append(BlockChange record) {
    Checks.argument(
        record.version() == version + 1,
        "append to an overlay",
        "version",
        record.version(),
        "= " + (version + 1));
    Checks.range("append to an overlay", record.offset(), record.bytes().length, base.length());
    Checks.state(
        !mustWait(record.bytes().length),
        "append to an overlay",
        "pendingBytes",
        pendingBytes,
        "<= limitBytes=" + limitBytes + " with this record: wait and apply first");
    records.add(record);
    for (int region = firstRegion(record); region <= lastRegion(record); region++) {
      regions.computeIfAbsent(region, index -> new ArrayDeque<>()).add(record);
    }
    version = record.version();
    pendingBytes += record.bytes().length;
  }

  private int firstRegion(BlockChange record) {
    return record.offset() / regionBytes;
  }

  /** Before the first one if the record has no bytes. */
  private int lastRegion(BlockChange record) {
    return record.bytes().length == 0 ? firstRegion(record) - 1 : (record.end() - 1) / regionBytes;
  }

  /** Pins the latest version. */
  Pin pin() {
    pins.merge(version, 1, Integer::sum);
    return new Pin(version);
  }

  /** Lets a version go. */
  void unpin(Pin pin) {
    Integer readers = pins.get(pin.version());
    Checks.state(
        readers != null, "unpin a version", "version", pin.version(), "one that is pinned");
    if (readers != null && readers > 1) {
      pins.put(pin.version(), readers - 1);
    } else {
      pins.remove(pin.version());
    }
  }

  /** Bytes as of a pinned version. */
  byte[] read(Pin pin, int offset, int lengthBytes) {
    Checks.state(
        pins.containsKey(pin.version()),
        "read a version",
        "version",
        pin.version(),
        "one that is pinned");
    return readAsOf(pin.version(), offset, lengthBytes);
  }

  private byte[] readAsOf(long asOf, int offset, int lengthBytes) {
    Checks.range("read an overlay", offset, lengthBytes, base.length());
    byte[] bytes = new byte[lengthBytes];
    base.read(offset, bytes);
    patch(asOf, offset, bytes);
    return bytes;
  }

  /**
   * Makes bytes of the base those of a version. While a plan is being applied, its bytes stand for
   * those of the base, which may be half written.
   *
   * @param asOf a version that is pinned, or the latest
   */
  void patch(long asOf, int offset, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    long start = appliedVersion;
    int end = Math.addExact(offset, bytes.length);
    ApplyPlan plan = applying;
    if (plan != null) {
      start = plan.version();
      List<BlockChange.Absolute> changes = plan.changes();
      for (int i = firstEndingAfter(offset, changes);
          i < changes.size() && changes.get(i).offset() < end;
          i++) {
        patch(changes.get(i), offset, bytes, offset, end);
      }
    }
    for (int region = offset / regionBytes; region <= (end - 1) / regionBytes; region++) {
      Deque<BlockChange> touching = regions.get(region);
      if (touching != null) {
        // A record that is in several is made in each for its bytes there: once each.
        int from = Math.max(offset, region * regionBytes);
        int to = (int) Math.min(end, (region + 1L) * regionBytes);
        patch(touching, start, asOf, offset, bytes, from, to);
      }
    }
  }

  private static int firstEndingAfter(int offset, List<BlockChange.Absolute> changes) {
    int low = 0;
    int high = changes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (changes.get(middle).end() > offset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static void patch(
      Deque<BlockChange> touching,
      long after,
      long upTo,
      int offset,
      byte[] bytes,
      int from,
      int to) {
    for (BlockChange record : touching) {
      if (record.version() > upTo) {
        return;
      }
      if (record.version() > after) {
        patch(record, offset, bytes, from, to);
      }
    }
  }

  /**
   * Makes a record's change.
   *
   * @param offset of the first of the bytes
   * @param start only what lies from there
   * @param end to there
   */
  private static void patch(BlockChange record, int offset, byte[] bytes, int start, int end) {
    int from = Math.max(start, record.offset());
    int to = Math.min(end, record.end());
    if (from >= to) {
      return;
    }
    byte[] change = record.bytes();
    if (record instanceof BlockChange.Delta) {
      for (int at = from; at < to; at++) {
        bytes[at - offset] ^= change[at - record.offset()];
      }
    } else {
      System.arraycopy(change, from - record.offset(), bytes, from - offset, to - from);
    }
  }

  /**
   * What may be applied now: everything up to the oldest pin. A reader at that version sees the
   * same bytes from the base as from the overlay; one at an older version would not, so there must
   * be none.
   *
   * @return a plan without changes if there is nothing to apply
   */
  ApplyPlan planApply() {
    long upTo = oldestPinned();
    NavigableMap<Integer, Integer> ranges = dirtyRanges(upTo);
    List<BlockChange.Absolute> changes = new ArrayList<>();
    ranges.forEach(
        (from, to) ->
            changes.add(new BlockChange.Absolute(upTo, from, readAsOf(upTo, from, to - from))));
    return new ApplyPlan(Math.max(upTo, appliedVersion), changes);
  }

  /** What the records up to a version touch: begins and ends of whole chunks, none overlapping. */
  NavigableMap<Integer, Integer> dirtyRanges(long upTo) {
    NavigableMap<Integer, Integer> ranges = new TreeMap<>();
    for (BlockChange record : records) {
      if (record.version() > upTo) {
        break;
      }
      addRange(ranges, record.offset(), record.bytes().length);
    }
    return ranges;
  }

  /**
   * Adds a range: whole chunks, because a chunk's checksum changes with any of its bytes; joined if
   * they touch.
   */
  void addRange(NavigableMap<Integer, Integer> ranges, int offset, int lengthBytes) {
    if (lengthBytes == 0) {
      return;
    }
    int from = offset / chunkBytes * chunkBytes;
    int to = (int) Math.min(base.length(), ceil(offset + lengthBytes));
    var before = ranges.floorEntry(from);
    if (before != null && before.getValue() >= from) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    for (var next = ranges.ceilingEntry(from);
        next != null && next.getKey() <= to;
        next = ranges.ceilingEntry(from)) {
      to = Math.max(to, next.getValue());
      ranges.remove(next.getKey());
    }
    ranges.put(from, to);
  }

  private long ceil(int offset) {
    return ((long) offset + chunkBytes - 1) / chunkBytes * chunkBytes;
  }

  /**
   * Writes a plan that is durable to the base, and forgets its records.
   *
   * @throws IllegalStateException if a reader has pinned an older version since
   */
  void apply(ApplyPlan plan) {
    beginApply(plan);
    plan.changes().forEach(change -> base.write(change.offset(), change.bytes()));
    endApply(plan);
  }

  /**
   * A plan that is durable is about to be written to the base.
   *
   * @throws IllegalStateException if a reader has pinned an older version since
   */
  void beginApply(ApplyPlan plan) {
    Checks.state(
        applying == null,
        "apply records",
        "applying",
        String.valueOf(applying),
        "one plan at a time");
    Checks.state(
        plan.version() <= oldestPinned() && plan.version() >= appliedVersion,
        "apply records",
        "version",
        plan.version(),
        appliedVersion + " <= version <= oldest pinned version=" + oldestPinned());
    applying = plan;
  }

  /** The base has all of the plan: forgets its records. */
  void endApply(ApplyPlan plan) {
    Checks.state(plan.equals(applying), "end applying", "plan", plan, "the one begun");
    applying = null;
    forget(plan.version());
  }

  /**
   * The base has got records by another way, all at once; nobody has read in between.
   *
   * @param upTo version of the last one
   * @throws IllegalStateException if a reader has pinned an older version, or a plan is applied
   */
  void moved(long upTo) {
    Checks.state(applying == null, "move records", "applying", String.valueOf(applying), "none");
    Checks.state(
        upTo <= oldestPinned() && upTo >= appliedVersion,
        "move records",
        "version",
        upTo,
        appliedVersion + " <= version <= oldest pinned version=" + oldestPinned());
    forget(upTo);
  }

  private void forget(long upTo) {
    while (!records.isEmpty() && records.getFirst().version() <= upTo) {
      BlockChange record = records.removeFirst();
      pendingBytes -= record.bytes().length;
      for (int region = firstRegion(record); region <= lastRegion(record); region++) {
        regions.computeIfPresent(
            region,
            (index, touching) -> {
              touching.removeFirst(); // this one: what is older was forgotten before
              return touching.isEmpty() ? null : touching;
            });
      }
    }
    appliedVersion = upTo;
  }

  /** Records that are not in the base, oldest first. */
  List<BlockChange> records() {
    return List.copyOf(records);
  }
}
