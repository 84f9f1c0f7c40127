/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of a DataNode of which it has found damage: it executes no request of an update session
 * on them any more, until they are deleted or the DataNode is restarted. The NameNode is told, so
 * that programs can rewrite their block groups as if the DataNode were lost (ADR 0046).
 * Thread-safe.
 */
final class GivenUpReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(GivenUpReplicas.class);

  /** All of them are in each report to each NameNode. */
  static final int MAX_REPLICAS = 10_000;

  private static final BooleanSupplier QUIET = () -> true;

  /** By block id: whether no request from before is being executed. */
  private final Map<Long, BooleanSupplier> givenUp = new ConcurrentHashMap<>();

  /**
   * No request of this replica is begun from now on. Takes no lock.
   *
   * @param isQuiet whether none that was begun before is being executed; asked until it is so
   */
  void giveUp(long blockId, BooleanSupplier isQuiet) {
    if (givenUp.size() >= MAX_REPLICAS && !givenUp.containsKey(blockId)) {
      LOG.error("Damaged replica is not given up: block={} givenUp={}", blockId, MAX_REPLICAS);
      return;
    }
    if (givenUp.putIfAbsent(blockId, isQuiet) == null) {
      LOG.error("Damaged replica takes no more updates: block={}", blockId);
    }
  }

  /**
   * Asked under the lock of a request's slot, before it is executed.
   *
   * @throws IOException if the replica was given up
   */
  void requireServed(long blockId) throws IOException {
    if (!givenUp.isEmpty() && givenUp.containsKey(blockId)) {
      throw new IOException(
          ErrorMessage.to("serve updates of a replica")
              .value("damaged", true)
              .expected(
                  "bytes that fit their checksums: programs that have the file open rewrite its"
                      + " block group; see hdfs fsck")
              .where("block", blockId)
              .message());
    }
  }

  /** Those of which no request is being executed, nor ever will be in this process. */
  Set<Long> quiet() {
    Set<Long> quiet = new HashSet<>();
    givenUp.forEach(
        (blockId, isQuiet) -> {
          if (isQuiet.getAsBoolean()) {
            givenUp.replace(blockId, isQuiet, QUIET); // for good: no engine is kept for it
            quiet.add(blockId);
          }
        });
    return quiet;
  }

  /** A replica is gone, and with it all that was known of it. */
  void forget(long blockId) {
    givenUp.remove(blockId);
  }
}
