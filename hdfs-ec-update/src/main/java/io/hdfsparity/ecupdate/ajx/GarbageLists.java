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

  GarbageLists(Shape shape) {
    for (int node = 0; node < shape.blocks(); node++) {
      recent.add(List.of());
      old.add(List.of());
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

  /** Takes what is there; what comes later waits for the next round. */
  List<Tid> takeRecent(int node) {
    return recent.set(node, List.of());
  }

  /** Fig. 7 line 8. */
  void retired(int node, List<Tid> tids) {
    old.set(node, tids);
  }

  int size() {
    int size = 0;
    for (int node = 0; node < recent.size(); node++) {
      size += recent.get(node).size() + old.get(node).size();
    }
    return size;
  }
}
