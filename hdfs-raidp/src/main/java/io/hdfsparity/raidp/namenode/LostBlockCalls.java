/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.wire.RaidpReadProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Tells clients who decodes lost blocks for them, and the decoders from what. Only the active
 * NameNode answers. Thread-safe.
 */
final class LostBlockCalls implements RaidpReadProtocol {
  private static final int MAX_DECODERS = 4;

  /** A block of a superchunk has no more, whatever its file asks for. */
  private static final int MAX_NEEDED_REPLICAS = 2;

  private final Supplier<ClusterView> view;
  private final Namespace namespace;
  private final Registrations registrations;
  private final BooleanSupplier active;
  private final AskedBlocks asked;

  /**
   * @param active whether this NameNode is the active one
   * @param asked gets the blocks that are asked for
   */
  LostBlockCalls(
      Supplier<ClusterView> view,
      Namespace namespace,
      Registrations registrations,
      BooleanSupplier active,
      AskedBlocks asked) {
    this.view = view;
    this.namespace = namespace;
    this.registrations = registrations;
    this.active = active;
    this.asked = asked;
  }

  /**
   * The same nodes for a block as long as the cluster has the same ones: they keep what they need
   * to decode it. Other blocks have others.
   */
  @Override
  public List<PeerAddress> findDecoders(String blockPoolId, long blockId) throws IOException {
    require(blockPoolId);
    ClusterView now = view.get();
    List<PeerAddress> timely = decoders(now, blockId, Silence.NONE);
    // One that is late may hang. Where all are, this NameNode may have stood still.
    return timely.isEmpty() ? decoders(now, blockId, Silence.STALE) : timely;
  }

  private static List<PeerAddress> decoders(ClusterView now, long blockId, Silence silence) {
    List<PeerAddress> decoders = new ArrayList<>();
    int nodes = now.lacking().isEmpty() ? 0 : now.nodes().size();
    int first = nodes == 0 ? 0 : Math.floorMod(spread(blockId), nodes);
    for (int i = 0; i < nodes && decoders.size() < MAX_DECODERS; i++) {
      NodeState node = now.nodes().at((first + i) % nodes);
      PeerAddress peer = RebuildOrders.peer(node.report());
      if (node.silence() == silence && peer.port() > 0) {
        decoders.add(peer);
      }
    }
    return List.copyOf(decoders);
  }

  /** Ids of one file follow each other. */
  private static int spread(long blockId) {
    return (int) (blockId * 0x9E3779B97F4A7C15L >>> 32);
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
    Optional<StoredBlock> block = namespace.block(blockId);
    Optional<ExpectedBlock> expected = block.map(RebuildOrders::expected);
    ClusterView now = view.get();
    Collection<SuperchunkView> lacking = now.lacking().values();
    if (block.isEmpty() || lacking.isEmpty() || hasEnoughReplicas(now, block.get())) {
      return new LostBlock(expected, List.of(), List.of());
    }
    asked.add(blockId);
    if (!block.get().complete()) {
      return new LostBlock(expected, List.of(), List.of());
    }
    return new LostBlock(
        expected, RebuildOrders.sources(now, lacking), UnreadableLstors.of(now, lacking));
  }

  /**
   * Whether a block can be read without decoding. HDFS counts replicas of a dead node for minutes,
   * so the manager has to know their disks as alive too, and their nodes as reporting. A replica
   * that somebody has found damaged does not count.
   */
  private static boolean hasEnoughReplicas(ClusterView now, StoredBlock block) {
    int needed = Math.max(1, Math.min(MAX_NEEDED_REPLICAS, block.wantedReplicas()));
    return block.complete()
        && block.liveReplicas() >= needed
        && block.storageIds().stream()
                .filter(storageId -> block.markAt(storageId).isEmpty())
                .filter(storageId -> isInService(now, storageId))
                .count()
            >= needed;
  }

  /** A storage without frames is HDFS's alone, and counts as HDFS counts it. */
  private static boolean isInService(ClusterView now, String storageId) {
    return now.framesOn(storageId).isEmpty()
        || now.isAlive(storageId) && !LastReplicas.isSilentStorage(now, storageId);
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
