/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.raidp.config.ManagerOptions;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The manager without its NameNode and its RPC: what it knows, promises and does. Thread-safe. */
final class ManagerState {
  private final SuperchunkMap map;
  private final Grants grants;
  private final PlacementChooser chooser;
  private final RecoveryCoordinator recovery;
  private final LayoutApplier layout;
  private volatile boolean attached;
  private volatile @Nullable BlockRepair repair;

  ManagerState(
      ManagerOptions options,
      Namespace namespace,
      LstorTables tables,
      NodeRoster roster,
      LongSupplier clockMs,
      Supplier<? extends RandomGenerator> random) {
    map =
        new SuperchunkMap(options.silence(), options.layout().coefficients(), clockMs.getAsLong());
    grants = new Grants(options.grantLeaseMs());
    chooser =
        new PlacementChooser(
            map::view,
            grants,
            roster,
            map::allHadTime,
            options.unitBytes(),
            options.maxBlockBytes(),
            clockMs,
            random);
    recovery = new RecoveryCoordinator(map, namespace, tables, options);
    layout = new LayoutApplier(map, options.layout());
  }

  SuperchunkMap map() {
    return map;
  }

  Grants grants() {
    return grants;
  }

  PlacementChooser chooser() {
    return chooser;
  }

  RecoveryCoordinator recovery() {
    return recovery;
  }

  /** Superchunk of a block, by the storages of its replicas: a frame is of one superchunk. */
  BlockSuperchunks superchunks() {
    return (blockId, storageIds) -> FrameSuperchunks.of(map.view(), storageIds);
  }

  /** What copies missing replicas; empty without a NameNode. */
  Optional<BlockRepair> repair() {
    return Optional.ofNullable(repair);
  }

  void repairBy(BlockRepair newRepair) {
    repair = newRepair;
  }

  /** Whether both frames of a superchunk are in service. */
  boolean isPaired(long superchunkId) {
    SuperchunkView superchunk = map.view().superchunks().get(superchunkId);
    return superchunk != null && superchunk.state() == SuperchunkState.ACTIVE;
  }

  LayoutApplier layout() {
    return layout;
  }

  /** Whether the NameNode's policy asks this manager. */
  boolean isAttached() {
    return attached;
  }

  void attached() {
    attached = true;
  }

  void detached() {
    attached = false;
  }
}
