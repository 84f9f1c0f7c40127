/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.RaidpReadProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Tells clients who decodes lost blocks for them, and the decoders from what. Only the active
 * NameNode answers. Thread-safe.
 */
final class LostBlockCalls implements RaidpReadProtocol {
  private static final int MAX_DECODERS = 4;

  private final Supplier<ClusterView> view;
  private final Namespace namespace;
  private final Registrations registrations;
  private final BooleanSupplier active;
  private final AskedBlocks asked;
  private final Supplier<? extends RandomGenerator> random;
  private volatile Broken broken = new Broken(Map.of(), List.of());

  /**
   * Superchunks that lack a side, and from which these were taken: a view whose nodes alone have
   * changed has the same superchunks, millions of them in a large cluster.
   */
  private record Broken(Map<Long, SuperchunkView> of, List<SuperchunkView> superchunks) {}

  /**
   * @param active whether this NameNode is the active one
   * @param asked gets the blocks that are asked for
   */
  LostBlockCalls(
      Supplier<ClusterView> view,
      Namespace namespace,
      Registrations registrations,
      BooleanSupplier active,
      AskedBlocks asked,
      Supplier<? extends RandomGenerator> random) {
    this.view = view;
    this.namespace = namespace;
    this.registrations = registrations;
    this.active = active;
    this.asked = asked;
    this.random = random;
  }

  @Override
  public List<PeerAddress> findDecoders(String blockPoolId) throws IOException {
    require(blockPoolId);
    ClusterView now = view.get();
    if (broken(now).isEmpty()) {
      return List.of();
    }
    List<PeerAddress> decoders = new ArrayList<>();
    for (String nodeUuid : now.nodes().keySet()) {
      RebuildOrders.peer(now, nodeUuid).filter(peer -> peer.port() > 0).ifPresent(decoders::add);
    }
    if (!decoders.isEmpty()) {
      Collections.rotate(decoders, random.get().nextInt(decoders.size()));
    }
    return List.copyOf(decoders.subList(0, Math.min(MAX_DECODERS, decoders.size())));
  }

  @Override
  public LostBlock findLostBlock(String nodeUuid, String blockPoolId, long blockId)
      throws IOException {
    require(blockPoolId);
    if (nodeUuid.length() > PlacementQuestions.MAX_ID_CHARS) {
      throw refused("node.length", nodeUuid.length(), "<= " + PlacementQuestions.MAX_ID_CHARS);
    }
    Registrations.Registered node =
        registrations
            .find(nodeUuid)
            .orElseThrow(() -> refused("node", nodeUuid, "one registered with this NameNode"));
    RegisteredNodes.requireCallerAt(nodeUuid, node.ipAddress(), node.hostNames());
    Optional<ExpectedBlock> expected = namespace.block(blockId).map(RebuildOrders::expected);
    ClusterView now = view.get();
    List<SuperchunkView> lacking = broken(now);
    if (expected.isEmpty() || lacking.isEmpty()) {
      return new LostBlock(expected, List.of());
    }
    asked.add(blockId);
    return new LostBlock(expected, RebuildOrders.sources(now, lacking));
  }

  @SuppressWarnings("ReferenceEquality") // a map of millions: the same one, or another one
  private List<SuperchunkView> broken(ClusterView now) {
    Broken known = broken;
    if (known.of() != now.superchunks()) {
      known =
          new Broken(
              now.superchunks(),
              now.all().stream()
                  .filter(each -> !each.gone().isEmpty())
                  .filter(LostBlockCalls::lacksSide)
                  .toList());
      broken = known;
    }
    return known.superchunks();
  }

  private static boolean lacksSide(SuperchunkView superchunk) {
    return superchunk.state() == SuperchunkState.LOST
        || superchunk.state() == SuperchunkState.DEGRADED;
  }

  private void require(String blockPoolId) throws IOException {
    if (!active.getAsBoolean()) {
      throw new StandbyException(
          "Cannot help to read a lost block: NameNode=standby, expected the active one");
    }
    if (!blockPoolId.equals(namespace.blockPoolId())) {
      throw refused(
          "blockPoolId",
          blockPoolId.length() > PlacementQuestions.MAX_ID_CHARS ? "too long" : blockPoolId,
          namespace.blockPoolId());
    }
  }

  private static IOException refused(String name, Object value, String rule) {
    return new IOException(
        ErrorMessage.to("help to read a lost block").value(name, value).expected(rule).message());
  }
}
