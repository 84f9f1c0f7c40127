/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.session.wire.SessionClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.security.SecurityUtil;
import org.jspecify.annotations.Nullable;

/**
 * Whether all NameNodes can replay that a block group was replaced. One that tails the log of
 * another needs the {@link BlockMapGuard}: without it, it would forget where the file's units are.
 * Where there is one NameNode, it replays before DataNodes report. What the others have answered
 * counts for a minute. Thread-safe.
 */
final class ReplayGuards {
  private static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY;
  private static final long VALID_MS = 60_000;
  private static final int TIMEOUT_MS = 5_000;

  private final NameNode nameNode;
  private final Configuration conf;
  private final List<InetSocketAddress> others;
  private final LongSupplier clockMs;
  private long askedMs;
  private boolean areGuarded;

  /**
   * Of a NameNode.
   *
   * @param clockMs milliseconds that do not go back
   */
  ReplayGuards(NameNode nameNode, Configuration conf, LongSupplier clockMs) {
    this.nameNode = nameNode;
    this.conf = conf;
    this.clockMs = clockMs;
    others = PerNameNodeAddress.ofOthers(conf, SessionOptions::address);
  }

  /** Of this NameNode. */
  boolean isHere() {
    return !StripedLevels.replayAsserts()
        && (!nameNode.getNamesystem().isHaEnabled()
            || BlockMapGuard.of(nameNode.getNamesystem().getBlockManager()).isPresent());
  }

  /**
   * Returns when all NameNodes of the nameservice are guarded.
   *
   * @throws IOException naming the first that is not, or does not answer
   */
  synchronized void require() throws IOException {
    if (!isHere()) {
      throw refused("this NameNode", /* cause= */ null);
    }
    if (areGuarded && clockMs.getAsLong() - askedMs < VALID_MS) {
      return;
    }
    for (InetSocketAddress other : others) {
      if (!isGuarded(other)) {
        throw refused("session manager " + other, /* cause= */ null);
      }
    }
    areGuarded = true;
    askedMs = clockMs.getAsLong();
  }

  private boolean isGuarded(InetSocketAddress other) throws IOException {
    try {
      return SecurityUtil.doAsLoginUser(() -> ask(other));
    } catch (IOException e) {
      throw refused("session manager " + other + ", which does not say: " + e.getMessage(), e);
    }
  }

  private boolean ask(InetSocketAddress other) throws IOException {
    try (SessionClient client = new SessionClient(other, conf, TIMEOUT_MS)) {
      try {
        return client.isGuarded();
      } catch (EOFException e) {
        // The connection was kept since before the other's restart; the next is a new one.
        return client.isGuarded();
      }
    }
  }

  private static IOException refused(String where, @Nullable IOException cause) {
    return new IOException(
        Refusal.to("replace a block group")
            .value("guarded", false)
            .expected(
                "true on every NameNode: set "
                    + POLICY_KEY
                    + "="
                    + GuardedEcPlacementPolicy.class.getName()
                    + " (or a policy that extends it), and run it without -ea")
            .where("at", where)
            .message(),
        cause);
  }
}
