/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;

/** A cluster of engines behind sockets, its slots and their locks. */
abstract class LockedGroupFixture {
  static final int LONG_MS = 120_000;

  /** Whose connections do not break because the machine stands still: locks would expire. */
  final ChannelClient calls =
      new ChannelClient(
          new ClientLimits(16384, 16, 1000, 60_000, LONG_MS, LONG_MS, 2, 20),
          node -> Bytes.zeros(1));

  FileCluster cluster;

  @AfterEach
  void stop() throws IOException {
    calls.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  /** What is locked. */
  record Slot(int group, int stripe, int unit) {}

  /** Calls in whose way a test may step. */
  record Meddled(NodeCalls real, Meddler meddler) implements NodeCalls {
    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      if (!meddler.takes(node, slot, request, listener)) {
        real.call(node, slot, request, listener);
      }
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {
      real.giveUp(node, replica);
    }
  }

  interface Meddler {
    /** Whether the call goes no further. */
    boolean takes(Endpoint node, SlotKey slot, Request request, NodeCalls.Listener listener);
  }

  /** Hears an answer, whatever it is. */
  static class Heard implements NodeCalls.Listener {
    final CompletableFuture<Reply> reply;

    Heard(CompletableFuture<Reply> reply) {
      this.reply = reply;
    }

    @Override
    public void answered(Reply answer) {
      reply.complete(answer);
    }

    @Override
    public void lost(String why) {
      failed(why);
    }

    @Override
    public void failed(String why) {
      reply.completeExceptionally(new IOException(why));
    }

    @Override
    public void delayed(String why) {}
  }

  SlotKey key(Slot slot) {
    return new SlotKey(cluster.locate(slot.group).get(slot.unit).replica(), slot.stripe);
  }

  Reply ask(Slot slot, Request request) throws Exception {
    Heard heard = new Heard(new CompletableFuture<>());
    calls.call(cluster.locate(slot.group).get(slot.unit).node(), key(slot), request, heard);
    return heard.reply.get();
  }

  LockMode mode(Slot slot) throws Exception {
    return ((Reply.ProbeReply) ask(slot, new Request.Probe())).lockMode();
  }

  /** A client has died that had it locked. */
  void expire(Slot slot) throws Exception {
    LockId dead = new LockId(5L << 32, 1);
    assertThat(ask(slot, new Request.TryLock(LockMode.L1, dead)))
        .isInstanceOf(Reply.LockReply.class);
    ask(slot, new Request.SetLock(LockMode.EXP, dead));
  }

  List<Slot> slots(int group, Set<Integer> lost) {
    List<Slot> slots = new ArrayList<>();
    FileLayout layout = cluster.layout();
    long stripes = layout.geometry().stripeCount(layout.groups().get(group).lengthBytes());
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int unit : cluster.locate(group).keySet()) {
        if (!lost.contains(unit)) {
          slots.add(new Slot(group, stripe, unit));
        }
      }
    }
    return slots;
  }

  Map<Slot, LockMode> modes(int group, Set<Integer> lost) throws Exception {
    Map<Slot, LockMode> modes = new HashMap<>();
    for (Slot slot : slots(group, lost)) {
      modes.put(slot, mode(slot));
    }
    return modes;
  }

  LockedGroupReader hold(int group, Set<Integer> lost, NodeCalls through, int operationMs) {
    Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(group));
    places.keySet().removeAll(lost);
    return new LockedGroupReader(cluster.layout(), group, places, through, 77, operationMs);
  }

  static byte[] readAll(LockedGroupReader held) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) held.lengthBytes());
    // In pieces that are no cells.
    while (held.read(all.limit(Math.min(all.capacity(), all.position() + 50))) >= 0) {
      assertThat(all.position()).isEqualTo(all.limit());
    }
    assertThat(all.position()).isEqualTo(all.capacity());
    return all.array();
  }

  static byte[] part(byte[] file, FileLayout.Group group) {
    return Arrays.copyOfRange(
        file, (int) group.offsetBytes(), (int) (group.offsetBytes() + group.lengthBytes()));
  }

  byte[] ofGroup(byte[] file, int group) {
    return part(file, cluster.layout().groups().get(group));
  }

  static CompletableFuture<byte[]> reading(LockedGroupReader held) {
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                read.complete(readAll(held));
              } catch (IOException | RuntimeException | Error e) {
                read.completeExceptionally(e);
              }
            },
            "reader");
    reader.setDaemon(true);
    reader.start();
    return read;
  }
}
