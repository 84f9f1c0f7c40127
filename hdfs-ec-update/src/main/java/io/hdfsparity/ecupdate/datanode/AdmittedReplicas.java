/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.storage.ReplicaStore;
import io.hdfsparity.ecupdate.storage.ReplicaStores;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a volume that were admitted to updates, those that were removed, and those that
 * are withheld: neither reported to the NameNode nor read. One that was removed is being deleted,
 * and withheld, or is lost: then nothing is there to be withheld. Takes no lock of HDFS, for the
 * engine that asks for files may be asked by one who holds some. Thread-safe.
 */
final class AdmittedReplicas implements ReplicaStores {
  private static final Logger LOG = LoggerFactory.getLogger(AdmittedReplicas.class);
  private static final String LOST =
      "its block file was gone, and its changes were dropped; delete the file, HDFS makes another";

  /** A replica, and where it lies. */
  record Admitted(ReplicaDescriptor descriptor, LocalReplicaFiles files) {}

  private final String storageId;
  private final Map<Long, Admitted> admitted = new ConcurrentHashMap<>();

  /** Empty of those whose descriptors could not be read. */
  private final Map<Long, Optional<ReplicaDescriptor>> removed = new ConcurrentHashMap<>();

  /** Withheld and not removed, of which nothing is known but their name. */
  private final Set<Long> unreadable = ConcurrentHashMap.newKeySet();

  private final Map<Long, String> withheld = new ConcurrentHashMap<>();
  private final Map<Long, ChunkSums> sumsOf = new ConcurrentHashMap<>();

  /** Admitted, and not read by a decoder any more as they were before. */
  private final Set<Long> writable = ConcurrentHashMap.newKeySet();

  private final ReentrantLock changing = new ReentrantLock();
  private final ChangeCounts changes = new ChangeCounts();
  private final LongFunction<DamageWatch> watches;
  private volatile @Nullable IoTrace trace;

  /**
   * None yet.
   *
   * @param watches of each replica, by block id
   */
  AdmittedReplicas(String storageId, LongFunction<DamageWatch> watches) {
    this.storageId = storageId;
    this.watches = watches;
  }

  String storageId() {
    return storageId;
  }

  /**
   * Guards changes of what is admitted; taken before any lock of the engine, and by hooks under a
   * lock of HDFS: who holds it does not ask HDFS anything.
   */
  ReentrantLock changing() {
    return changing;
  }

  /** What hooks were called for. Added to under the lock {@link #changing}. */
  ChangeCounts changes() {
    return changes;
  }

  /** Replicas that are opened from now on are traced. */
  void trace(IoTrace noted) {
    trace = noted;
  }

  @Nullable Admitted find(long blockId) {
    return admitted.get(blockId);
  }

  Set<Long> all() {
    return Set.copyOf(admitted.keySet());
  }

  /** Why replicas are withheld. */
  Map<Long, String> withheldReasons() {
    return Map.copyOf(withheld);
  }

  Set<Long> withheld() {
    return withheld.keySet();
  }

  /** Whether a replica is not HDFS's alone. */
  boolean knows(long blockId) {
    return admitted.containsKey(blockId) || withheld.containsKey(blockId);
  }

  /** The descriptor of a replica, or of the one of that name that was removed; null: not known. */
  @Nullable ReplicaDescriptor latest(long blockId) {
    Admitted there = admitted.get(blockId);
    return there == null
        ? removed.getOrDefault(blockId, Optional.empty()).orElse(null)
        : there.descriptor();
  }

  void put(long blockId, ReplicaDescriptor descriptor, LocalReplicaFiles files) {
    sumsOf.remove(blockId);
    removed.remove(blockId);
    unreadable.remove(blockId);
    withheld.remove(blockId);
    admitted.put(blockId, new Admitted(descriptor, files));
  }

  /** An admitted replica takes updates: nobody decodes it any more as it was before. */
  void allowWrites(long blockId) {
    writable.add(blockId);
  }

  /** Until it is admitted again. */
  void stopWrites(long blockId) {
    writable.remove(blockId);
  }

  boolean mayWrite(long blockId) {
    return writable.contains(blockId);
  }

  void withhold(long blockId, IOException why) {
    LOG.error(
        "Replica is kept out of block reports and reads: storageId={} block={}",
        storageId,
        blockId,
        why);
    withheld.put(blockId, String.valueOf(why.getMessage()));
  }

  /** Withholds a replica whose descriptor cannot be read: what the log has of it is kept. */
  void withholdUnreadable(long blockId, IOException why) {
    withhold(blockId, why);
    unreadable.add(blockId);
  }

  /** Those of {@link #withholdUnreadable} that have not been removed. */
  Set<Long> unreadable() {
    return Set.copyOf(unreadable);
  }

  /**
   * From now on it is neither read nor reported, whatever becomes of its files.
   *
   * @param descriptor null: it cannot be read
   */
  void remove(long blockId, @Nullable ReplicaDescriptor descriptor) {
    withheld.put(blockId, "its deletion has begun");
    removed.put(blockId, Optional.ofNullable(descriptor));
    unreadable.remove(blockId);
    admitted.remove(blockId);
    sumsOf.remove(blockId);
  }

  boolean isRemoved(long blockId) {
    return removed.containsKey(blockId);
  }

  /**
   * Its block file is gone, and its changes with it: a file that comes back does not count.
   *
   * @param descriptor null: it cannot be read
   */
  void lose(long blockId, @Nullable ReplicaDescriptor descriptor) {
    removed.put(blockId, Optional.ofNullable(descriptor));
    unreadable.remove(blockId);
    admitted.remove(blockId);
    sumsOf.remove(blockId);
    withheld.remove(blockId);
  }

  /** Whether a replica is lost, and nothing has come back. */
  boolean isLost(long blockId) {
    return removed.containsKey(blockId) && !withheld.containsKey(blockId);
  }

  /** A block file has come back. If the replica was lost, it is withheld. */
  void cameBack(long blockId) {
    if (isLost(blockId)) {
      withheld.put(blockId, LOST);
    }
  }

  /** The files of a replica that was removed are gone. */
  void forget(long blockId) {
    removed.remove(blockId);
    unreadable.remove(blockId);
    withheld.remove(blockId);
  }

  /**
   * Refuses a replica that is withheld.
   *
   * @throws IOException saying why it is
   */
  void requireUsable(long blockId) throws IOException {
    String why = withheld.get(blockId);
    if (why == null && removed.containsKey(blockId)) {
      why = LOST;
    }
    if (why != null) {
      throw refusal(blockId, why);
    }
  }

  IOException refusal(long blockId, String why) {
    return new IOException(
        ErrorMessage.to("use a replica")
            .value("block", blockId)
            .expected("one whose changes are known: " + why)
            .where("storageId", storageId)
            .message());
  }

  @Override
  public Optional<ReplicaStore> open(ReplicaKey key) throws IOException {
    if (removed.containsKey(key.blockId())) {
      return Optional.empty();
    }
    // Before all else: what the log has of one whose descriptor is damaged is not to be forgotten.
    requireUsable(key.blockId());
    Admitted replica = admitted.get(key.blockId());
    if (replica == null) {
      return Optional.empty();
    }
    IoTrace traced = trace;
    ReplicaFiles files = traced == null ? replica.files() : traced.around(replica.files());
    return Optional.of(
        FileReplicaStore.open(files, replica.descriptor(), watches.apply(key.blockId())));
  }

  /** How a replica's checksums are kept. */
  ChunkSums sums(long blockId, Admitted replica) throws IOException {
    ChunkSums known = sumsOf.get(blockId);
    if (known != null) {
      return known;
    }
    try {
      ChunkSums sums = readSums(replica);
      sumsOf.put(blockId, sums);
      return sums;
    } catch (IOException e) {
      throw watches.apply(blockId).found(e, 0, () -> readSums(replica));
    }
  }

  private static ChunkSums readSums(Admitted replica) throws IOException {
    try (ByteStore meta = replica.files().meta()) {
      return ChunkSums.read(meta, replica.descriptor().lengthBytes());
    }
  }

  /** Notes damage that was found in a replica, and returns it. */
  ChecksumException damaged(long blockId, ChecksumException damage) {
    watches.apply(blockId).damaged();
    return damage;
  }
}
