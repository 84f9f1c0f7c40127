/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jgrapht.alg.matching.MaximumWeightBipartiteMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * Matches senders with receivers: as many as possible, and among those matchings one of least total
 * cost, where the cost is the receiver's (paper section 3.3, Fig. 6). The algorithm is JGraphT's
 * {@link MaximumWeightBipartiteMatching}; this class states the problem so that it stays small.
 *
 * <p><b>Few edges.</b> Costs sit on receivers only, so each of s senders needs only its s cheapest
 * legal receivers. Let a best matching give a sender another one: the s - 1 other senders use at
 * most s - 1 of its s cheapest, so one of these is free, and to change over to it costs no more.
 * Each change leaves one sender fewer with an edge that was left out. For 768 senders and 12,000
 * receivers that leaves 6 % of the edges.
 *
 * <p><b>Weights.</b> The sets of receivers that can be matched together are the independent sets of
 * a transversal matroid. There a heaviest set under positive weights is as large as any, and which
 * one it is depends on the order of the weights alone. So the rank of a receiver serves as its
 * weight, and no large constant is needed to prefer more matches to cheaper ones.
 *
 * <p><b>A first try.</b> No matching is better than one that gives every sender one of the s
 * cheapest receivers that anybody may send to. Where most pairs are legal, as on large clusters, a
 * few edges for each sender suffice for one; so these are tried first. On 684 senders, a node with
 * 12 disks, that is 11,000 edges in place of 468,000.
 *
 * <p><b>Bound.</b> At most {@link #MAX_EDGES} edges can be needed; whoever has more senders matches
 * {@link #maxSenders} of them at a time. A receiver is matched once anyway.
 *
 * <p><b>Order.</b> The library augments from the vertices of its first partition in their order.
 * With receivers there, the cheapest first, an edge is tight when it is first looked at, and a
 * receiver that is too dear is dropped as soon as its own edges were seen. The first edge of each
 * receiver leads to another sender, so that most are matched by the library's first guess. The same
 * input gives the same matching.
 */
final class ReceiverMatching {
  private static final int NONE = -1;
  private static final int FEW = 16;

  /** They take about 150 MB. */
  static final int MAX_EDGES = 600_000;

  /** Whether a sender may send to a receiver. */
  interface Edges {
    boolean has(int sender, int receiver);
  }

  private record Edge(int sender, int receiver) {}

  private final int senders;
  private final int receivers;
  private final Edges edges;

  private ReceiverMatching(int senders, int receivers, Edges edges) {
    this.senders = senders;
    this.receivers = receivers;
    this.edges = edges;
  }

  /**
   * Matches.
   *
   * @param receivers number of receivers, which are numbered by rising cost
   * @return for each sender its receiver, or -1
   */
  static int[] match(int senders, int receivers, Edges edges) {
    if ((long) senders * Math.min(senders, receivers) > MAX_EDGES) {
      throw new IllegalArgumentException(
          "Cannot match: senders="
              + senders
              + " receivers="
              + receivers
              + ", expected at most "
              + MAX_EDGES
              + " edges");
    }
    return new ReceiverMatching(senders, receivers, edges).match();
  }

  /**
   * How many senders to match at a time: as many as there are receivers, so that the first try can
   * do, and more where the receivers are very few.
   */
  static int maxSenders(int receivers) {
    return receivers > FEW
        ? Math.min(receivers, (int) Math.sqrt(MAX_EDGES))
        : MAX_EDGES / Math.max(1, receivers);
  }

  private int[] match() {
    int[] cheapest = cheapestUsable();
    if (cheapest.length == senders && senders > FEW) {
      int[] tried = solve(few(cheapest));
      if (Arrays.stream(tried).noneMatch(r -> r == NONE)) {
        return tried;
      }
    }
    return solve(needed());
  }

  /** As many receivers as there are senders, or all, that anybody may send to. */
  private int[] cheapestUsable() {
    return IntStream.range(0, receivers)
        .filter(r -> IntStream.range(0, senders).anyMatch(s -> edges.has(s, r)))
        .limit(senders)
        .toArray();
  }

  /** For each sender the next few legal ones of the receivers, from its own number on. */
  private List<Edge> few(int[] cheapest) {
    List<Edge> few = new ArrayList<>();
    for (int s = 0; s < senders; s++) {
      int found = 0;
      for (int i = 0; i < senders && found < FEW; i++) {
        int r = cheapest[(s + i) % senders];
        if (edges.has(s, r)) {
          few.add(new Edge(s, r));
          found++;
        }
      }
    }
    return few;
  }

  /** For each sender as many of the cheapest legal receivers as there are senders. */
  private List<Edge> needed() {
    List<Edge> needed = new ArrayList<>();
    for (int s = 0; s < senders; s++) {
      int found = 0;
      for (int r = 0; r < receivers && found < senders; r++) {
        if (edges.has(s, r)) {
          needed.add(new Edge(s, r));
          found++;
        }
      }
    }
    needed.sort(
        Comparator.<Edge>comparingInt(e -> Math.floorMod(e.sender() - e.receiver(), senders))
            .thenComparingInt(Edge::receiver));
    return needed;
  }

  private int[] solve(List<Edge> some) {
    SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<Integer> left = new LinkedHashSet<>();
    some.stream().mapToInt(Edge::receiver).distinct().sorted().forEach(r -> left.add(vertex(r)));
    Set<Integer> right = new LinkedHashSet<>();
    IntStream.range(0, senders).forEach(right::add);
    left.forEach(graph::addVertex);
    right.forEach(graph::addVertex);
    for (Edge edge : some) {
      DefaultWeightedEdge added = graph.addEdge(edge.sender(), vertex(edge.receiver()));
      graph.setEdgeWeight(added, receivers - edge.receiver());
    }
    int[] receiverOf = new int[senders];
    Arrays.fill(receiverOf, NONE);
    new MaximumWeightBipartiteMatching<>(graph, left, right)
        .getMatching()
        .getEdges()
        .forEach(e -> receiverOf[graph.getEdgeSource(e)] = graph.getEdgeTarget(e) / senders - 1);
    return receiverOf;
  }

  /**
   * Senders are vertices 0 to senders - 1. Receivers are so far apart that no two edges have the
   * same hash code in the library's index of edges.
   */
  private int vertex(int receiver) {
    return Math.multiplyExact(senders, receiver + 1);
  }
}
