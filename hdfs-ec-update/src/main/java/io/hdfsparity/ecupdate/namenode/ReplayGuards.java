/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.SharedAnswer;
import io.hdfsparity.ecupdate.wire.SessionClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.security.SecurityUtil;

/**
 * Whether all NameNodes can replay that a block group was replaced. One that tails the log of
 * another needs the {@link BlockMapGuard}: without it, it would forget where the file's units are.
 * Where there is one NameNode, it replays before DataNodes report. What the others have answered
 * counts for a minute, that they are not guarded or do not answer for ten seconds. Thread-safe.
 */
final class ReplayGuards {
  private static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY;
  private static final long VALID_MS = 60_000;
  private static final int TIMEOUT_MS = 5_000;

  /** So that those who wait for an answer do not each ask for themselves, on threads of all. */
  private static final long TROUBLE_MS = 10_000;

  private final NameNode nameNode;
  private final Configuration conf;
  private final List<InetSocketAddress> others;
  private final SharedAnswer<String> answer;

  /**
   * Of a NameNode.
   *
   * @param clockMs milliseconds that do not go back
   */
  ReplayGuards(NameNode nameNode, Configuration conf, LongSupplier clockMs) {
    this.nameNode = nameNode;
    this.conf = conf;
    answer = new SharedAnswer<>(this::ask, VALID_MS, TROUBLE_MS, clockMs);
    others = NameNodeServers.ofOthers(conf);
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
  void require() throws IOException {
    if (!isHere()) {
      throw refused("this NameNode");
    }
    Optional<String> trouble = answer.trouble();
    if (trouble.isPresent()) {
      throw refused(trouble.get());
    }
  }

  /** Empty: all others are guarded. */
  private Optional<String> ask() {
    for (InetSocketAddress other : others) {
      try {
        if (!SecurityUtil.doAsLoginUser(() -> ask(other))) {
          return Optional.of("session manager " + other);
        }
      } catch (IOException e) {
        return Optional.of("session manager " + other + ", which does not say: " + e.getMessage());
      }
    }
    return Optional.empty();
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

  private static IOException refused(String where) {
    return new IOException(
        ErrorMessage.to("replace a block group")
            .value("guarded", false)
            .expected(
                "true on every NameNode: set "
                    + POLICY_KEY
                    + "="
                    + GuardedEcPlacementPolicy.class.getName()
                    + " (or a policy that extends it), and run it without -ea")
            .where("at", where)
            .message());
  }
}
