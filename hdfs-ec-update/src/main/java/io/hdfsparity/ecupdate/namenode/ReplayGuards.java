/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.managers.SessionManagers;
import io.hdfsparity.ecupdate.session.SessionProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.security.SecurityUtil;

/**
 * Whether all NameNodes can replay that a block group was replaced. One that tails the log of
 * another needs the {@link BlockMapGuard}: without it, it would forget where the file's units are.
 * Where there is one NameNode, it replays before DataNodes report. Thread-safe.
 */
final class ReplayGuards {
  private static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY;

  private final NameNode nameNode;
  private final Configuration conf;

  ReplayGuards(NameNode nameNode, Configuration conf) {
    this.nameNode = nameNode;
    this.conf = conf;
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
      throw refused("this NameNode", null);
    }
    if (!nameNode.getNamesystem().isHaEnabled()) {
      return;
    }
    SessionManagers managers = managers();
    for (InetSocketAddress address : managers.addresses()) {
      boolean isGuarded;
      try {
        isGuarded =
            SecurityUtil.doAsLoginUser(() -> managers.call(address, SessionProtocol::isGuarded));
      } catch (IOException e) {
        throw refused("session manager " + address + ": " + e.getMessage(), e);
      }
      if (!isGuarded) {
        throw refused("session manager " + address, null);
      }
    }
  }

  private SessionManagers managers() throws IOException {
    String nameservice = Objects.requireNonNullElse(DFSUtil.getNamenodeNameServiceId(conf), "");
    SessionManagers managers = SessionManagers.byNameservice(conf).get(nameservice);
    if (managers == null) {
      throw new IOException(
          "Cannot find the other NameNodes: nameservice="
              + nameservice
              + ", expected one of "
              + List.copyOf(SessionManagers.byNameservice(conf).keySet()));
    }
    return managers;
  }

  private static IOException refused(
      String where, @org.jspecify.annotations.Nullable IOException cause) {
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
