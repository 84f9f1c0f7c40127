/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Passes the rebuild of an Lstor on to the DataNode that owns the disk, after making sure that the
 * old parity is nobody's last hope: while a partner of the disk is down, a block without a good
 * replica can only come back out of parity. Thread-safe.
 */
final class LstorRebuildCalls {
  private final Supplier<ClusterView> views;
  private final Namespace namespace;
  private final RebuildOrders orders;
  private final Peers peers;

  /** Calls a DataNode. */
  @FunctionalInterface
  interface Peers {
    LstorRebuildStatus rebuildLstor(PeerAddress peer, LstorRebuildRequest request)
        throws IOException;
  }

  LstorRebuildCalls(
      Supplier<ClusterView> views, Namespace namespace, LstorTables tables, Peers peers) {
    this.views = views;
    this.namespace = namespace;
    this.orders = new RebuildOrders(namespace, tables, new AskedBlocks(), diskId -> false);
    this.peers = peers;
  }

  /**
   * @throws IOException naming the disk and what stands in the way
   */
  LstorRebuildStatus run(LstorRebuildRequest request) throws IOException {
    ClusterView view = views.get();
    DiskView disk = view.disks().get(request.diskId());
    if (disk == null) {
      throw new IOException(
          "Cannot rebuild Lstor: disk=" + request.diskId() + ", expected one of -status");
    }
    if (!disk.health().alive()) {
      throw cannot(
          disk.diskId(),
          "health=" + disk.health() + " (" + disk.why() + ")",
          "a disk in service; what was on it comes back by -recover");
    }
    PeerAddress peer =
        RebuildOrders.peer(view, disk.nodeUuid())
            .orElseThrow(
                () -> cannot(disk.diskId(), "node=" + disk.nodeUuid(), "a DataNode that reports"));
    if (request.action() == LstorRebuildRequest.Action.START) {
      requireNotNeeded(view, disk);
    }
    return peers.rebuildLstor(peer, request);
  }

  private void requireNotNeeded(ClusterView view, DiskView disk) throws IOException {
    Set<String> looked = new HashSet<>();
    for (SuperchunkView superchunk : view.all()) {
      boolean ours =
          Stream.concat(superchunk.holders().stream(), superchunk.gone().stream())
              .anyMatch(frame -> frame.diskId().equals(disk.diskId()));
      if (!ours || superchunk.state() == SuperchunkState.ACTIVE) {
        continue;
      }
      Set<Long> needed = new TreeSet<>();
      for (FrameView gone : superchunk.gone()) {
        if (view.readableLstor(gone.diskId()).isEmpty()) {
          throw cannot(
              disk.diskId(),
              "unreadable Lstor of disk="
                  + gone.diskId()
                  + " which shares superchunk="
                  + superchunk.id(),
              "that one readable, to see that nothing needs this one; bring it back or -recover"
                  + " first");
        }
        addWithoutReplica(view, gone, needed);
      }
      orders.missing(view, superchunk).forEach(block -> needed.add(block.blockId()));
      for (FrameView holder : superchunk.holders()) {
        if (looked.add(holder.storageId())) {
          addCorrupt(holder, needed);
        }
      }
      if (!needed.isEmpty()) {
        throw cannot(
            disk.diskId(),
            "blocks without a good replica="
                + needed.size()
                + " (first "
                + needed.iterator().next()
                + ") in superchunk="
                + superchunk.id()
                + ", whose other disk "
                + superchunk.gone().stream()
                    .map(FrameView::diskId)
                    .distinct()
                    .collect(Collectors.joining(","))
                + " is down",
            "none, because this parity may be what they come back from; bring that disk back or"
                + " -recover first");
      }
    }
  }

  /**
   * Blocks of a dead frame without a live replica. Where its volume has several frames, all that
   * have no row in another one of these.
   */
  private void addWithoutReplica(ClusterView view, FrameView gone, Set<Long> needed)
      throws IOException {
    Set<Long> without = new TreeSet<>();
    for (StoredBlock block : namespace.blocks(gone.nodeUuid(), gone.storageId())) {
      if (RebuildOrders.hasNoLiveReplica(view, block)) {
        without.add(block.blockId());
      }
    }
    for (FrameView other :
        without.isEmpty() ? List.<FrameView>of() : view.framesOn(gone.storageId())) {
      if (!other.ref().equals(gone.ref())) {
        orders.rows(view, other).forEach(row -> without.remove(row.blockId()));
      }
    }
    needed.addAll(without);
  }

  private void addCorrupt(FrameView holder, Set<Long> needed) {
    for (StoredBlock block : namespace.blocks(holder.nodeUuid(), holder.storageId())) {
      if (block.complete() && block.liveReplicas() == 0) {
        needed.add(block.blockId());
      }
    }
  }

  private static IOException cannot(String diskId, String found, String expected) {
    return new IOException(
        "Cannot rebuild Lstor: " + found + ", expected " + expected + ", disk=" + diskId);
  }
}
