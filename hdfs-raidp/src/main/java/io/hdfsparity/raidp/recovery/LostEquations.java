/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.RowReduction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which superchunks the Lstors of dead disks determine, when a superchunk is taken as a whole. Each
 * dead disk whose Lstor can be read gives one equation over GF(2^8): the sum of its lost
 * superchunks, each times the coefficient of this disk's side. A superchunk is determined if it is
 * a combination of such equations (ADR 0034).
 *
 * <p>Where lost superchunks do not overlap in the parity more can be decoded than this says; where
 * mirrors cannot be read, less. Pure, immutable, thread-safe.
 */
public final class LostEquations {
  /**
   * A superchunk.
   *
   * @param id its id
   * @param first a side
   * @param second the other one
   */
  public record Pair(long id, Side first, Side second) {
    private List<Side> sides() {
      return List.of(first, second);
    }
  }

  /**
   * A side of a superchunk.
   *
   * @param disk id of the disk
   * @param coefficient its bytes enter the parity of this disk times this: 1 or 2
   */
  public record Side(String disk, int coefficient) {}

  private final Map<String, List<Pair>> byDisk = new HashMap<>();

  /** For the superchunks of a cluster. */
  public LostEquations(Collection<Pair> pairs) {
    for (Pair pair : pairs) {
      pair.sides().forEach(s -> byDisk.computeIfAbsent(s.disk(), d -> new ArrayList<>()).add(pair));
    }
  }

  /** Disks that share a superchunk with one of these. */
  public Set<String> neighbours(Collection<String> disks) {
    Set<String> found = new TreeSet<>();
    for (String disk : disks) {
      for (Pair pair : byDisk.getOrDefault(disk, List.of())) {
        pair.sides().forEach(side -> found.add(side.disk()));
      }
    }
    found.removeAll(Set.copyOf(disks));
    return found;
  }

  /**
   * Superchunks that cannot be computed.
   *
   * @param dead disks that have failed
   * @param readable those of them whose Lstor can be read
   * @return ids in ascending order
   */
  public Set<Long> undetermined(Set<String> dead, Set<String> readable) {
    Set<Long> result = new TreeSet<>();
    Set<String> seen = new LinkedHashSet<>();
    for (String disk : dead) {
      if (!seen.contains(disk)) {
        result.addAll(undeterminedAround(disk, dead, readable, seen));
      }
    }
    return result;
  }

  /** Of the disks that hang together by lost superchunks: equations of others do not help. */
  private List<Long> undeterminedAround(
      String start, Set<String> dead, Set<String> readable, Set<String> seen) {
    Map<Long, Integer> columns = new LinkedHashMap<>();
    List<String> rows = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>(List.of(start));
    seen.add(start);
    while (!open.isEmpty()) {
      String disk = open.remove();
      if (readable.contains(disk)) {
        rows.add(disk);
      }
      for (Pair pair : byDisk.getOrDefault(disk, List.of())) {
        if (pair.sides().stream().allMatch(side -> dead.contains(side.disk()))) {
          columns.putIfAbsent(pair.id(), columns.size());
          pair.sides().stream().map(Side::disk).filter(seen::add).forEach(open::add);
        }
      }
    }
    return columns.isEmpty() ? List.of() : unsolved(rows, columns);
  }

  private List<Long> unsolved(List<String> rows, Map<Long, Integer> columns) {
    if (rows.isEmpty()) {
      return List.copyOf(columns.keySet());
    }
    byte[] elements = new byte[Math.multiplyExact(rows.size(), columns.size())];
    for (int row = 0; row < rows.size(); row++) {
      String disk = rows.get(row);
      for (Pair pair : byDisk.getOrDefault(disk, List.of())) {
        Integer column = columns.get(pair.id());
        if (column != null) {
          Side own = pair.first().disk().equals(disk) ? pair.first() : pair.second();
          elements[row * columns.size() + column] = (byte) own.coefficient();
        }
      }
    }
    RowReduction space = new RowReduction(GfMatrix.of(rows.size(), columns.size(), elements));
    return columns.entrySet().stream()
        .filter(each -> space.express(unit(columns.size(), each.getValue())).isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static byte[] unit(int length, int position) {
    byte[] vector = new byte[length];
    vector[position] = 1;
    return vector;
  }
}
