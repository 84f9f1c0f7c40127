/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;

/**
 * Twin of {@link ReceiverMatching}. Receivers are tried from the cheapest on; each joins when an
 * augmenting path makes room for it, and who has joined stays. The greedy rule is exact, because
 * the sets of receivers that can be matched together are the independent sets of a matroid.
 */
final class AugmentingTwin {
  private static final int NONE = -1;

  /** Whether a sender may send to a receiver. */
  interface Edges {
    boolean has(int sender, int receiver);
  }

  private final int[] receiverOf;
  private final int[] senderOf;
  private final boolean[] visited;
  private final boolean[] exhausted;
  private final int[] via;
  private final int[] queue;
  private final Edges edges;

  private AugmentingTwin(int senders, int receivers, Edges edges) {
    this.receiverOf = new int[senders];
    this.senderOf = new int[receivers];
    this.visited = new boolean[senders];
    this.exhausted = new boolean[senders];
    this.via = new int[senders];
    this.queue = new int[senders + 1];
    this.edges = edges;
    Arrays.fill(receiverOf, NONE);
    Arrays.fill(senderOf, NONE);
  }

  /**
   * Matches.
   *
   * @param receivers number of receivers, which are numbered by rising cost
   * @return for each sender its receiver, or -1
   */
  static int[] match(int senders, int receivers, Edges edges) {
    AugmentingTwin matching = new AugmentingTwin(senders, receivers, edges);
    int matched = 0;
    for (int r = 0; r < receivers && matched < senders; r++) {
      if (matching.augment(r)) {
        matched++;
        System.arraycopy(matching.exhausted, 0, matching.visited, 0, senders);
      } else {
        // None of the senders that a failed search saw ever leads to a free sender again.
        System.arraycopy(matching.visited, 0, matching.exhausted, 0, senders);
      }
    }
    return matching.receiverOf;
  }

  private boolean augment(int root) {
    int head = 0;
    int tail = 0;
    queue[tail++] = root;
    while (head < tail) {
      int receiver = queue[head++];
      for (int s = 0; s < receiverOf.length; s++) {
        if (visited[s] || !edges.has(s, receiver)) {
          continue;
        }
        visited[s] = true;
        via[s] = receiver;
        if (receiverOf[s] == NONE) {
          flip(s, root);
          return true;
        }
        queue[tail++] = receiverOf[s];
      }
    }
    return false;
  }

  private void flip(int freeSender, int root) {
    int sender = freeSender;
    while (true) {
      int receiver = via[sender];
      int next = senderOf[receiver];
      receiverOf[sender] = receiver;
      senderOf[receiver] = sender;
      if (receiver == root) {
        return;
      }
      sender = next;
    }
  }
}
