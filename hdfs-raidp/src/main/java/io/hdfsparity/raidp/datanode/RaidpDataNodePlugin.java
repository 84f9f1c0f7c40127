/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.raidp.config.RaidpOptions;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RAIDP's part of the DataNode, named in {@code dfs.datanode.plugins}. Checks that everything is
 * configured together and opens the gate for writes.
 *
 * <p>Fails closed: HDFS only logs what {@link #start} throws and goes on; the hooks refuse writes
 * until this plugin has said that it is in service, and again when it is stopped. The work itself
 * is done by {@link RaidpDatasetHooks}, because HDFS starts plugins before there is a dataset.
 */
public final class RaidpDataNodePlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(RaidpDataNodePlugin.class);
  private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
  private static final String FACTORY =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory";
  private @Nullable PluginGate gate;

  @Override
  public synchronized void start(Object service) {
    DataNode datanode = (DataNode) service;
    Configuration conf = datanode.getConf();
    require(
        FACTORY.equals(conf.getTrimmed(FACTORY_KEY)),
        FACTORY_KEY,
        conf.getTrimmed(FACTORY_KEY),
        FACTORY);
    String hooks = conf.getTrimmed(DatasetHooks.CLASSES_KEY, "");
    require(
        Arrays.asList(conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY))
            .contains(RaidpDatasetHooks.class.getName()),
        DatasetHooks.CLASSES_KEY,
        hooks,
        RaidpDatasetHooks.class.getName() + " among them");
    RaidpOptions.node(conf);
    gate = new PluginGate(conf, datanode);
    gate.open();
    LOG.info("RAIDP plugin is in service");
  }

  private static void require(boolean holds, String key, @Nullable String value, String rule) {
    if (!holds) {
      throw new IllegalStateException(
          "Cannot start RAIDP plugin: " + key + "=" + value + ", expected " + rule);
    }
  }

  @Override
  public synchronized void stop() {
    if (gate != null) {
      gate.close();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
