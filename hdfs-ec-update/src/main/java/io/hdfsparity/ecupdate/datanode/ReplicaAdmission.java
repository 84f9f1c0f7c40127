/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.VolumeHooks.Move;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How replicas of a volume come to be updated: their files are copied, decoders are cut off, and
 * they are admitted durably. What moves to another volume is not admitted meanwhile. Thread-safe.
 */
final class ReplicaAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaAdmission.class);

  /** Until a copy that is being made has ended, when the volume is closed. */
  private static final long COPY_WAIT_MS = 2000;

  /** At a replica, until HDFS has changed none with the same count meanwhile. */
  private static final int LOOKS = 10;

  private final VolumeEngine engine;
  private final DatasetAccess dataset;
  private final AdmittedReplicas replicas;
  private final ReplicaUses uses;
  private final StockReads reads;

  /** One replica after the other gets files of its own. Taken before any other lock. */
  private final ReentrantLock detaching = new ReentrantLock();

  /** As {@link AdmittedReplicas#changing}. */
  private final ReentrantLock admission;

  /** On the way to another volume. Changed under {@link #admission}. */
  private final Set<Long> moving = ConcurrentHashMap.newKeySet();

  private final LongAdder movesRefused;

  /**
   * Of a volume.
   *
   * @param movesRefused counts replicas that were not moved to another volume
   */
  ReplicaAdmission(
      VolumeEngine engine,
      DatasetAccess dataset,
      AdmittedReplicas replicas,
      ReplicaUses uses,
      StockReads reads,
      LongAdder movesRefused) {
    this.engine = engine;
    this.dataset = dataset;
    this.replicas = replicas;
    this.uses = uses;
    this.reads = reads;
    this.movesRefused = movesRefused;
    admission = replicas.changing();
  }

  /** As {@link UpdateVolume#admit(long, ReplicaDescriptor, SessionId)}. */
  void admit(long blockId, ReplicaDescriptor descriptor, SessionId session) throws IOException {
    if (replicas.knows(blockId)) {
      admitDetached(blockId, descriptor, session);
      return;
    }
    detaching.lock();
    try {
      if (!replicas.knows(blockId)) {
        reads.beginDetaching(blockId);
        detach(blockId, descriptor);
      }
      admitDetached(blockId, descriptor, session);
    } finally {
      reads.endDetaching(blockId);
      detaching.unlock();
    }
  }

  /**
   * Stock streams may have sent pages of a replica's files by reference: what will be changed are
   * copies of them.
   */
  private void detach(long blockId, ReplicaDescriptor descriptor) throws IOException {
    engine.requireServing();
    uses.requireFirst(blockId);
    ReplicaView replica = dataset.replica(engine.storageId(), blockId);
    descriptor.requireDescribes(replica);
    if (replica != null) {
      requireChunks(replica, descriptor);
      try (FreshFiles copies = FreshFiles.copy(engine.here(), replica, this::requireRoom)) {
        engine.requireServing();
        copies.install(dataset, engine.storageId());
      }
    }
  }

  /** Refuses to continue with a copy that HDFS has no room for, or that nobody wants any more. */
  private void requireRoom(long bytes) throws IOException {
    engine.requireServing();
    long availableBytes = dataset.availableBytes(engine.storageId());
    if (availableBytes < bytes) {
      throw new IOException(
          ErrorMessage.to("copy a replica")
              .value("availableBytes", availableBytes)
              .expected(">= " + bytes + ", beside what dfs.datanode.du.reserved keeps free")
              .where("storageId", engine.storageId())
              .message());
    }
  }

  /**
   * Waits for a copy that is being made: it ends at its next step and installs nothing, once the
   * engine is out of service.
   */
  void awaitCopy() {
    try {
      if (detaching.tryLock(COPY_WAIT_MS, TimeUnit.MILLISECONDS)) {
        detaching.unlock();
      } else {
        LOG.warn(
            "The disk of storageId={} is slow: a copy is still being made", engine.storageId());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admitDetached(long blockId, ReplicaDescriptor descriptor, SessionId session)
      throws IOException {
    for (int i = 0; i < LOOKS; i++) {
      int changes = replicas.changes().of(blockId);
      ReplicaView replica = dataset.replica(engine.storageId(), blockId);
      if (admitFound(blockId, descriptor, session, replica, changes)) {
        return;
      }
    }
    throw new IOException(
        ErrorMessage.to("update a replica")
            .value("changes by HDFS", "at each of " + LOOKS + " looks")
            .expected("none; try again")
            .where("block", blockId)
            .message());
  }

  /**
   * @param replica as HDFS has said; not asked here, for it calls hooks, which take this lock,
   *     under the lock that it needs for an answer
   * @param changes counted before it was asked
   * @return false if it is to be asked again
   */
  private boolean admitFound(
      long blockId,
      ReplicaDescriptor descriptor,
      SessionId session,
      @Nullable ReplicaView replica,
      int changes)
      throws IOException {
    admission.lock();
    try {
      if (replicas.changes().of(blockId) != changes) {
        return false;
      }
      replicas.requireUsable(blockId);
      if (moving.contains(blockId)) {
        throw new IOException(
            ErrorMessage.to("update a replica")
                .value("is being moved to another disk", true)
                .expected("false; try again")
                .where("block", blockId)
                .message());
      }
      descriptor.requireDescribes(replica);
      Admitted known = replicas.find(blockId);
      if (known == null && replica != null) {
        known = admitFirst(blockId, descriptor, replica);
      }
      if (known != null && known.descriptor().differsInCodeOnly(descriptor)) {
        uses.retire(blockId);
      }
      if (known == null
          || !known.descriptor().equals(descriptor.withScheme(known.descriptor().scheme()))) {
        throw new IOException(
            ErrorMessage.to("update a replica")
                .value("descriptor", descriptor)
                .expected("that of its first session, " + known)
                .where("block", blockId)
                .message());
      }
      enter(blockId, known, session);
      replicas.allowWrites(blockId);
      return true;
    } finally {
      admission.unlock();
    }
  }

  private void enter(long blockId, Admitted replica, SessionId session) throws IOException {
    uses.keepCopyAgain(blockId);
    uses.beginEntering(blockId);
    try {
      reads.takeOver(blockId, replica);
      reads.requireQuiet(blockId, replica.descriptor());
      uses.enter(blockId, session);
    } finally {
      uses.endEntering(blockId);
    }
  }

  private Admitted admitFirst(long blockId, ReplicaDescriptor descriptor, ReplicaView replica)
      throws IOException {
    engine.requireServing();
    LocalReplicaFiles files = requireChunks(replica, descriptor);
    // Of an earlier replica with that name.
    engine.here().deleteState(blockId);
    uses.first(blockId);
    engine.here().admit(blockId, descriptor);
    reads.admit(blockId, descriptor, files);
    return new Admitted(descriptor, files);
  }

  private LocalReplicaFiles requireChunks(ReplicaView replica, ReplicaDescriptor descriptor)
      throws IOException {
    LocalReplicaFiles files =
        engine.files(replica.blockFile(), replica.metaFile(), replica.blockId());
    int chunkBytes =
        FileReplicaStore.open(files, descriptor, DamageWatch.NONE).layout().chunkBytes();
    int logChunkBytes = engine.options().engine().log().chunkBytes();
    if (chunkBytes != logChunkBytes) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("chunkBytes", chunkBytes)
              .expected("dfs.bytes-per-checksum=" + logChunkBytes + " of the DataNode")
              .file(files.checksums())
              .message());
    }
    return files;
  }

  /**
   * A replica is about to be moved to another volume: it is not admitted until that is over.
   *
   * @throws IOException if it is admitted, for its changes and its reserved space lie here
   */
  Move beginMove(long blockId) throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      if (replicas.knows(blockId) || !moving.add(blockId)) {
        movesRefused.increment();
        throw new IOException(
            ErrorMessage.to("move a replica to another disk")
                .value("block", blockId)
                .expected("one that is not updated in place; it stays where it is")
                .where("storageId", engine.storageId())
                .message());
      }
      return () -> endMove(blockId);
    } finally {
      admission.unlock();
    }
  }

  /**
   * Whether a replica is being moved from here to another volume. Waits for nothing: it is asked
   * under a lock that HDFS needs for other disks, and {@link #admission} may wait for this one.
   */
  boolean isMoving(long blockId) {
    return moving.contains(blockId);
  }

  private void endMove(long blockId) {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      moving.remove(blockId);
    } finally {
      admission.unlock();
    }
  }
}
