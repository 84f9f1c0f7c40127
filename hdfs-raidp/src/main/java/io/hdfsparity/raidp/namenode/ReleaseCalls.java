/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.ReleaseCluster;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.StandbyException;

/** What a release asks the map of superchunks, DataNodes and the NameNode. Thread-safe. */
final class ReleaseCalls implements ReleaseCluster {
  private final SuperchunkMap map;
  private final RowFinder rows;
  private final RowReleases releases;
  private final Replications replications;
  private final Consumer<Collection<Long>> released;
  private final BooleanSupplier active;
  private final StorageCalls calls;

  /** Raises the replication of files. */
  @FunctionalInterface
  interface Replications {
    Raising raise(long inodeId, int replication) throws IOException;
  }

  /**
   * @param released is given blocks that have no row any more
   * @param active whether this is the active NameNode
   */
  ReleaseCalls(
      SuperchunkMap map,
      RowFinder rows,
      RowReleases releases,
      Replications replications,
      Consumer<Collection<Long>> released,
      BooleanSupplier active,
      LongSupplier clockMs) {
    this.map = map;
    this.rows = rows;
    this.releases = releases;
    this.replications = replications;
    this.released = released;
    this.active = active;
    this.calls = new StorageCalls(map, clockMs, StorageCalls.Frames.ALSO_SUPERSEDED);
  }

  @Override
  public Optional<SharedSuperchunk> home(BlockRow row) {
    return AdoptionCalls.active(map, row.superchunkId())
        .filter(active -> active.epoch() == row.epoch() && active.sides().contains(row.storageId()))
        .or(() -> left(row));
  }

  /** The superchunk as a frame knows it that was left behind, with the partner of that time. */
  private Optional<SharedSuperchunk> left(BlockRow row) {
    return map.view().frames().supersededOn(row.storageId()).stream()
        .flatMap(frame -> frame.pairing().stream())
        .filter(
            pairing ->
                pairing.superchunkId() == row.superchunkId() && pairing.epoch() == row.epoch())
        .map(
            pairing ->
                new SharedSuperchunk(
                    pairing.superchunkId(),
                    pairing.epoch(),
                    row.storageId(),
                    pairing.partnerStorageId()))
        .findFirst();
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    return calls.findRows(rows, storageId, blockIds, entry -> true);
  }

  @Override
  public Raising raise(long inodeId, int replication) throws IOException {
    return replications.raise(inodeId, replication);
  }

  @Override
  public void release(
      String storageId,
      SharedSuperchunk superchunk,
      Map<Long, Long> generationStamps,
      BooleanSupplier isFresh)
      throws IOException {
    SuperchunkRef ref = new SuperchunkRef(superchunk.id(), superchunk.epoch());
    requireActive(storageId);
    calls.call(
        "release replicas",
        storageId,
        peer ->
            releases.release(
                peer,
                storageId,
                ref,
                generationStamps,
                () -> active.getAsBoolean() && isFresh.getAsBoolean()));
  }

  /** Another NameNode may have protected the file since. */
  private void requireActive(String storageId) throws StandbyException {
    if (!active.getAsBoolean()) {
      throw new StandbyException(
          "Cannot release replicas: expected the active NameNode, storageId=" + storageId);
    }
  }

  @Override
  public void released(Collection<Long> blockIds) {
    released.accept(blockIds);
  }
}
