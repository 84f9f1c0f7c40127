/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the DataNodes of storages. A node that has failed to answer is left alone for a while.
 * Thread-safe.
 */
final class StorageCalls {
  private static final Logger LOG = LoggerFactory.getLogger(StorageCalls.class);

  /** Never one of a superchunk: of a row whose frame holds none. */
  private static final SuperchunkRef NO_SUPERCHUNK = new SuperchunkRef(BlockRow.NOT_KNOWN, 0);

  private final SuperchunkMap map;
  private final LongSupplier clockMs;
  private final Frames frames;
  private final GrowingPauses<String> failed = GrowingPauses.ofNodes();

  /** Frames that are said to hold the superchunk of their rows. */
  enum Frames {
    IN_SERVICE,
    /** Also those whose superchunk went on without them. */
    ALSO_SUPERSEDED
  }

  /** A call. */
  interface Call<T> {
    T at(PeerAddress peer) throws IOException;
  }

  StorageCalls(SuperchunkMap map, LongSupplier clockMs, Frames frames) {
    this.map = map;
    this.frames = frames;
    this.clockMs = clockMs;
  }

  /** Rows of blocks on a storage. */
  List<BlockRow> findRows(
      RowFinder finder, String storageId, List<Long> blockIds, Predicate<SlotEntry> wanted)
      throws IOException {
    ClusterView view = map.view();
    if (view.framesOn(storageId).isEmpty()) {
      if (map.allHadTime()) {
        return List.of(); // On a node without Lstors.
      }
      throw away("find rows", storageId, "a node that has reported to this NameNode");
    }
    List<SlotEntry> entries =
        call("find rows", storageId, peer -> finder.findRows(peer, storageId, blockIds));
    Map<Integer, SuperchunkRef> byFrame = superchunks(view, storageId);
    return entries.stream()
        .filter(wanted)
        .map(
            entry -> row(storageId, byFrame.getOrDefault(entry.frameIndex(), NO_SUPERCHUNK), entry))
        .toList();
  }

  private Map<Integer, SuperchunkRef> superchunks(ClusterView view, String storageId) {
    Map<Integer, SuperchunkRef> refs = new HashMap<>();
    view.superchunksByFrame(storageId)
        .forEach((frame, held) -> refs.put(frame, new SuperchunkRef(held.id(), held.epoch())));
    if (frames == Frames.ALSO_SUPERSEDED) {
      for (FrameView frame : view.frames().supersededOn(storageId)) {
        frame
            .pairing()
            .ifPresent(
                left ->
                    refs.put(
                        frame.frameIndex(), new SuperchunkRef(left.superchunkId(), left.epoch())));
      }
    }
    return refs;
  }

  /** What a row of a superchunk says of its block. */
  static BlockRow row(String storageId, SuperchunkRef superchunk, SlotEntry entry) {
    return new BlockRow(
        entry.blockId(),
        storageId,
        superchunk.superchunkId(),
        superchunk.epoch(),
        entry.generationStamp(),
        entry.coveredBytes(),
        SurplusRows.isCovered(entry),
        entry.state() == SlotState.LIMBO);
  }

  /** Calls the node of a storage with frames. */
  <T> T call(String doing, String storageId, Call<T> call) throws IOException {
    ClusterView view = map.view();
    List<FrameView> frames = view.framesOn(storageId);
    String nodeUuid = frames.isEmpty() ? "" : frames.get(0).nodeUuid();
    Optional<PeerAddress> peer = RebuildOrders.peer(view, nodeUuid);
    if (peer.isEmpty() || failed.isPaused(nodeUuid, clockMs.getAsLong())) {
      throw away(doing, storageId, "a node that answers");
    }
    try {
      T answer = call.at(peer.get());
      failed.succeeded(nodeUuid);
      return answer;
    } catch (IOException e) {
      // Runs of administrators go on without it, and say no more than that a DataNode refused.
      LOG.warn("Cannot {}: nodeUuid={} storageId={}: {}", doing, nodeUuid, storageId, text(e));
      failed.failed(nodeUuid, clockMs.getAsLong());
      throw e;
    }
  }

  private static String text(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static IOException away(String doing, String storageId, String rule) {
    return new IOException(
        ErrorMessage.to(doing).value("storageId", storageId).expected(rule).message());
  }
}
