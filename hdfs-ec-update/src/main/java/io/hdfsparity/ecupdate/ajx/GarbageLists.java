/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The client's {@code gc[j]} and {@code old[j]} of Figs. 5 and 7. Not thread-safe. */
final class GarbageLists {
  private final List<List<Tid>> recent = new ArrayList<>();
  private final List<List<Tid>> old = new ArrayList<>();

  /** Of a round that is under way: neither recent nor old, and on the nodes all the same. */
  private final List<List<Tid>> retiring = new ArrayList<>();

  GarbageLists(Shape shape) {
    for (int node = 0; node < shape.blocks(); node++) {
      recent.add(List.of());
      old.add(List.of());
      retiring.add(List.of());
    }
  }

  /** Fig. 5 line 21. */
  void written(Tid tid, Collection<Integer> nodes) {
    for (int node : nodes) {
      List<Tid> tids = new ArrayList<>(recent.get(node));
      tids.add(tid);
      recent.set(node, tids);
    }
  }

  List<Tid> old(int node) {
    return old.get(node);
  }

  /** Takes what is there, until {@link #retired}; what comes later waits for the next round. */
  List<Tid> takeRecent(int node) {
    List<Tid> tids = recent.set(node, List.of());
    retiring.set(node, tids);
    return tids;
  }

  /** Fig. 7 line 8: what was taken is old now, and what was old before is on the node no more. */
  void retired(int node) {
    old.set(node, retiring.set(node, List.of()));
  }

  /** Over all nodes; not 0 in the middle of a round either, unless it leaves nothing. */
  int size() {
    return size(recent) + size(retiring) + size(old);
  }

  private static int size(List<List<Tid>> lists) {
    return lists.stream().mapToInt(List::size).sum();
  }
}
