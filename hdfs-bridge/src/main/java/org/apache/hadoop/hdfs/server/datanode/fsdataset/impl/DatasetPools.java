/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The block pools of a dataset: the one that its hooks serve, and those that are HDFS's alone.
 *
 * <p>States: loading → serving, or refusing for good when the hooks' start failed or the dataset
 * has been closed. Thread-safe.
 */
final class DatasetPools {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetPools.class);

  private final DatasetHookChain hooks;
  private final Set<String> stock = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String hooked;
  private volatile boolean isStarted;
  private volatile String refusal = "the dataset's hooks have not started yet";

  DatasetPools(DatasetHookChain hooks) {
    this.hooks = hooks;
  }

  /** Whether a block pool is HDFS's alone. */
  boolean isStock(String pool) {
    return stock.contains(pool);
  }

  /** The one that the hooks serve. */
  String hooked() {
    String pool = hooked;
    if (pool == null) {
      throw new IllegalStateException(
          "Cannot tell the block pool: blockPoolId=null, expected a call after addBlockPool");
    }
    return pool;
  }

  boolean isStarted() {
    return isStarted;
  }

  /**
   * Gives a pool to the hooks or to HDFS. For one thread at a time: it depends on what came before.
   *
   * @return whether it is the hooks'
   */
  boolean take(String pool) throws IOException {
    String known = hooked;
    boolean isTaken = hooks.takesPool(pool);
    if (isTaken && known != null && !known.equals(pool)) {
      throw new IOException(
          "Cannot add block pool: blockPoolId="
              + pool
              + ", expected only "
              + known
              + ": parity covers one block pool a DataNode");
    }
    if (isTaken) {
      hooked = pool;
    } else {
      LOG.info("Block pool is served as by HDFS alone: blockPoolId={}", pool);
      stock.add(pool);
    }
    return isTaken;
  }

  /** What is on the volumes is known: writes are served from now on. */
  void start(String pool) throws IOException {
    try {
      hooks.started(pool);
      refusal = "";
      isStarted = true;
    } catch (IOException | RuntimeException e) {
      refusal = "the dataset's hooks failed to start: " + e.getMessage();
      throw new IOException(
          "Cannot start block pool: blockPoolId="
              + pool
              + ", expected the dataset's hooks to start: "
              + e.getMessage(),
          e);
    }
  }

  /** Refuses a write that the hooks would not learn of. */
  void requireServing(ExtendedBlock block) throws IOException {
    if (!hooks.isEmpty() && !refusal.isEmpty() && !isStock(block.getBlockPoolId())) {
      throw new IOException(
          "Cannot write replica: block=" + block + ", expected a dataset in service: " + refusal);
    }
  }

  /**
   * The storage for a replica that is to be made: the one that the hooks know, or else the one that
   * its sender names. May wait for another daemon, so no lock of the dataset may be held.
   *
   * @param named null or empty: the sender names none
   * @return {@code named} where nobody knows better
   */
  @Nullable String storageFor(@Nullable String named, ExtendedBlock block) throws IOException {
    if (!hooks.needsNamedStorage() || isStock(block.getBlockPoolId())) {
      return named;
    }
    return hooks
        .storageFor(Optional.ofNullable(named).filter(id -> !id.isEmpty()), block)
        .orElse(named);
  }

  /** The DataNode is shutting down. */
  void close() {
    refusal = "the DataNode is shutting down";
  }
}
