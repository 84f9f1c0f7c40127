/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * What a feature adds to the DataNode's dataset. One instance a DataNode; made from the class names
 * in {@value #CLASSES_KEY} (public no-argument constructor), in that order.
 *
 * <p>Fail closed: an exception from {@link #open}, {@link #volume} or {@link #started} stops the
 * DataNode's block pool from starting. Then {@link #close} is called, also on hooks whose open
 * threw or was not reached. Calls that Hadoop's own threads still make after close must be refused
 * by an exception.
 *
 * <p>Where a DataNode's data directory is already broken at its start, Hadoop leaves it out and
 * hooks never see it.
 */
public interface DatasetHooks extends Closeable {
  /** Comma-separated class names of the hooks to load. */
  String CLASSES_KEY = "dfs.parity.datanode.dataset.hooks";

  /** Called once, before any volume exists. */
  void open(DataNode datanode, DatasetAccess dataset, Configuration conf) throws IOException;

  /**
   * Whether {@link #volume} is asked also for volumes that another feature claims, for the units of
   * erasure-coded files there; the other feature has the replicas then.
   */
  default boolean sharesVolumes() {
    return false;
  }

  /**
   * Whether replicas are made on the storage that the NameNode has chosen, if it has room: the one
   * that the sender names, or {@link #storageFor} finds. If any hooks of a DataNode say so, it does
   * not start without {@code StorageIdVolumeChoosingPolicy}.
   */
  default boolean needsNamedStorage() {
    return true;
  }

  /**
   * Whether volumes belong together, so that no replica is moved from one to another, and all are
   * of one block pool. If any hooks of a DataNode say so, it is so for all its volumes.
   */
  default boolean pairsVolumes() {
    return true;
  }

  /**
   * Whether volumes may come and go while the DataNode runs ({@code dfsadmin -reconfig}). If any
   * hooks of a DataNode say no, none does.
   */
  default boolean allowsHotSwap() {
    return !pairsVolumes();
  }

  /**
   * Called before an administrator's reconfiguration takes volumes out of service.
   *
   * @throws IOException if they must stay: none of the reconfiguration's volumes is taken out then
   */
  default void removing(Set<String> storageIds) throws IOException {}

  /**
   * Whether a volume may be brought back to its state before an upgrade: what the hooks keep beside
   * the replicas holds for the older ones too. Asked of a new instance, before {@link #open}.
   *
   * @param volumeRoot a data directory that has such a state
   */
  default boolean allowsRollback(Path volumeRoot) throws IOException {
    return false;
  }

  /**
   * Whether a block pool is the one that the hooks work on. They work on one a DataNode: asked in
   * the order in which the pools come, also of those that come after it. The replicas of others are
   * HDFS's alone.
   *
   * @throws IOException if HDFS may not serve it alone, and the hooks cannot
   */
  default boolean takesPool(String blockPoolId) throws IOException {
    return true;
  }

  /**
   * Called after {@link #started} for a volume that was added since, when its replicas are known to
   * the dataset and before one is reported to the NameNode or read.
   *
   * @throws IOException if it cannot be served: then it is taken out of service again
   */
  default void added(String storageId) throws IOException {
    throw new IOException(
        "Cannot add volume: storageId=" + storageId + ", expected a restart of the DataNode");
  }

  /**
   * Called for each data directory before its replicas are read.
   *
   * @return the hooks of that volume, or null to leave it stock
   */
  VolumeHooks volume(String storageId, File root) throws IOException;

  /**
   * The storage for a replica that is to be made. Called before any lock of the dataset is taken,
   * so it may wait, and it may be asked again for the same block.
   *
   * @param named the storage that the sender has named; empty: it names none
   * @return empty: these hooks know no better, and the named storage or the DataNode's policy
   *     decides
   * @throws IOException if the replica is not to be made here
   */
  default Optional<String> storageFor(Optional<String> named, ExtendedBlock block)
      throws IOException {
    return Optional.empty();
  }

  /**
   * Called once all volumes and the block pool's replica map are loaded, before the DataNode
   * serves.
   */
  void started(String blockPoolId) throws IOException;

  /** Widens a set of failed storage ids to all that fail with them (all frames of one disk). */
  Set<String> widenFailure(Set<String> storageIds);

  /**
   * Called after the volumes were taken out of service, by a failure or by an administrator. The
   * volumes of one failure may come in two calls: those that were found broken, and those that
   * {@link #widenFailure} added.
   */
  void failed(Set<String> storageIds);

  /**
   * Called after an administrator's reconfiguration has taken data directories out of the
   * configuration: also of volumes that had failed before, of which {@link #failed} has been called
   * already.
   */
  default void unconfigured(Set<Path> directories) {}

  /** True when the DataNode shall stay up although volumes have failed. */
  boolean toleratesVolumeFailures();
}
