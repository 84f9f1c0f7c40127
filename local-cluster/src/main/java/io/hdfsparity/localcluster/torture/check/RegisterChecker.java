/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Checks the history of one cell.
 *
 * <p><b>Reads by updaters and writes are looked at for linearizability</b>, which is more than AJX
 * promises. Each value is written at most once, so it is known which write a read has read, and the
 * question is decidable in O(n log n): P. Gibbons and E. Korach, "Testing Shared Memories", SIAM J.
 * Comput. 26(4), 1997. A write and the reads of its value form a cluster. Value a must come before
 * value b if an operation of a ended before one of b began, that is, if the first end of a is
 * before the last begin of b. The history is linearizable exactly if no read ends before its write
 * begins and no two values must come before each other: zones between first end and last begin that
 * are "forward" (end before begin) must be disjoint, and contain no backward zone.
 *
 * <p><b>Unknown writes.</b> A write of unknown outcome that nobody has read is left out; one that
 * was read counts as one without an end.
 *
 * <p><b>All reads must be regular,</b> those of Hadoop's client too: they find a value whose write
 * began before the read ended, and that was not replaced by a write that had begun after it and
 * ended before the read began. This is looked at first: a history is called not linearizable only
 * if each read alone is right.
 *
 * <p><b>Slices.</b> A write is not atomic over more than a byte, so a read beside a write may find
 * both. Each slice of a cell is checked as a register of its own when any read has found a mix.
 *
 * <p>Pure and immutable.
 */
public final class RegisterChecker {
  /** A value with all that wrote or read it. */
  private record Zone(Operation write, Operation firstEnd, Operation lastBegin) {
    long end() {
      return firstEnd.effectiveEnd();
    }

    long begin() {
      return lastBegin.beginNanos();
    }

    boolean isForward() {
      return end() < begin();
    }

    boolean mustPrecede(Zone other) {
      return end() < other.begin();
    }
  }

  /**
   * Checks the operations of one cell.
   *
   * @param operations in any order
   * @throws IllegalArgumentException if a value is written twice
   */
  public Optional<Violation> check(List<Operation> operations) {
    Map<String, Operation> writes = new HashMap<>();
    for (Operation each : operations) {
      if (each.kind() == OperationKind.UPDATE
          && each.outcome() != Outcome.FAILED
          && writes.put(each.value(), each) != null) {
        throw new IllegalArgumentException(
            "Cannot check a register: value="
                + each.value()
                + ", expected each to be written once, cell="
                + each.object());
      }
    }
    List<Operation> reads =
        operations.stream()
            .filter(each -> !each.kind().isWrite() && each.outcome() == Outcome.OK)
            .toList();
    int slices = reads.stream().mapToInt(read -> read.slices().size()).max().orElse(1);
    // What breaks a promise first: a slice without an order must hide no wrong bytes of another.
    return IntStream.range(0, slices)
        .mapToObj(slice -> checkValues(writes, reads, slice))
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                IntStream.range(0, slices)
                    .mapToObj(slice -> checkOrder(zones(writes, readsOf(reads, slice))))
                    .flatMap(Optional::stream)
                    .findFirst());
  }

  private static String value(Operation read, int slice) {
    List<String> slices = read.slices();
    return slices.size() == 1 ? slices.get(0) : slices.get(slice);
  }

  /** Reads by updaters, by what they found. */
  private static Map<String, List<Operation>> readsOf(List<Operation> reads, int slice) {
    return reads.stream()
        .filter(read -> read.kind() == OperationKind.UPDATER_READ)
        .collect(Collectors.groupingBy(read -> value(read, slice)));
  }

  private static Optional<Violation> checkValues(
      Map<String, Operation> writes, List<Operation> reads, int slice) {
    for (Operation read : reads) {
      String value = value(read, slice);
      Operation write = writes.get(value);
      if (write == null) {
        return violation(
            Violation.Kind.NEVER_WRITTEN,
            "read #" + read.number() + " found " + value + ", which nobody has written",
            read);
      }
      if (read.endNanos() < write.beginNanos()) {
        return violation(
            Violation.Kind.NOT_YET_WRITTEN,
            "read #" + read.number() + " found what #" + write.number() + " wrote only later",
            write,
            read);
      }
    }
    return checkRegular(writes, reads, slice);
  }

  private static List<Zone> zones(
      Map<String, Operation> writes, Map<String, List<Operation>> readsOf) {
    List<Zone> zones = new ArrayList<>();
    writes.forEach(
        (value, write) -> {
          List<Operation> readers = readsOf.getOrDefault(value, List.of());
          if (write.outcome() == Outcome.OK || !readers.isEmpty()) {
            List<Operation> all = Stream.concat(Stream.of(write), readers.stream()).toList();
            zones.add(
                new Zone(
                    write,
                    all.stream().min(Comparator.comparingLong(Operation::effectiveEnd)).get(),
                    all.stream().max(Comparator.comparingLong(Operation::beginNanos)).get()));
          }
        });
    return zones;
  }

  private static Optional<Violation> checkOrder(List<Zone> zones) {
    List<Zone> forward =
        zones.stream().filter(Zone::isForward).sorted(Comparator.comparingLong(Zone::end)).toList();
    TreeMap<Long, Zone> byEnd = new TreeMap<>();
    for (int i = 0; i < forward.size(); i++) {
      if (i > 0 && forward.get(i).mustPrecede(forward.get(i - 1))) {
        return contradiction(forward.get(i - 1), forward.get(i));
      }
      byEnd.put(forward.get(i).end(), forward.get(i));
    }
    for (Zone zone : zones) {
      // Forward zones are disjoint: of those that must precede it, the last one ends last.
      Map.Entry<Long, Zone> before = zone.isForward() ? null : byEnd.lowerEntry(zone.begin());
      if (before != null && zone.mustPrecede(before.getValue())) {
        return contradiction(before.getValue(), zone);
      }
    }
    return Optional.empty();
  }

  private static Optional<Violation> contradiction(Zone a, Zone b) {
    return violation(
        Violation.Kind.NOT_LINEARIZABLE,
        "#%d ended before #%d began, so %s came before %s; but #%d ended before #%d began"
            .formatted(
                a.firstEnd().number(),
                b.lastBegin().number(),
                a.write().value(),
                b.write().value(),
                b.firstEnd().number(),
                a.lastBegin().number()),
        a.write(),
        a.firstEnd(),
        a.lastBegin(),
        b.write(),
        b.firstEnd(),
        b.lastBegin());
  }

  private static Optional<Violation> checkRegular(
      Map<String, Operation> writes, List<Operation> reads, int slice) {
    // By its end, the write among those that had ended by then that had begun last.
    TreeMap<Long, Operation> lastBegun = new TreeMap<>();
    writes.values().stream()
        .filter(write -> write.outcome() == Outcome.OK)
        .sorted(Comparator.comparingLong(Operation::endNanos))
        .forEach(
            write -> {
              Operation last = lastBegun.isEmpty() ? write : lastBegun.lastEntry().getValue();
              lastBegun.put(
                  write.endNanos(), write.beginNanos() > last.beginNanos() ? write : last);
            });
    for (Operation read : reads) {
      Operation write = writes.get(value(read, slice));
      Map.Entry<Long, Operation> newer = lastBegun.lowerEntry(read.beginNanos());
      if (newer != null && write.effectiveEnd() < newer.getValue().beginNanos()) {
        return violation(
            Violation.Kind.STALE,
            "read #%d found what #%d wrote, although #%d had replaced it before"
                .formatted(read.number(), write.number(), newer.getValue().number()),
            write,
            newer.getValue(),
            read);
      }
    }
    return Optional.empty();
  }

  private static Optional<Violation> violation(
      Violation.Kind kind, String explanation, Operation... operations) {
    return Optional.of(
        new Violation(
            kind,
            operations[0].object(),
            explanation,
            Stream.of(operations)
                .distinct()
                .sorted(Comparator.comparingLong(Operation::beginNanos))
                .toList()));
  }
}
