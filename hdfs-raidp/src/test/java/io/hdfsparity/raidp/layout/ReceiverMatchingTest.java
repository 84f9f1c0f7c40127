/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.jgrapht.alg.interfaces.MatchingAlgorithm.Matching;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Test;

/** The twin is JGraphT's Kuhn-Munkres on the completed square graph. */
class ReceiverMatchingTest {
  private static final double MISSING = 1e6;

  @Test
  void isAsLargeAndAsCheapAsKuhnMunkres() {
    for (long seed : RandomShapes.seeds(600)) {
      Random random = new Random(seed);
      int senders = 1 + random.nextInt(8);
      int receivers = 1 + random.nextInt(9);
      int density = 1 + random.nextInt(9);
      boolean[][] edge = new boolean[senders][receivers];
      for (boolean[] row : edge) {
        for (int r = 0; r < receivers; r++) {
          row[r] = random.nextInt(10) < density;
        }
      }
      int[] cost = random.ints(receivers, 0, 20).sorted().toArray();

      int[] match = ReceiverMatching.match(senders, receivers, (s, r) -> edge[s][r]);

      double total = 0;
      Set<Integer> used = new LinkedHashSet<>();
      for (int s = 0; s < senders; s++) {
        total += match[s] < 0 ? MISSING : cost[match[s]];
        if (match[s] >= 0) {
          assertThat(edge[s][match[s]]).as("seed=%d", seed).isTrue();
          assertThat(used.add(match[s])).as("seed=%d", seed).isTrue();
        }
      }
      assertThat(total).as("seed=%d", seed).isEqualTo(twin(edge, cost));
    }
  }

  /** Least total cost; an unmatched sender costs MISSING. */
  private static double twin(boolean[][] edge, int[] cost) {
    int size = edge.length + cost.length;
    SimpleWeightedGraph<String, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<String> left = new LinkedHashSet<>();
    Set<String> right = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      left.add("s" + i);
      right.add("r" + i);
    }
    left.forEach(graph::addVertex);
    right.forEach(graph::addVertex);
    for (int s = 0; s < size; s++) {
      for (int r = 0; r < size; r++) {
        DefaultWeightedEdge e = graph.addEdge("s" + s, "r" + r);
        boolean real = s < edge.length && r < cost.length;
        graph.setEdgeWeight(e, s >= edge.length ? 0 : real && edge[s][r] ? cost[r] : MISSING);
      }
    }
    Matching<String, DefaultWeightedEdge> matching =
        new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(graph, left, right).getMatching();
    return matching.getWeight();
  }
}
