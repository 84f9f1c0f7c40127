/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.core.check.SharedAnswer;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.LevelStatus.Readiness;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the level managers of the other NameNodes of the nameservice whether they are guarded: one
 * that is not would forget where the units of changed files are. An answer counts for a minute,
 * that one is not guarded or does not answer for ten seconds. Thread-safe.
 */
final class PeerGuards {
  private static final Logger LOG = LoggerFactory.getLogger(PeerGuards.class);

  static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY;

  private static final long VALID_MS = 60_000;
  private static final int TIMEOUT_MS = 5_000;

  /** So that callers do not each wait for a NameNode that is unresponsive, on threads of all. */
  private static final long TROUBLE_MS = 10_000;

  private final Configuration conf;
  private final List<InetSocketAddress> others;
  private final SharedAnswer<Trouble> replay;
  private final SharedAnswer<Trouble> clients;

  /** Another NameNode, and what it is instead of guarded. */
  private record Trouble(InetSocketAddress at, String guarded) {}

  private PeerGuards(Configuration conf, List<InetSocketAddress> others, LongSupplier clockMs) {
    this.conf = conf;
    this.others = List.copyOf(others);
    this.replay =
        new SharedAnswer<>(() -> first(PeerGuards::replay), VALID_MS, TROUBLE_MS, clockMs);
    this.clients =
        new SharedAnswer<>(() -> first(PeerGuards::clients), VALID_MS, TROUBLE_MS, clockMs);
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
  void requireGuarded() throws IOException {
    Optional<Trouble> trouble = replay.trouble();
    if (trouble.isPresent()) {
      throw refused(trouble.get());
    }
  }

  /**
   * Returns when all others refuse clients that do not compute the codec.
   *
   * @param policy that is to be used
   * @throws IOException naming the first that does not, or does not answer
   */
  void requireClientsGuarded(String policy) throws IOException {
    Optional<Trouble> trouble = clients.trouble();
    if (trouble.isPresent()) {
      throw clientsUnguarded(policy, trouble.get());
    }
  }

  private static String replay(Readiness readiness) {
    if (!readiness.guarded()) {
      return "false";
    }
    return readiness.replayAsserts() ? "assertions enabled" : "";
  }

  private static String clients(Readiness readiness) {
    return readiness.clientsGuarded() ? "" : "false";
  }

  /**
   * The first of the others that is in trouble.
   *
   * @param judge empty: it is as wanted
   */
  private Optional<Trouble> first(Function<Readiness, String> judge) {
    for (InetSocketAddress other : others) {
      String guarded;
      try {
        guarded = judge.apply(SecurityUtil.doAsLoginUser(() -> ask(other)).readiness());
      } catch (IOException e) {
        LOG.debug("The level manager {} does not answer", other, e);
        guarded = "unknown: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      }
      if (!guarded.isEmpty()) {
        return Optional.of(new Trouble(other, guarded));
      }
    }
    return Optional.empty();
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

  private static IOException clientsUnguarded(String policy, Trouble trouble) {
    return new IOException(
        "Cannot use a policy: policy="
            + policy
            + ", clientsGuarded="
            + trouble.guarded()
            + " at the level manager "
            + trouble.at()
            + ", expected true on every NameNode, or clients could write wrong parity after a"
            + " failover; start it with feature izs in service, and try again ten seconds later ("
            + LevelKey.PEERS_CHECK.key()
            + "=false if it never comes back)");
  }

  private static IOException refused(Trouble trouble) {
    return new IOException(
        "Cannot change levels: guarded="
            + trouble.guarded()
            + " at the level manager "
            + trouble.at()
            + ", expected true on every NameNode; start it, set "
            + POLICY_KEY
            + " there as here, with feature izs in service, and try again ten seconds later ("
            + LevelKey.PEERS_CHECK.key()
            + "=false if it never comes back)");
  }
}
