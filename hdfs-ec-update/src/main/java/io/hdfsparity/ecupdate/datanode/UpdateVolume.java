/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.VolumeHooks.Move;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import io.hdfsparity.ecupdate.datanode.SuspectReplicas.RepeatedRead;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import io.hdfsparity.ecupdate.storage.ShrinkMode;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The striped replicas of a volume: which of them may change, and the engine that changes them.
 *
 * <p>A replica is plain until an update session has it {@link #admit}ted; from then on, restarts
 * included, its bytes are the engine's. One that the engine cannot serve is withheld.
 *
 * <p>{@link #start} and {@link #close} are called by one thread; the rest is thread-safe.
 */
final class UpdateVolume implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateVolume.class);

  /** A disk that works answers sooner, however busy it is. */
  private static final long LOOK_MS = 5000;

  private final DatasetAccess dataset;
  private final GivenUpReplicas givenUp;
  private final SuspectReplicas suspects;
  private final AdmittedReplicas replicas;
  private final ReplicaUses uses;
  private final VolumeEngine engine;
  private final StockReads reads;
  private final ReplicaAdmission admission;
  private final ReplicaChanges changes;

  private final BoundedLook look;

  /** As {@link #unused()}. */
  private volatile Map<Long, ReplicaDescriptor> unused = Map.of();

  private final KeptCopies keptCopies;

  UpdateVolume(
      String storageId, Path root, DatasetAccess dataset, StorageOptions options, Clock clock) {
    this(
        storageId,
        root,
        dataset,
        options,
        clock,
        new LongAdder(),
        new GivenUpReplicas(Runnable::run),
        Runnable::run);
  }

  /**
   * Of a DataNode.
   *
   * @param movesRefused counts replicas that were not moved to another volume
   * @param givenUp of all volumes
   * @param rereads runs reads that are repeated after a check of the disk, some time later
   */
  UpdateVolume(
      String storageId,
      Path root,
      DatasetAccess dataset,
      StorageOptions options,
      Clock clock,
      LongAdder movesRefused,
      GivenUpReplicas givenUp,
      Executor rereads) {
    this.dataset = dataset;
    this.givenUp = givenUp;
    look = new BoundedLook(storageId, LOOK_MS, () -> dataset.checkDiskLater(storageId));
    suspects = new SuspectReplicas(storageId, rereads, new Disk(), clock);
    replicas = new AdmittedReplicas(storageId, Watch::new);
    uses = new ReplicaUses(clock, options);
    engine = new VolumeEngine(storageId, root, options, replicas, suspects::writeFailed);
    reads = new StockReads(replicas, uses, engine::running, options, clock);
    admission = new ReplicaAdmission(engine, dataset, replicas, uses, reads, movesRefused);
    changes = new ReplicaChanges(engine, replicas, uses, reads);
    keptCopies = new KeptCopies(storageId, dataset);
  }

  private final class Disk implements SuspectReplicas.Disk {
    @Override
    public boolean passesCheck() {
      return dataset.checkDisk(storageId());
    }

    @Override
    public void failed(String reason) {
      dataset.declareFailed(List.of(storageId()), reason);
    }
  }

  /** Updates of a damaged replica end at once, and the NameNode learns of it. */
  private final class Watch implements DamageWatch {
    private final long blockId;

    Watch(long blockId) {
      this.blockId = blockId;
    }

    @Override
    public void damaged() {
      givenUp.giveUp(
          blockId,
          () -> engine.isQuiet(blockId),
          () -> dataset.reportDamaged(storageId(), blockId));
    }

    @Override
    public boolean isDamage(RepeatedRead again) {
      if (givenUp.contains(blockId)) {
        return true;
      }
      suspects.add(blockId, again, this::damaged);
      return false;
    }

    @Override
    public void requireServed() throws IOException {
      givenUp.requireServed(blockId);
    }
  }

  String storageId() {
    return engine.storageId();
  }

  StockReads reads() {
    return reads;
  }

  /** What HDFS does with its replicas. */
  ReplicaChanges changes() {
    return changes;
  }

  /**
   * Recovers what was admitted, before the NameNode learns of any replica. A storage whose engine
   * cannot be opened keeps serving what was never admitted.
   */
  void start(String pool) throws IOException {
    if (!engine.begin(pool)) {
      return; // its disk has failed
    }
    unused = new ConcurrentHashMap<>(new VolumeRecovery(engine, dataset, replicas, uses).start());
    reads.start(pool);
  }

  /** Withheld replicas with changes, of whose blocks HDFS uses files on other volumes. */
  Map<Long, ReplicaDescriptor> unused() {
    return unused;
  }

  /**
   * Refuses to lose the files of a replica that HDFS takes for a duplicate, or may do so, and that
   * has changes: HDFS keeps the one that it has found first, or last.
   */
  void requireNoUnusedChanges(String pool, long blockId) throws IOException {
    engine.requireLookedAt(pool, blockId);
    if (unused.containsKey(blockId)) {
      throw new IOException(
          ErrorMessage.to("delete a duplicate of a replica")
              .value("block", blockId)
              .expected("the one without changes to be deleted, and the DataNode to be restarted")
              .file(finalPlace(blockId).toPath())
              .message());
    }
  }

  /**
   * Refuses to lose a copy that another DataNode has sent, while nobody has looked yet: HDFS
   * deletes it for a replica on a disk that has returned, whose changes may be unreadable.
   *
   * @param others of the DataNode
   */
  void requireNotNeeded(String pool, long blockId, OtherVolumes others) throws IOException {
    if (!engine.isLookedAt() && others.mayLack(pool, blockId) && engine.isReceived(pool, blockId)) {
      keptCopies.add(blockId);
      throw new IOException(
          ErrorMessage.to("delete a duplicate of a replica")
              .value("block", blockId)
              .expected("none that was rebuilt while the other one was away; that one is deleted")
              .where("storageId", storageId())
              .message());
    }
  }

  /**
   * Whether it has, may have or had a replica of a block with changes, and does not serve it, or
   * not yet.
   */
  boolean mayLack(String pool, long blockId) {
    boolean isServed =
        engine.isLookedAt()
            && replicas.find(blockId) != null
            && !replicas.withheld().contains(blockId);
    return !isServed && engine.mayHaveBeenAdmitted(pool, blockId);
  }

  /** Copies that {@link #requireNotNeeded} has kept. */
  KeptCopies keptCopies() {
    return keptCopies;
  }

  /** Whether HDFS has a replica in its map, to be deleted or not. */
  boolean isMapped(long blockId) {
    return dataset.replica(storageId(), blockId) != null;
  }

  /** Whether HDFS has a replica that it is not to delete. */
  boolean isInUse(long blockId) {
    return engine.isLookedAt() && !replicas.isRemoved(blockId) && isMapped(blockId);
  }

  /** Whether a copy of a replica that another DataNode has sent is here, used by HDFS or not. */
  boolean hasCopy(String pool, long blockId, long generationStamp, long lengthBytes) {
    return !replicas.knows(blockId)
        && engine.isReceived(pool, blockId)
        && engine.hasFiles(blockId, generationStamp, lengthBytes);
  }

  /** An admitted replica, withheld or not, that HDFS uses; else null. */
  DatasetAccess.@Nullable ReplicaView used(long blockId) {
    return replicas.find(blockId) == null && !replicas.unreadable().contains(blockId)
        ? null
        : dataset.replica(storageId(), blockId);
  }

  /**
   * Deletes a replica for a copy of it that has arrived on another volume while this one was away.
   */
  void giveWay(long blockId, long generationStamp) throws IOException {
    ReplicaDescriptor notUsed = unused.get(blockId);
    if (notUsed == null) {
      changes.superseded(blockId, replicas.latest(blockId));
      dataset.discard(storageId(), blockId, generationStamp);
    } else {
      changes.superseded(blockId, notUsed);
      unused.remove(blockId);
      engine.deleteFiles(blockId, generationStamp);
      changes.deleted(blockId);
    }
  }

  /** As {@link ReplicaAdmission#isMoving}. */
  boolean isMoving(long blockId) {
    return admission.isMoving(blockId);
  }

  /**
   * Withholds the replica that HDFS uses of a block, if it is here, for it lacks changes: also at
   * later starts, when the other one may be missing.
   *
   * @param descriptor of the replica with the changes
   * @param changedStorageId the volume whose file has them
   */
  void withholdUnchanged(long blockId, ReplicaDescriptor descriptor, String changedStorageId) {
    DatasetAccess.ReplicaView replica = dataset.replica(storageId(), blockId);
    if (replica != null) {
      changes.lacksChanges(
          blockId,
          descriptor,
          new IOException(
              ErrorMessage.to("use a replica")
                  .value("has changes of the block", false)
                  .expected(
                      "no other file of the block, but there is one with changes on storageId="
                          + changedStorageId
                          + ": delete this one and its checksum file, and restart the DataNode")
                  .file(replica.blockFile().toPath())
                  .message()));
    }
  }

  /**
   * Loses replicas with changes that HDFS has forgotten, as their files could not be accessed, and
   * whose files have been deleted since: no hook is called for them, and their changes would fill
   * the log. To be called from time to time; waits for the disk.
   *
   * @throws IOException as {@link ReplicaChanges#lost}
   */
  void loseDeleted() throws IOException {
    Set<Long> all = new TreeSet<>(replicas.all());
    all.addAll(replicas.unreadable());
    for (long blockId : all) {
      if (dataset.replica(storageId(), blockId) == null && engine.isGone(blockId)) {
        changes.lost(blockId);
      }
    }
  }

  /** Whether it may have an engine: one that was refused before has none to be closed. */
  boolean isStarted() {
    return engine.isStarted();
  }

  @Override
  public void close() throws IOException {
    retire().close();
  }

  /**
   * Takes the volume out of service, at once.
   *
   * @return closes its engine, once; waits for the disk
   */
  Closeable retire() {
    @Nullable StorageEngine open = engine.retire();
    return () -> {
      admission.awaitCopy();
      engine.close(open);
    };
  }

  /** The engine, while it is in service. */
  BlockEngine running() throws IOException {
    return engine.running();
  }

  /** Block pools of which it has files of the feature, and replicas. */
  Set<String> pools() throws IOException {
    return engine.pools();
  }

  /** Those that were admitted and are not withheld. */
  Set<Long> admitted() {
    Set<Long> all = new TreeSet<>(replicas.all());
    all.removeAll(replicas.withheld());
    return all;
  }

  /**
   * How the storage is.
   *
   * @param isListed which of its replicas are wanted one by one
   */
  StorageStatus status(LongPredicate isListed) {
    return engine.status(uses, isListed);
  }

  /** Whether its files are its own, or not to be used. */
  boolean isAdmitted(long blockId) {
    return replicas.knows(blockId);
  }

  /**
   * As {@link VolumeEngine#isGone}, for work on another disk.
   *
   * @throws IOException if this one does not answer in time
   */
  boolean isGone(long blockId) throws IOException {
    return look.ask(() -> engine.isGone(blockId));
  }

  /** As {@link VolumeEngine#finalPlace(long)}. */
  File finalPlace(long blockId) {
    return engine.finalPlace(blockId);
  }

  boolean holds(long blockId) {
    return replicas.knows(blockId) || dataset.replica(storageId(), blockId) != null;
  }

  /** As {@link #admit(long, ReplicaDescriptor, SessionId)}, for somebody who never leaves. */
  void admit(long blockId, ReplicaDescriptor descriptor) throws IOException {
    admit(blockId, descriptor, ReplicaUse.UNKNOWN);
  }

  /**
   * Lets a session update a replica: durable on return. Idempotent; the scheme counts the first
   * time. Until it {@link #leave leaves}, nobody decodes the replica.
   *
   * @throws IOException if it is not as described, is withheld or has been copied, or stock
   *     decoders may still have bytes of it as it was before; then it may be tried again later
   */
  void admit(long blockId, ReplicaDescriptor descriptor, SessionId session) throws IOException {
    admission.admit(blockId, descriptor, session);
  }

  /** All that a session has changed in the group of a replica has ended: durable on return. */
  void leave(long blockId, SessionId session) throws IOException {
    uses.leave(blockId, session);
  }

  /** Sessions that may have left something unfinished in the group of an admitted replica. */
  Set<SessionId> noted(long blockId) throws IOException {
    return uses.noted(blockId);
  }

  /** As if sessions that are over had left: durable on return. */
  void crossOut(long blockId, Set<SessionId> sessions) throws IOException {
    uses.crossOut(blockId, sessions);
  }

  /**
   * The engine, for requests about a replica.
   *
   * @throws IOException unless the replica has been admitted
   */
  BlockEngine engineOf(long blockId) throws IOException {
    if (!replicas.mayWrite(blockId)) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("block", blockId)
              .expected("one that an update session has had admitted on this DataNode")
              .where("storageId", storageId())
              .message());
    }
    return running();
  }

  /**
   * Ends a period of Algorithm 1 for all parity replicas. One that cannot be looked after is left
   * as it is, and said.
   *
   * @param goesOn asked before each
   */
  void endPeriod(ShrinkMode mode, BooleanSupplier goesOn) {
    for (long blockId : admitted()) {
      Admitted replica = replicas.find(blockId);
      if (replica == null || !replica.descriptor().isParity() || !goesOn.getAsBoolean()) {
        continue;
      }
      try {
        engineOf(blockId).endPeriod(engine.key(blockId), mode);
      } catch (IOException e) {
        LOG.warn(
            "Cannot fit reserved space to its use: storageId={} block={}", storageId(), blockId, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** As {@link ReplicaAdmission#beginMove}. */
  Move beginMove(long blockId) throws IOException {
    return admission.beginMove(blockId);
  }
}
