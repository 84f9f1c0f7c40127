/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What HDFS does with replicas of a volume that were admitted to updates: copies arrive under their
 * names, files are deleted, lost and found again. Thread-safe.
 */
final class ReplicaChanges {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaChanges.class);

  private final VolumeEngine engine;
  private final AdmittedReplicas replicas;
  private final ReplicaUses uses;
  private final StockReads reads;

  /** As {@link AdmittedReplicas#changing}. */
  private final ReentrantLock admission;

  ReplicaChanges(
      VolumeEngine engine, AdmittedReplicas replicas, ReplicaUses uses, StockReads reads) {
    this.engine = engine;
    this.replicas = replicas;
    this.uses = uses;
    this.reads = reads;
    admission = replicas.changing();
  }

  /**
   * A copy arrives under the name of a replica that had updates: its bytes are not known to be
   * those of the group, and it counts as AJX's INIT before anybody sees it.
   */
  void arriving(long blockId, long generationStamp, File block, File meta, long lengthBytes)
      throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      if (replicas.knows(blockId) && engine.isGone(blockId)) {
        lost(blockId); // no hook was called if HDFS had forgotten it before
      }
      if (replicas.isLost(blockId) && engine.isGone(blockId)) {
        // What arrives is all that there is of it: as if it had never been here.
        engine.forgetRemoved(blockId);
        replicas.forget(blockId);
        return;
      }
      ReplicaDescriptor before = replicas.latest(blockId);
      if (before == null && !replicas.knows(blockId) && !replicas.isRemoved(blockId)) {
        return;
      }
      if (before == null || before.lengthBytes() != lengthBytes) {
        throw replicas.refusal(blockId, "a copy with lengthBytes=" + lengthBytes + " has arrived");
      }
      replicas.stopWrites(blockId);
      ReplicaDescriptor descriptor = before.withGenerationStamp(generationStamp);
      boolean isTaken = false;
      try {
        take(blockId, descriptor, block, meta);
        isTaken = true;
      } finally {
        if (!isTaken) {
          replicas.remove(blockId, before); // HDFS deletes what has come, and may send it again
        }
      }
    } finally {
      admission.unlock();
    }
  }

  private void take(long blockId, ReplicaDescriptor descriptor, File block, File meta)
      throws IOException {
    File home = engine.finalPlace(blockId, block.getName());
    Files.deleteIfExists(engine.here().reservedSpace(blockId));
    uses.arrived(blockId);
    reads.admit(blockId, descriptor, engine.files(block, meta, blockId));
    // Before the descriptor: after a crash between the two, a file of the replica before may still
    // be there, and would be served without the changes that it had in the log.
    engine.running().arrived(engine.key(blockId));
    engine.here().admit(blockId, descriptor);
    File homeMeta = new File(home.getParentFile(), meta.getName());
    reads.admit(blockId, descriptor, engine.files(home, homeMeta, blockId));
    engine.here().forgetRemoved(blockId);
  }

  /**
   * A copy that another DataNode has sent arrives: transferred, or rebuilt. What it was made from,
   * or what was lost, may come back, and the NameNode could not tell the two: its group takes no
   * updates. Durable on return.
   */
  void copyArrived(long blockId) throws IOException {
    uses.keepReceived(blockId);
  }

  /** As {@link #copyArrived}, of one that comes from another disk of the DataNode. */
  void moveArrived(long blockId) throws IOException {
    uses.keepCopied(blockId);
  }

  /**
   * Another volume of this DataNode has a copy that has arrived since: the replica here does not
   * count any more, and its changes, which the copy has, do not fill the log. Durable on return.
   */
  void superseded(long blockId, @Nullable ReplicaDescriptor descriptor) throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      drop(blockId, descriptor);
    } finally {
      admission.unlock();
    }
  }

  /**
   * Withholds a replica that has no changes, for another file of its block on this DataNode has
   * some: durable on return, unless its disk cannot be written. One that has changes, too, is
   * withheld until a restart: nobody can say which of them are right.
   *
   * @param descriptor of the other one
   */
  void lacksChanges(long blockId, ReplicaDescriptor descriptor, IOException why) {
    admission.lock();
    try {
      replicas.stopWrites(blockId);
      if (replicas.find(blockId) == null) {
        replicas.remove(blockId, descriptor);
        engine.here().keepOut(blockId, descriptor);
      }
    } catch (IOException e) {
      LOG.error(
          "Cannot note that a replica lacks changes: storageId={} block={}",
          engine.storageId(),
          blockId,
          e);
    } finally {
      replicas.withhold(blockId, why);
      admission.unlock();
    }
  }

  /**
   * Refuses what would change the files of a replica behind the engine's back. What is not refused
   * is noticed by an admission that has looked at the replica before.
   */
  void refuseIfAdmitted(String doing, long blockId) throws IOException {
    if (!reads.takes(blockId)) {
      return;
    }
    admission.lock();
    try {
      replicas.changes().add(blockId);
      if (replicas.knows(blockId)) {
        throw new IOException(
            ErrorMessage.to(doing)
                .value("block", blockId)
                .expected("no replica that is updated in place")
                .where("storageId", engine.storageId())
                .message());
      }
    } finally {
      admission.unlock();
    }
  }

  /** The block file of a replica is about to be deleted. */
  void deleting(long blockId) throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      Admitted replica = replicas.find(blockId);
      if (replica == null) {
        if (replicas.unreadable().contains(blockId)) {
          drop(blockId, /* descriptor= */ null);
        } else if (!replicas.knows(blockId)) {
          uses.deleting(blockId);
        }
        return;
      }
      drop(blockId, replica.descriptor());
    } finally {
      admission.unlock();
    }
  }

  private void drop(long blockId, @Nullable ReplicaDescriptor descriptor) throws IOException {
    replicas.stopWrites(blockId);
    // Should the block file outlive a crash from here on, it does not count.
    engine.here().remove(blockId);
    replicas.remove(blockId, descriptor);
    uses.drop(blockId);
    engine.dropped(blockId);
    engine.here().deleteState(blockId);
  }

  /** The files of a replica are gone, but perhaps for its checksums. */
  void deleted(long blockId) throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      if (replicas.isRemoved(blockId) && !replicas.isLost(blockId) && engine.isGone(blockId)) {
        engine.forgetRemoved(blockId);
        replicas.forget(blockId);
      }
    } finally {
      admission.unlock();
    }
  }

  /**
   * HDFS does not find a block file, and forgets the replica. It may come back, with the bytes that
   * it had. One that is gone for certain loses its changes, which would fill the log, and does not
   * count from then on. One that cannot be accessed keeps them, and is right when it can be. What
   * is noted of plain replicas is kept: of what was copied the copy is still there.
   *
   * @throws IOException if its directory here cannot be found either: nothing was dropped
   */
  void lost(long blockId) throws IOException {
    admission.lock();
    try {
      replicas.changes().add(blockId);
      boolean isAdmitted =
          replicas.find(blockId) != null || replicas.unreadable().contains(blockId);
      if (!engine.isGone(blockId)) {
        if (isAdmitted) {
          LOG.warn(
              "Cannot access the block file of a replica; its changes are kept: storageId={} block={}",
              engine.storageId(),
              blockId);
        }
        return;
      }
      if (isAdmitted) {
        deleting(blockId);
      }
      if (replicas.isRemoved(blockId)) {
        LOG.warn(
            "Replica with updates is gone: storageId={} block={}", engine.storageId(), blockId);
        replicas.lose(blockId, replicas.latest(blockId));
      }
    } finally {
      admission.unlock();
    }
  }

  /**
   * A block file has come back.
   *
   * @throws IOException unless it is still what its descriptor says
   */
  void restored(long blockId, File block) throws IOException {
    admission.lock();
    try {
      replicas.cameBack(blockId);
    } finally {
      admission.unlock();
    }
    replicas.requireUsable(blockId);
    Admitted replica = replicas.find(blockId);
    if (replica != null && block.length() != replica.descriptor().lengthBytes()) {
      throw replicas.refusal(blockId, "its file has lengthBytes=" + block.length());
    }
  }
}
