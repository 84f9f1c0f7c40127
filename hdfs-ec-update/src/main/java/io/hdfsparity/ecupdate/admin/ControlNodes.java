/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.ecupdate.config.ControlOptions;
import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.ControlClient;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * The DataNodes that serve updates, found where they report: at the session manager. What HDFS
 * knows of them does not suffice, for several may run on one host. Immutable.
 */
final class ControlNodes {
  /** Replicas of one request: a DataNode works on one for some seconds at most. */
  private static final int BATCH = 200;

  private final Configuration conf;
  private final ControlOptions options;
  private final Map<String, UpdateNode> byUuid = new TreeMap<>();

  /** A call at a DataNode. */
  @FunctionalInterface
  interface Call<T> {
    T at(ControlProtocol node) throws IOException;
  }

  /** A call about some replicas. */
  @FunctionalInterface
  interface Batch {
    ControlOutcome at(ControlProtocol node, Set<Long> blockIds) throws IOException;
  }

  private ControlNodes(Configuration conf, List<UpdateNode> nodes) {
    this.conf = conf;
    options = ControlOptions.of(conf);
    nodes.forEach(node -> byUuid.put(node.uuid(), node));
  }

  /** Asks the session managers of a file system. */
  static ControlNodes of(Configuration conf, SessionManagers managers) throws IOException {
    return new ControlNodes(conf, managers.callActive(SessionProtocol::nodes));
  }

  Collection<UpdateNode> all() {
    return byUuid.values();
  }

  /**
   * Calls a DataNode.
   *
   * @throws IOException too, if it does not serve updates
   */
  <T> T call(String uuid, Call<T> call) throws IOException {
    UpdateNode node = byUuid.get(uuid);
    if (node == null || node.controlPort() == 0) {
      throw new IOException(
          "Cannot call a DataNode: uuid="
              + uuid
              + ", expected one that reports a control server to the session manager");
    }
    InetSocketAddress address = NetUtils.createSocketAddrForHost(node.host(), node.controlPort());
    try (ControlClient client = new ControlClient(address, conf, options.clientTimeoutMs())) {
      return call.at(client);
    }
  }

  /** Has something done for all replicas of a DataNode, in as many calls as it takes. */
  ControlOutcome each(String uuid, Set<Long> blockIds, Batch batch) throws IOException {
    return call(
        uuid,
        node -> {
          long done = 0;
          long absent = 0;
          List<ControlOutcome.Failure> failures = new ArrayList<>();
          List<Long> left = new ArrayList<>(blockIds);
          while (!left.isEmpty()) {
            List<Long> now = left.subList(0, Math.min(BATCH, left.size()));
            ControlOutcome outcome = batch.at(node, new TreeSet<>(now));
            done += outcome.done();
            absent += outcome.absent();
            failures.addAll(outcome.failures());
            now.clear();
            left.addAll(outcome.left());
          }
          return new ControlOutcome(done, absent, failures, List.of());
        });
  }
}
