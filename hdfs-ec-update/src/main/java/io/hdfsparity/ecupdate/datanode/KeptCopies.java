/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies on a volume that were to be deleted as duplicates, and were kept: {@link
 * UpdateVolume#requireNotNeeded}. HDFS has forgotten them. It can use one when the other replica is
 * out of its map, which is some time after its deletion was ordered. Not kept over a restart, at
 * which HDFS deletes duplicates again. Thread-safe.
 */
final class KeptCopies {
  private static final Logger LOG = LoggerFactory.getLogger(KeptCopies.class);

  private final String storageId;
  private final DatasetAccess dataset;
  private final Set<Long> unsettled = ConcurrentHashMap.newKeySet();

  /** The other replica has to go. */
  private final Set<Long> waiting = ConcurrentHashMap.newKeySet();

  KeptCopies(String storageId, DatasetAccess dataset) {
    this.storageId = storageId;
    this.dataset = dataset;
  }

  void add(long blockId) {
    unsettled.add(blockId);
  }

  /** Those of whose blocks nobody has decided yet which replica counts; once. */
  Set<Long> takeUnsettled() {
    Set<Long> taken = Set.copyOf(unsettled);
    unsettled.removeAll(taken);
    return taken;
  }

  /** Copies are to be used unless another replica is: {@link #use} does it. */
  void settled(Set<Long> blockIds) {
    waiting.addAll(blockIds);
  }

  /**
   * Has HDFS use copies whose other replicas are gone. To be called from time to time; may wait for
   * the disk and for HDFS's locks.
   *
   * @param volumes all of the DataNode
   */
  void use(Collection<UpdateVolume> volumes) {
    Set<Long> free = new TreeSet<>();
    for (long blockId : waiting) {
      if (dataset.replica(storageId, blockId) != null
          || volumes.stream().anyMatch(each -> isOther(each) && each.isInUse(blockId))) {
        waiting.remove(blockId);
      } else if (volumes.stream().noneMatch(each -> isOther(each) && each.isMapped(blockId))
          && waiting.remove(blockId)) {
        free.add(blockId); // by one thread
      }
    }
    if (free.isEmpty()) {
      return;
    }
    IOException failure = null;
    try {
      dataset.findRefusedDeletes(storageId, free::contains);
    } catch (IOException e) {
      failure = e;
    }
    free.removeIf(blockId -> dataset.replica(storageId, blockId) != null);
    if (!free.isEmpty()) {
      LOG.error(
          "Rebuilt replicas are not used before the next scan of directories: storageId={} blocks={}",
          storageId,
          free,
          failure);
    }
  }

  private boolean isOther(UpdateVolume volume) {
    return !volume.storageId().equals(storageId);
  }
}
