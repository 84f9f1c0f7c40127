/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.storage.ReplicaStore;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of a DataNode of which it has found damage: this process executes no request of a cell
 * of theirs any more, whatever becomes of them. The NameNode learns of them, so that programs can
 * rewrite their block groups as if the DataNode were lost (ADR 0046). Thread-safe.
 */
final class GivenUpReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(GivenUpReplicas.class);

  /** All of them are in each report to each NameNode. */
  static final int MAX_REPLICAS = 10_000;

  /**
   * What is still to be done about a replica.
   *
   * @param isQuiet whether no request from before is being executed; null once none is
   * @param then to be run once, when none is
   */
  private record Pending(@Nullable BooleanSupplier isQuiet, Runnable then) {}

  /** For good: no engine is kept for it. */
  private static final Pending NOTHING = new Pending(null, () -> {});

  private final Map<Long, Pending> givenUp = new ConcurrentHashMap<>();
  private final Executor mayBlock;

  /**
   * None yet.
   *
   * @param mayBlock for what may wait for HDFS's locks
   */
  GivenUpReplicas(Executor mayBlock) {
    this.mayBlock = mayBlock;
  }

  /**
   * No request of this replica is begun from now on. Takes no lock, as whoever finds damage may
   * hold those of the engine.
   *
   * @param isQuiet whether none that was begun before is being executed; asked until it is so
   * @param then run once when that is so; may wait for HDFS's locks
   */
  void giveUp(long blockId, BooleanSupplier isQuiet, Runnable then) {
    if (givenUp.size() >= MAX_REPLICAS && !givenUp.containsKey(blockId)) {
      LOG.error("Damaged replica is not given up: block={} givenUp={}", blockId, MAX_REPLICAS);
      return;
    }
    if (givenUp.putIfAbsent(blockId, new Pending(isQuiet, then)) == null) {
      LOG.error("Damaged replica takes no more updates: block={}", blockId);
    }
  }

  /**
   * Asked under the lock of a request's slot, before it is executed.
   *
   * @throws IOException if the replica was given up
   */
  void requireServed(long blockId) throws IOException {
    // Not after a look at the map's size, which counts an entry later than a report may name it.
    if (contains(blockId)) {
      throw new IOException(
          ErrorMessage.to("serve updates of a replica")
              .value("damaged", true)
              .expected(ReplicaStore.UNDAMAGED)
              .where("block", blockId)
              .message());
    }
  }

  /** Whether a replica was given up. */
  boolean contains(long blockId) {
    return givenUp.containsKey(blockId);
  }

  /** Those of which no request is being executed, nor ever will be in this process. */
  Set<Long> quiet() {
    Set<Long> quiet = new HashSet<>();
    givenUp.forEach(
        (blockId, pending) -> {
          BooleanSupplier isQuiet = pending.isQuiet();
          if (isQuiet == null) {
            quiet.add(blockId);
          } else if (isQuiet.getAsBoolean()) {
            quiet.add(blockId);
            if (givenUp.replace(blockId, pending, NOTHING)) {
              run(blockId, pending.then());
            }
          }
        });
    return quiet;
  }

  private void run(long blockId, Runnable then) {
    try {
      mayBlock.execute(
          () -> {
            try {
              then.run();
            } catch (RuntimeException e) {
              LOG.warn("Cannot tell the NameNode of a damaged replica: block={}", blockId, e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("The DataNode is being stopped", e);
    }
  }
}
