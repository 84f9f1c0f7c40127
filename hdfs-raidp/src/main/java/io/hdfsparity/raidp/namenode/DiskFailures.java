/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Declares disks failed, unless they may have the last replica of a block. Thread-safe.
 *
 * <p>The check and the declaration are one step: of two disks with all replicas of a block the
 * check of the second one has to see that the first one is gone.
 */
final class DiskFailures {
  private final ManagerState state;

  DiskFailures(ManagerState state) {
    this.state = state;
  }

  /**
   * What was declared.
   *
   * @param disk as it was before
   * @param unchecked why nobody looked for last replicas; empty: there are none
   */
  record Declared(DiskView disk, Optional<String> unchecked) {}

  /**
   * Declares a disk failed.
   *
   * @throws IOException when nobody knows it, or it may have last replicas
   */
  synchronized Declared declare(FailDiskRequest request) throws IOException {
    String diskId = request.diskId();
    ClusterView view = state.map().view();
    DiskView disk = view.disks().get(diskId);
    if (disk == null) {
      throw new IOException("Cannot fail a disk: disk=" + diskId + ", expected one of -status");
    }
    Optional<String> unchecked =
        request.check() == FailDiskRequest.Check.NONE
            ? Optional.of("-force")
            : LastReplicas.whyUnchecked(view, disk);
    if (unchecked.isEmpty()) {
      requireNoLastReplicas(view, disk);
    }
    state.map().declareFailed(diskId);
    return new Declared(disk, unchecked);
  }

  private void requireNoLastReplicas(ClusterView view, DiskView disk) throws IOException {
    Lacking lacking = lacking();
    LastReplicas.requireKnown(
        disk,
        lacking,
        ids -> state.repair().map(repair -> repair.hasUnknownBlock(ids)).orElse(false));
    LastBlocks last =
        LastReplicas.requireFew(
            disk,
            state
                .repair()
                .flatMap(
                    repair ->
                        repair.lastOn(
                            disk.storageIds(), id -> LastReplicas.isSilentStorage(view, id))));
    LastReplicas.of(
            view, state.recovery().status().moves(), lacking.superchunkIds(), last, disk.diskId())
        .requireNone(view, disk);
  }

  /** Superchunks with blocks that lack a replica. */
  Lacking lacking() {
    return state.repair().map(BlockRepair::lacking).orElse(new Lacking(Set.of(), false, 0));
  }
}
