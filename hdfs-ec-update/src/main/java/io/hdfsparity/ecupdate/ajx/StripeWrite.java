/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A user's write to a stripe: one {@link WriteOperation} a data block. As many at a time as the
 * options allow; those swap together, and if nothing is in the way add their sum to each parity
 * block once. What that does not bring to an end each of them continues by itself.
 */
final class StripeWrite implements WriteOperation.Owner {
  private final AjxClient client;
  private final long operation;
  private final List<WriteOperation> left = new ArrayList<>();
  private List<WriteOperation> batch = List.of();
  private boolean isTogether;
  private int unfinished;
  private final List<WriteOperation> swapped = new ArrayList<>();
  private int waiting;
  private List<List<Integer>> groupsLeft = List.of();
  private final SortedSet<Integer> added = new TreeSet<>();

  /** Of the group that is being asked: those that may make the sum if they are asked again. */
  private final SortedSet<Integer> toAskAgain = new TreeSet<>();

  StripeWrite(AjxClient client, long operation, SortedMap<Integer, Patch> patches) {
    this.client = client;
    this.operation = operation;
    for (Map.Entry<Integer, Patch> patch : patches.entrySet()) {
      left.add(new WriteOperation(client, this, patch.getKey(), patch.getValue()));
    }
  }

  long operation() {
    return operation;
  }

  void start() {
    int size = Math.min(left.size(), client.options().cellsAtOnce());
    batch = List.copyOf(left.subList(0, size));
    left.subList(0, size).clear();
    unfinished = size;
    swapped.clear();
    added.clear();
    // A broadcast carries one delta, which each node multiplies by its own coefficient.
    isTogether = size > 1 && client.options().addMode() != AddMode.BROADCAST;
    batch.forEach(WriteOperation::start);
  }

  @Override
  public void swapped(WriteOperation write) {
    if (!isTogether) {
      write.proceed();
      return;
    }
    swapped.add(write);
    if (swapped.size() == batch.size()) {
      isTogether = false; // a swap that is done again is on its own
      addTogether();
    }
  }

  /**
   * One block is locked. The recovery that locked it may wait for the adds of those that have
   * swapped, so they must not wait for it.
   */
  @Override
  public void delayed() {
    if (isTogether) {
      isTogether = false;
      List.copyOf(swapped).forEach(WriteOperation::proceed);
    }
  }

  /**
   * Adds what can be added while some node does not answer: of the cells that have been swapped,
   * though another one's swap is missing, and where a lock was in the way, though another node's
   * answer is. See {@link WriteOperation#yieldNow}.
   */
  void yieldNow() {
    delayed();
    if (waiting > 0) {
      List<Integer> again = List.copyOf(toAskAgain);
      toAskAgain.clear();
      waiting += again.size();
      again.forEach(this::add);
    }
    List.copyOf(batch).forEach(WriteOperation::yieldNow);
  }

  private void addTogether() {
    long epoch = batch.get(0).epoch();
    if (batch.stream().anyMatch(write -> write.epoch() != epoch)) {
      batch.forEach(WriteOperation::proceed);
      return;
    }
    SortedSet<Integer> parities = new TreeSet<>();
    for (int node = client.shape().dataBlocks(); node < client.shape().blocks(); node++) {
      parities.add(node);
    }
    groupsLeft = WriteOperation.groups(client, parities);
    nextGroup();
  }

  private void nextGroup() {
    if (groupsLeft.isEmpty()) {
      batch.forEach(write -> write.proceedAfter(added));
      return;
    }
    List<Integer> group = groupsLeft.remove(0);
    toAskAgain.clear();
    waiting = group.size();
    group.forEach(this::add);
  }

  private void add(int node) {
    Request.AddAll request =
        new Request.AddAll(
            sum(node), batch.stream().map(WriteOperation::part).toList(), batch.get(0).epoch());
    client.calls().call(node, request, reply -> onAdded(node, (Reply.AddReply) reply));
  }

  private void onAdded(int node, Reply.AddReply reply) {
    if (reply.status() == Reply.AddStatus.OK) {
      added.add(node);
    } else {
      // The groups after this one wait for it, as those of a write by itself.
      groupsLeft.clear();
      if (WriteOperation.isToRetry(reply)) {
        toAskAgain.add(node);
      }
    }
    if (--waiting == 0) {
      nextGroup();
    }
  }

  /** Of the writes' changes as this parity block sees them; zero between their ranges. */
  private Patch sum(int node) {
    List<Patch> changes =
        batch.stream()
            .map(write -> client.code().change(node, write.block(), write.change()))
            .toList();
    int from = Integer.MAX_VALUE;
    int to = 0;
    for (Patch change : changes) {
      from = Math.min(from, change.offset());
      to = Math.max(to, change.end());
    }
    byte[] sum = new byte[to - from];
    for (Patch change : changes) {
      for (int i = 0; i < change.bytes().length(); i++) {
        sum[change.offset() - from + i] ^= (byte) change.bytes().at(i);
      }
    }
    return new Patch(from, Bytes.wrap(sum));
  }

  @Override
  public void ended() {
    if (--unfinished > 0) {
      return;
    }
    if (left.isEmpty()) {
      client.writeEnded(this);
    } else {
      start();
    }
  }
}
