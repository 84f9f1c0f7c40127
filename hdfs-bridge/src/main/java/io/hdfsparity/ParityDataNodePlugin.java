/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.feature.DataNodeFeature;
import io.hdfsparity.bridge.feature.FeatureHost;
import io.hdfsparity.bridge.status.DataNodeDescription;
import io.hdfsparity.bridge.status.wire.StatusProtocols;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.DaemonServer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * The suite in a DataNode: the one entry of {@code dfs.datanode.plugins}. Starts the features that
 * {@code dfs.parity.features} says, each of which fails closed by itself, and one RPC server for
 * those that serve calls.
 */
public final class ParityDataNodePlugin implements ServicePlugin {
  private final FeatureHost<DataNode, DataNodeFeature> host =
      FeatureHost.ofClassPath(DataNodeFeature.class);

  @Override
  public synchronized void start(Object service) {
    DataNode datanode = (DataNode) service;
    // The DataNode's own object: features pass words to the hooks of its dataset in it.
    host.start(
        datanode,
        datanode.getConf(),
        datanode.getDisplayName(),
        List.of(StatusProtocols.dataNode(new DataNodeDescription(datanode, host::report))),
        conf -> listening(datanode, conf));
  }

  private static DaemonServer.Listening listening(DataNode datanode, Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    return new DaemonServer.Listening(
        BindHosts.ofDataNode(conf, keys.address(SuiteKey.DATANODE_RPC_ADDRESS)),
        keys.count(SuiteKey.DATANODE_HANDLER_COUNT, 2, SuiteKey.MAX_HANDLERS),
        datanode.getBlockPoolTokenSecretManager());
  }

  @Override
  public synchronized void stop() {
    host.stop();
  }

  @Override
  public void close() {
    stop();
  }
}
