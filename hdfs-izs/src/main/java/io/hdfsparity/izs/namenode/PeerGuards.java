/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.SecurityUtil;
import org.jspecify.annotations.Nullable;

/**
 * Asks the level managers of the other NameNodes of the nameservice whether they are guarded: one
 * that is not would forget where the units of changed files are. An answer counts for a minute.
 * Thread-safe.
 */
final class PeerGuards {
  static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY;

  private static final long VALID_MS = 60_000;
  private static final int TIMEOUT_MS = 5_000;

  private final Configuration conf;
  private final List<InetSocketAddress> others;
  private final LongSupplier clockMs;
  private long validUntilMs = Long.MIN_VALUE;
  private long clientsValidUntilMs = Long.MIN_VALUE;

  private PeerGuards(Configuration conf, List<InetSocketAddress> others, LongSupplier clockMs) {
    this.conf = conf;
    this.others = List.copyOf(others);
    this.clockMs = clockMs;
  }

  /** Of this NameNode's configuration; without other NameNodes, nothing is asked. */
  static PeerGuards of(Configuration conf, LevelOptions options, LongSupplier clockMs) {
    List<InetSocketAddress> others =
        options.checkPeers() ? NameNodeServers.ofOthers(conf) : List.of();
    return new PeerGuards(conf, others, clockMs);
  }

  /**
   * Returns when all others are guarded.
   *
   * @throws IOException naming the first that is not, or does not answer
   */
  synchronized void requireGuarded() throws IOException {
    if (clockMs.getAsLong() < validUntilMs) {
      return;
    }
    for (InetSocketAddress other : others) {
      LevelStatus status;
      try {
        status = SecurityUtil.doAsLoginUser(() -> ask(other));
      } catch (IOException e) {
        throw refused(other, "unknown: " + e.getMessage(), e);
      }
      if (!status.readiness().guarded() || status.readiness().replayAsserts()) {
        throw refused(other, status.readiness().guarded() ? "assertions enabled" : "false", null);
      }
    }
    validUntilMs = clockMs.getAsLong() + VALID_MS;
  }

  /**
   * Returns when all others refuse clients that do not compute the codec.
   *
   * @param policy that is to be used
   * @throws IOException naming the first that does not, or does not answer
   */
  synchronized void requireClientsGuarded(String policy) throws IOException {
    if (clockMs.getAsLong() < clientsValidUntilMs) {
      return;
    }
    for (InetSocketAddress other : others) {
      boolean isGuarded;
      try {
        isGuarded = SecurityUtil.doAsLoginUser(() -> ask(other)).readiness().clientsGuarded();
      } catch (IOException e) {
        throw clientsUnguarded(policy, other, "unknown: " + e.getMessage(), e);
      }
      if (!isGuarded) {
        throw clientsUnguarded(policy, other, "false", null);
      }
    }
    clientsValidUntilMs = clockMs.getAsLong() + VALID_MS;
  }

  private static IOException clientsUnguarded(
      String policy, InetSocketAddress other, String guarded, @Nullable IOException cause) {
    return new IOException(
        "Cannot use a policy: policy="
            + policy
            + ", clientsGuarded="
            + guarded.lines().findFirst().orElse("")
            + " at the level manager "
            + other
            + ", expected true on every NameNode, or clients could write wrong parity after a"
            + " failover; start it with feature izs in service ("
            + LevelKey.PEERS_CHECK.key()
            + "=false if it never comes back)",
        cause);
  }

  private LevelStatus ask(InetSocketAddress other) throws IOException {
    try (LevelClient client = new LevelClient(other, conf, TIMEOUT_MS)) {
      return client.status();
    } catch (EOFException e) {
      // The connection was kept since before the other's restart; the next is a new one.
      try (LevelClient again = new LevelClient(other, conf, TIMEOUT_MS)) {
        return again.status();
      }
    }
  }

  private static IOException refused(
      InetSocketAddress other, String guarded, @Nullable IOException cause) {
    return new IOException(
        "Cannot change levels: guarded="
            + guarded.lines().findFirst().orElse("")
            + " at the level manager "
            + other
            + ", expected true on every NameNode; start it, and set "
            + POLICY_KEY
            + " there as here, with feature izs in service ("
            + LevelKey.PEERS_CHECK.key()
            + "=false if it never comes back)",
        cause);
  }
}
