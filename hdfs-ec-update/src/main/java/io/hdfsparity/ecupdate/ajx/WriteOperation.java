/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * WRITE of Fig. 5, of one data block. Line numbers in comments are those of the figure.
 *
 * <pre>
 *   SWAP --refused--&gt; back off, recover --&gt; SWAP
 *     | ok
 *     v
 *   ADD (groups in turn) --&gt; all answered --&gt; CHECK otid if any said ORDER
 *     ^                                          |
 *     +---- back off <--- some to repeat --------+
 *                                                | none to repeat
 *                      all blocks done: DONE; else a new tid and SWAP again
 * </pre>
 */
final class WriteOperation {
  /** Who gathers several of these into one write. */
  interface Owner {
    /** The swap is done; {@link #proceed} when it is time for adds. */
    void swapped(WriteOperation write);

    /**
     * The swap was refused or lost and is to be tried again: a recovery may be waiting for other
     * adds.
     */
    void delayed();

    /** All blocks are done. */
    void ended();
  }

  /** Answers that are waited for; ELSE: another one's, a back-off, or none. */
  private enum Awaited {
    ADDS,
    CHECKS,
    ELSE
  }

  private final AjxClient client;
  private final Owner owner;
  private final int block;
  private final Patch patch;

  private int attempts;
  private int orderRounds;
  private Tid ntid;
  private @Nullable Tid otid;
  private Bytes delta;
  private long epoch;

  /** The paper's T: nodes where the add is still to be applied. */
  private SortedSet<Integer> toAdd = new TreeSet<>();

  /** The paper's D: nodes that are done. */
  private final SortedSet<Integer> done = new TreeSet<>();

  /** The paper's r[j]. */
  private final Map<Integer, Reply.AddReply> replies = new HashMap<>();

  private List<List<Integer>> groupsLeft = new ArrayList<>();
  private int waiting;
  private Awaited awaited = Awaited.ELSE;
  private Calls.Scope checks = new Calls.Scope();

  /** Nodes that have not answered a check of the order yet. */
  private final Set<Integer> unchecked = new TreeSet<>();

  /** Nodes that did not answer before this had to yield: their answer is still to come. */
  private final Set<Integer> silent = new TreeSet<>();

  WriteOperation(AjxClient client, Owner owner, int block, Patch patch) {
    this.client = client;
    this.owner = owner;
    this.block = block;
    this.patch = patch;
    ntid = client.nextTid(block);
    delta = Bytes.zeros(0);
  }

  int block() {
    return block;
  }

  /** Epoch of the latest swap. */
  long epoch() {
    return epoch;
  }

  /** As in {@link Request.AddAll}. */
  Request.Part part() {
    return new Request.Part(ntid, otid);
  }

  /** What the swap changed. */
  Patch change() {
    return new Patch(patch.offset(), delta);
  }

  void start() {
    swap();
  }

  /** Adds, one write by itself. */
  void proceed() {
    addRound();
  }

  /**
   * Continues after an {@link Request.AddAll}.
   *
   * @param added nodes that have made it
   */
  void proceedAfter(Collection<Integer> added) {
    done.addAll(added);
    toAdd.removeAll(added);
    roundJudged();
  }

  /**
   * Continues with a round that some node does not answer. Adds that were refused for now are sent
   * again, as the next round would: one that is refused changes nothing on its node, so this is as
   * if the first had not come there yet, and none is ever on its way twice. Groups behind wait as
   * before, for their order is what the bounds hold for (ADR 0010, 13). Checks of the order are
   * dropped, of which nothing depends but how soon one stops to wait: they are asked again when the
   * next round needs them.
   */
  void yieldNow() {
    if (awaited == Awaited.ADDS) {
      for (Map.Entry<Integer, Reply.AddReply> entry : new TreeMap<>(replies).entrySet()) {
        if (isToRetry(entry.getValue())) {
          replies.remove(entry.getKey());
          waiting++;
          add(entry.getKey());
        }
      }
    } else if (awaited == Awaited.CHECKS) {
      checks.giveUp();
      checks = new Calls.Scope();
      silent.addAll(unchecked);
      roundJudged();
    }
  }

  /** Lines 3 and 6. */
  private void swap() {
    // Its node may have no room for the receipt before other writes of this client have ended and
    // were collected: none of them may wait for this swap.
    client.calls().call(block, new Request.Swap(patch, ntid), this::onSwapped, owner::delayed);
  }

  private void onSwapped(Reply reply) {
    Reply.SwapReply swapped = (Reply.SwapReply) reply;
    if (swapped.previous() == null) {
      if (!swapped.lockMode().isHeld()) {
        client.startRecovery(); // line 5
      }
      owner.delayed();
      client.calls().after(++attempts, this::swap);
      return;
    }
    delta = patch.bytes().xor(swapped.previous());
    epoch = swapped.epoch();
    otid = swapped.otid();
    orderRounds = 0;
    Shape shape = client.shape();
    for (int node = shape.dataBlocks(); node < shape.blocks(); node++) {
      toAdd.add(node); // line 7
    }
    silent.clear();
    done.clear();
    done.add(block); // line 8
    owner.swapped(this);
  }

  /** Line 10, or the loop over groups of section 4. */
  private void addRound() {
    replies.clear();
    awaited = Awaited.ADDS;
    groupsLeft = groups(client, toAdd);
    nextGroup();
  }

  /** Nodes to add to, in the order and the groups in which the mode goes through them. */
  static List<List<Integer>> groups(AjxClient client, SortedSet<Integer> toAdd) {
    Shape shape = client.shape();
    int size =
        switch (client.options().addMode()) {
          case SERIAL -> 1;
          case PARALLEL, BROADCAST -> shape.parityBlocks();
          case HYBRID -> Bounds.groupSize(shape, client.options().groups());
        };
    // Groups are of nodes, not of what is left to do: every client must go through them alike.
    List<List<Integer>> groups = new ArrayList<>();
    for (int from = shape.dataBlocks(); from < shape.blocks(); from += size) {
      List<Integer> group = List.copyOf(toAdd.subSet(from, Math.min(from + size, shape.blocks())));
      if (!group.isEmpty()) {
        groups.add(group);
      }
    }
    return groups;
  }

  private void nextGroup() {
    if (groupsLeft.isEmpty()) {
      roundEnded();
      return;
    }
    List<Integer> group = groupsLeft.remove(0);
    waiting = group.size();
    if (client.options().addMode() == AddMode.BROADCAST && group.size() > 1) {
      Request.Add request = new Request.Add(change(), Request.Scaling.BY_NODE, ntid, otid, epoch);
      client.calls().broadcast(group, request, this::onAdded);
      return;
    }
    group.forEach(this::add);
  }

  private void add(int node) {
    Patch scaled = client.code().change(node, block, change());
    Request.Add request = new Request.Add(scaled, Request.Scaling.BY_CLIENT, ntid, otid, epoch);
    client.calls().call(node, request, reply -> onAdded(node, reply));
  }

  private void onAdded(int node, Reply reply) {
    replies.put(node, (Reply.AddReply) reply);
    if (--waiting > 0) {
      return;
    }
    if (replies.values().stream().anyMatch(WriteOperation::isToRetry)) {
      roundEnded();
    } else {
      nextGroup();
    }
  }

  /** Line 12. */
  static boolean isToRetry(Reply.AddReply reply) {
    return reply.status() == Reply.AddStatus.ORDER
        || reply.status() == Reply.AddStatus.REFUSED
            && (reply.lockMode() == LockMode.L1 || reply.lockMode() == LockMode.EXP);
  }

  private void roundEnded() {
    SortedSet<Integer> retry = new TreeSet<>();
    boolean isOrdered = false;
    boolean isBroken = false;
    for (Map.Entry<Integer, Reply.AddReply> entry : replies.entrySet()) {
      Reply.AddReply reply = entry.getValue();
      if (isToRetry(reply)) {
        retry.add(entry.getKey()); // line 12
      }
      switch (reply.status()) {
        case OK -> done.add(entry.getKey()); // line 11
        case ORDER -> isOrdered = true;
        case REFUSED ->
            isBroken |=
                reply.lockMode() == LockMode.EXP
                    || (reply.opMode() != OpMode.NORM && reply.lockMode() == LockMode.UNL);
      }
    }
    // Not asked, because a group before them is not done. Line 10 would ask them: an add could then
    // be at a later group and not at an earlier one, and Theorems 1 and 3 hold for beginnings of
    // one order only.
    groupsLeft.forEach(retry::addAll);
    groupsLeft.clear();
    orderRounds = isOrdered ? orderRounds + 1 : 0;
    if (isBroken || orderRounds >= client.options().tiredAfter()) {
      client.startRecovery(); // lines 13 and 14
    }
    toAdd = retry; // line 20
    if (isOrdered && otid != null) {
      checkOrder(otid);
    } else {
      roundJudged();
    }
  }

  /** Lines 15 to 19. */
  private void checkOrder(Tid before) {
    unchecked.clear();
    unchecked.addAll(done);
    unchecked.removeAll(silent);
    if (unchecked.isEmpty()) {
      roundJudged();
      return;
    }
    awaited = Awaited.CHECKS;
    for (int node : List.copyOf(unchecked)) {
      client
          .calls()
          .call(node, new Request.CheckTid(ntid, before), reply -> onChecked(node, reply), checks);
    }
  }

  private void onChecked(int node, Reply reply) {
    switch ((Reply.CheckTidReply) reply) {
      case GC -> otid = null; // line 18: complete, no need to wait for it
      case INIT -> done.remove(node); // line 19
      case NOCHANGE -> {}
    }
    unchecked.remove(node);
    if (unchecked.isEmpty()) {
      roundJudged();
    }
  }

  /** Lines 9, 21 and 22. */
  private void roundJudged() {
    awaited = Awaited.ELSE;
    if (!toAdd.isEmpty() && !done.isEmpty()) {
      client.calls().after(++attempts, this::addRound);
      return;
    }
    client.garbage().written(ntid, done); // line 21
    if (done.size() == 1 + client.shape().parityBlocks()) {
      owner.ended();
      return;
    }
    toAdd.clear();
    ntid = client.nextTid(block); // line 2
    client.calls().after(++attempts, this::swap);
  }
}
