/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * Calls between nodes of one JVM that get lost, lose their answer, or arrive a second time much
 * later.
 */
final class SimNet {
  private final Random random;
  private final Map<String, RaidpPeerProtocol> nodes = new HashMap<>();
  private final Set<String> dead = new HashSet<>();
  private final List<Call<?>> delayed = new ArrayList<>();
  private double faultShare;
  private Runnable meanwhile = () -> {};
  private boolean nested;
  private int lostCalls;

  private interface Call<T> {
    T make() throws IOException;
  }

  SimNet(Random random, double faultShare) {
    this.random = random;
    this.faultShare = faultShare;
  }

  void up(String node, RaidpPeerProtocol service) {
    nodes.put(node, service);
  }

  void down(String node) {
    nodes.remove(node);
  }

  void declareDead(String node) {
    dead.add(node);
  }

  void declareAlive(String node) {
    dead.remove(node);
  }

  /**
   * What may happen elsewhere while a call is on its way, or its answer: no lock is held then, so
   * anything may.
   */
  void onCall(Runnable action) {
    meanwhile = action;
  }

  private void elapse() {
    if (!nested && random.nextDouble() < faultShare) {
      nested = true;
      try {
        meanwhile.run();
      } finally {
        nested = false;
      }
    }
  }

  /** How many calls have not been answered so far. */
  int lostCalls() {
    return lostCalls;
  }

  boolean isUp(String node) {
    return nodes.containsKey(node);
  }

  void setFaultShare(double share) {
    faultShare = share;
  }

  /** Old messages arrive now. */
  void deliverDelayed() {
    List<Call<?>> now = new ArrayList<>(delayed);
    delayed.clear();
    for (Call<?> call : now) {
      try {
        call.make();
      } catch (IOException e) {
        // Nobody waits for this answer any more.
        continue;
      }
    }
  }

  Partners partners() {
    return pairing -> {
      if (pairing.isAlone() || dead.contains(pairing.partnerNodeUuid())) {
        return new Partners.Dead("declared dead");
      }
      return new Partners.Reachable(proxy(pairing.partnerNodeUuid()));
    };
  }

  RaidpPeerProtocol service(String node) throws IOException {
    RaidpPeerProtocol service = nodes.get(node);
    if (service == null) {
      lostCalls++;
      throw new ConnectException("connection refused: " + node);
    }
    return service;
  }

  private <T> T call(Call<T> call) throws IOException {
    double dice = random.nextDouble();
    if (dice < faultShare / 3) {
      lostCalls++;
      throw new SocketTimeoutException("lost on the way there");
    }
    if (dice < faultShare * 2 / 3) {
      delayed.add(call);
      lostCalls++;
      throw new SocketTimeoutException("timed out; it will arrive late");
    }
    elapse();
    T answer = call.make();
    elapse();
    if (dice < faultShare) {
      lostCalls++;
      throw new EOFException("answer lost");
    }
    return answer;
  }

  private RaidpPeerProtocol proxy(String node) {
    return new RaidpPeerProtocol() {
      @Override
      public List<Run> allocate(
          SuperchunkRef superchunk, long blockId, int units, Optional<SlotEntry> has)
          throws IOException {
        return call(() -> service(node).allocate(superchunk, blockId, units, has));
      }

      @Override
      public Optional<SlotEntry> covered(
          SuperchunkRef superchunk,
          long blockId,
          long generationStamp,
          long coveredBytes,
          List<Run> runs)
          throws IOException {
        return call(
            () -> service(node).covered(superchunk, blockId, generationStamp, coveredBytes, runs));
      }

      @Override
      public boolean released(SuperchunkRef superchunk, long blockId) throws IOException {
        return call(() -> service(node).released(superchunk, blockId));
      }

      @Override
      public byte[] readImage(ImageRequest request) throws IOException {
        return service(node).readImage(request);
      }

      @Override
      public List<SlotEntry> listEntries(String storageId, OptionalLong superchunkId)
          throws IOException {
        return call(() -> service(node).listEntries(storageId, superchunkId));
      }

      @Override
      public List<SlotEntry> findRows(String storageId, List<Long> blockIds) throws IOException {
        return call(() -> service(node).findRows(storageId, blockIds));
      }

      @Override
      public List<Long> cover(String storageId, SuperchunkRef superchunk, List<Long> blockIds)
          throws IOException {
        return call(() -> service(node).cover(storageId, superchunk, blockIds));
      }

      @Override
      public List<Long> release(
          String storageId,
          SuperchunkRef superchunk,
          Map<Long, Long> generationStamps,
          long ticket) {
        throw new UnsupportedOperationException("the manager calls it");
      }

      @Override
      public long releaseTicket() {
        throw new UnsupportedOperationException("the manager calls it");
      }

      @Override
      public HealReport heal(HealRequest request) throws IOException {
        return service(node).heal(request);
      }

      @Override
      public ScrubReport scrub(ScrubRequest request) throws IOException {
        return service(node).scrub(request);
      }

      @Override
      public LstorRebuildStatus rebuildLstor(LstorRebuildRequest request) throws IOException {
        return service(node).rebuildLstor(request);
      }
    };
  }
}
