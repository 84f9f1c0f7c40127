/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.ecupdate.config.ControlOptions;
import io.hdfsparity.ecupdate.control.wire.ControlPolicyProvider;
import io.hdfsparity.ecupdate.control.wire.ControlServers;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.RPC;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control server of a DataNode, while it is open. Thread-safe. */
final class ControlServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
  private final RPC.Server server;

  private ControlServer(RPC.Server server) {
    this.server = server;
  }

  /**
   * Starts it. It answers before the DataNode has its replicas, by an error.
   *
   * @param connections to the update channel; -1: it is not up
   * @throws IOException if its port is taken
   * @throws IllegalArgumentException for a key that cannot be used
   */
  static ControlServer start(DataNode datanode, IntSupplier connections) throws IOException {
    Configuration conf = new Configuration(datanode.getConf());
    ControlOptions options = ControlOptions.of(conf);
    RPC.Server server =
        ControlServers.build(
            conf,
            BindHosts.ofDataNode(conf, options.address()),
            options.handlerCount(),
            new ControlCalls(
                datanode.getDatanodeUuid(),
                () -> EcUpdateDataNodePlugin.replicasOf(datanode),
                connections,
                new SuperuserRule(conf)),
            new ControlPolicyProvider());
    server.start();
    LOG.info("The control server of in-place updates is up at {}", server.getListenerAddress());
    return new ControlServer(server);
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getListenerAddress();
  }

  @Override
  public void close() {
    server.stop();
  }
}
