/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node never answers again, and another client reads what is left under its locks: writers that
 * are asked to give way add to all parity blocks that are left what they have swapped, once.
 */
class SilentNodeTest {
  private static final int DATA = 3;
  private static final int BLOCKS = 5;
  private static final int MAX_STEPS = 1000;
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(DATA, BLOCKS - DATA));
  private static final LockId HEALER = new LockId(99, 0);

  private final List<SlotMachine> nodes = new ArrayList<>();
  private final List<ArrayContent> contents = new ArrayList<>();
  private final Set<Integer> silent = new HashSet<>();

  /** Nodes that were asked whether an earlier write is complete, each time. */
  private final List<Integer> checked = new ArrayList<>();

  SilentNodeTest() {
    List<Bytes> blocks = CODE.encode(List.of(bytes(3), bytes(5), bytes(7)));
    for (int block = 0; block < BLOCKS; block++) {
      contents.add(new ArrayContent(blocks.get(block)));
      nodes.add(new SlotMachine(CODE, block, DurableSlot.untouched(), contents.get(block)));
    }
  }

  private static Bytes bytes(int value) {
    return Bytes.copyOf(new byte[] {(byte) value});
  }

  private static AjxClient client(long id, int cellsAtOnce) {
    return client(id, cellsAtOnce, /* tiredAfter= */ 3);
  }

  private static AjxClient client(long id, int cellsAtOnce, int tiredAfter) {
    Failures none = new Failures(0, 1);
    return new AjxClient(
        id, CODE, new AjxOptions(AddMode.PARALLEL, 1, cellsAtOnce, none, tiredAfter, 10, 10));
  }

  /** Blocks 0 to {@code cells - 1} become 10, 11, and so on. */
  private static SortedMap<Integer, Patch> patches(int cells) {
    SortedMap<Integer, Patch> patches = new TreeMap<>();
    for (int block = 0; block < cells; block++) {
      patches.put(block, new Patch(0, bytes(10 + block)));
    }
    return patches;
  }

  /**
   * Until nobody who answers has anything to say, or for long.
   *
   * @return what is left to do
   */
  private List<Output> drive(AjxClient client, List<Output> outputs) {
    Deque<Output> queue = new ArrayDeque<>(outputs);
    for (int step = 0; step < MAX_STEPS && !queue.isEmpty(); step++) {
      Output output = queue.remove();
      if (output instanceof Output.Send send && send.request() instanceof Request.CheckTid) {
        checked.add(send.node());
      }
      if (output instanceof Output.Send send && !silent.contains(send.node())) {
        queue.addAll(
            client.onReply(send.call(), nodes.get(send.node()).handle(send.request()).reply()));
      } else if (output instanceof Output.StartTimer timer) {
        queue.addAll(client.onTimer(timer.timer()));
      }
    }
    return List.copyOf(queue);
  }

  private void lock(int node, LockMode mode) {
    assertThat(nodes.get(node).handle(new Request.TryLock(mode, HEALER)).record()).isNotNull();
  }

  private void weaken(int node) {
    nodes.get(node).handle(new Request.SetLock(LockMode.L0, HEALER));
  }

  private void assertParity(int node, int... data) {
    List<Bytes> blocks = new ArrayList<>();
    for (int value : data) {
      blocks.add(bytes(value));
    }
    assertThat(contents.get(node).read(0, 1)).isEqualTo(CODE.encode(blocks).get(node));
  }

  @Test
  void cellsThatWereSwappedAreAddedWithoutTheOneThatWasNot() {
    silent.add(0);
    AjxClient writer = client(1, DATA);
    drive(writer, writer.write(1, patches(DATA)));
    assertParity(3, 3, 5, 7);
    for (int again = 0; again < 3; again++) {
      drive(writer, writer.yieldNow());
      assertParity(3, 3, 11, 12);
      assertParity(4, 3, 11, 12);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void addsThatALockRefusedAreMadeThoughAnotherNodeIsSilent(int cells) {
    silent.add(3);
    lock(4, LockMode.L1);
    AjxClient writer = client(1, DATA);
    drive(writer, writer.write(1, patches(cells)));
    drive(writer, writer.yieldNow());
    assertParity(4, 3, 5, 7);
    weaken(4);
    for (int again = 0; again < 3; again++) {
      drive(writer, writer.yieldNow());
      assertParity(4, 10, cells > 1 ? 11 : 5, cells > 1 ? 12 : 7);
    }
  }

  @Test
  void aWriteThatWaitsForAnEarlierOneIsAddedAfterIt() {
    AjxClient earlier = client(1, 1);
    silent.add(3);
    lock(4, LockMode.L1);
    drive(earlier, earlier.write(1, patches(1)));
    AjxClient writer = client(2, 1);
    weaken(4);
    drive(writer, writer.write(1, new TreeMap<>(Map.of(0, new Patch(0, bytes(20))))));
    drive(writer, writer.yieldNow());
    assertParity(4, 3, 5, 7);
    drive(earlier, earlier.yieldNow());
    assertParity(4, 10, 5, 7);
    drive(writer, writer.yieldNow());
    assertParity(4, 20, 5, 7);
  }

  @Test
  void checksOfTheOrderAreNotWaitedForForEver() {
    lock(4, LockMode.L1);
    AjxClient earlier = client(1, 1);
    List<Output> swap = earlier.write(1, patches(1));
    Output.Send sent = (Output.Send) swap.get(0);
    List<Output> adds = earlier.onReply(sent.call(), nodes.get(0).handle(sent.request()).reply());
    AjxClient writer = client(2, 1, /* tiredAfter= */ 10 * MAX_STEPS);
    List<Output> second = writer.write(1, new TreeMap<>(Map.of(0, new Patch(0, bytes(20)))));
    Output.Send again = (Output.Send) second.get(0);
    List<Output> later = writer.onReply(again.call(), nodes.get(0).handle(again.request()).reply());
    weaken(4);
    silent.add(0);
    nodes.get(3).handle(((Output.Send) adds.get(0)).request());
    drive(writer, later); // 3 makes it, 4 does not know the earlier one, and 0 says nothing
    assertThat(checked).containsExactlyInAnyOrder(0, 3);
    List<Output> left = drive(writer, writer.yieldNow());
    assertThat(checked)
        .as("3 is asked in each round")
        .filteredOn(node -> node == 3)
        .hasSizeGreaterThan(2);
    assertThat(checked).as("0 has still to answer").filteredOn(node -> node == 0).hasSize(1);
    assertParity(4, 3, 5, 7);
    drive(earlier, adds);
    assertParity(4, 10, 5, 7);
    drive(writer, left);
    assertParity(4, 20, 5, 7);
    assertParity(3, 20, 5, 7);
  }
}
