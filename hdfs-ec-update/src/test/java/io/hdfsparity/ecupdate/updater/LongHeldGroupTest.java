/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group of many stripes, at nodes in memory, is locked, read and let go. */
@Timeout(300)
class LongHeldGroupTest {
  private static final int CELL_BYTES = 4;
  private static final int STRIPE_BYTES = 3 * CELL_BYTES;
  private static final int STRIPES = 5_000;
  private static final int LOST = 1;
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2));

  /** Storage nodes, which answer one after the other. */
  private static final class Nodes implements NodeCalls {
    final Map<SlotKey, SlotMachine> machines = new HashMap<>();
    private final ExecutorService thread;

    /** A unit that refuses to let go. */
    volatile int refusing = -1;

    private final Map<ReplicaKey, Integer> lettingGo = new HashMap<>();
    int maxLettingGo;
    int refused;
    int stripesLocked;

    Nodes(ExecutorService thread) {
      this.thread = thread;
    }

    static ReplicaKey key(int unit) {
      return new ReplicaKey("BP-1", 16 + unit);
    }

    SlotMachine machine(int stripe, int unit) {
      return machines.get(new SlotKey(key(unit), stripe));
    }

    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      note(slot, request);
      thread.execute(
          () -> {
            if (request instanceof Request.SetLock && slot.replica().equals(key(refusing))) {
              refused++;
              listener.failed("the disk is gone");
              return;
            }
            Reply reply = machines.get(slot).handle(request).reply();
            ended(slot, request);
            listener.answered(reply);
          });
    }

    private synchronized void note(SlotKey slot, Request request) {
      if (request instanceof Request.SetLock) {
        maxLettingGo = Math.max(maxLettingGo, lettingGo.merge(slot.replica(), 1, Integer::sum));
      } else if (request instanceof Request.TryLock) {
        stripesLocked = Math.max(stripesLocked, slot.stripe() + 1);
      }
    }

    private synchronized void ended(SlotKey slot, Request request) {
      if (request instanceof Request.SetLock) {
        lettingGo.merge(slot.replica(), -1, Integer::sum);
      }
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {}
  }

  private final byte[] content = new byte[STRIPES * STRIPE_BYTES - 5];
  private final FileLayout layout =
      new FileLayout(
          CODE,
          CELL_BYTES,
          List.of(new FileLayout.Group(0, 7), new FileLayout.Group(7, content.length)));

  private Nodes nodes(ExecutorService thread) {
    new Random(1).nextBytes(content);
    Nodes nodes = new Nodes(thread);
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      List<Bytes> data = new ArrayList<>();
      for (int unit = 0; unit < 3; unit++) {
        byte[] cell = new byte[CELL_BYTES];
        int from = stripe * STRIPE_BYTES + unit * CELL_BYTES;
        int there = Math.max(0, Math.min(CELL_BYTES, content.length - from));
        System.arraycopy(content, Math.min(from, content.length), cell, 0, there);
        data.add(Bytes.wrap(cell));
      }
      List<Bytes> all = CODE.encode(data);
      for (int unit = 0; unit < all.size(); unit++) {
        SlotMachine machine =
            new SlotMachine(CODE, unit, DurableSlot.untouched(), new ArrayContent(all.get(unit)));
        if (isExpired(stripe, unit)) {
          LockId dead = new LockId(1, stripe);
          machine.handle(new Request.TryLock(LockMode.L1, dead));
          machine.expireLock(dead);
        }
        nodes.machines.put(new SlotKey(Nodes.key(unit), stripe), machine);
      }
    }
    return nodes;
  }

  private static boolean isExpired(int stripe, int unit) {
    return (stripe + unit) % 7 == 0;
  }

  private LockedGroupReader hold(Nodes nodes) {
    Map<Integer, UnitLocation> places = new TreeMap<>();
    for (int unit = 0; unit < CODE.shape().blocks(); unit++) {
      if (unit != LOST) {
        places.put(
            unit,
            new UnitLocation(Nodes.key(unit), new Endpoint("127.0.0.1", 1 + unit, "BP-1", "all")));
      }
    }
    return new LockedGroupReader(layout, 1, places, nodes, 77, /* operationMs= */ 120_000);
  }

  private static void requireModes(Nodes nodes, int unit) {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      assertThat(nodes.machine(stripe, unit).lockMode())
          .as("stripe %d of unit %d", stripe, unit)
          .isEqualTo(isExpired(stripe, unit) ? LockMode.EXP : LockMode.UNL);
    }
  }

  private void readAll(Nodes nodes, LockedGroupReader held) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(content.length);
    assertThat(held.lengthBytes()).isEqualTo(content.length);
    assertThat(held.read(all.limit(STRIPE_BYTES + 1))).isEqualTo(STRIPE_BYTES + 1);
    assertThat(nodes.stripesLocked).as("when two are read").isEqualTo(5);
    assertThat(held.read(all.limit(content.length))).isEqualTo(content.length - STRIPE_BYTES - 1);
    assertThat(all.array()).isEqualTo(content);
    assertThat(held.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      assertThat(nodes.machine(stripe, 4).lockMode()).isEqualTo(LockMode.L1);
    }
  }

  @Test
  void aFewStripesAreLockedAheadAndAFewLetGoAtATime() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Nodes nodes = nodes(thread);
      try (LockedGroupReader held = hold(nodes)) {
        readAll(nodes, held);
      }
      for (int unit = 0; unit < CODE.shape().blocks(); unit++) {
        requireModes(nodes, unit);
      }
      assertThat(nodes.maxLettingGo).isBetween(2, 16);
    } finally {
      thread.shutdown();
    }
  }

  @Test
  void aUnitThatRefusesHoldsUpNoOther() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Nodes nodes = nodes(thread);
      nodes.refusing = 0;
      try (LockedGroupReader held = hold(nodes)) {
        readAll(nodes, held);
      }
      for (int unit = 2; unit < CODE.shape().blocks(); unit++) {
        requireModes(nodes, unit);
      }
      assertThat(nodes.refused).as("not asked over and over").isBetween(1, 100);
    } finally {
      thread.shutdown();
    }
  }
}
