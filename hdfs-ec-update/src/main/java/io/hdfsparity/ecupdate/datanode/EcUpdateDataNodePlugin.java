/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityFsDataset;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-place updates in a DataNode, named in {@code dfs.datanode.plugins}: what may serve updates of
 * its replicas gets them here.
 *
 * <p>Fail closed: Hadoop logs and ignores a plugin that throws in start. A DataNode that goes on
 * with its stock dataset would serve replicas without their changes, so this one ends the process.
 * Thread-safe.
 */
public final class EcUpdateDataNodePlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(EcUpdateDataNodePlugin.class);
  private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
  private volatile @Nullable DataNode datanode;
  private volatile @Nullable UpdateServing serving;

  /** Made by Hadoop, by name. */
  public EcUpdateDataNodePlugin() {}

  @Override
  public void start(Object service) {
    DataNode started = (DataNode) service;
    try {
      check(started.getConf());
    } catch (IllegalArgumentException e) {
      LOG.error("The DataNode ends: it would serve replicas without their changes", e);
      ExitUtil.terminate(1, e);
    }
    datanode = started;
    serving = UpdateServing.start(started);
    LOG.info("In-place updates are in service");
  }

  /**
   * Refuses a configuration under which replicas would be served without their changes.
   *
   * @throws IllegalArgumentException naming the key
   */
  static void check(Configuration conf) {
    require(
        ParityDatasetFactory.class.getName().equals(conf.getTrimmed(FACTORY_KEY)),
        FACTORY_KEY,
        conf.getTrimmed(FACTORY_KEY),
        ParityDatasetFactory.class.getName());
    require(
        Arrays.asList(conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY))
            .contains(EcUpdateDatasetHooks.class.getName()),
        DatasetHooks.CLASSES_KEY,
        conf.getTrimmed(DatasetHooks.CLASSES_KEY),
        EcUpdateDatasetHooks.class.getName() + " among them");
    StorageOptions.of(conf);
  }

  private static void require(boolean holds, String key, @Nullable String value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "Cannot start in-place updates: " + key + "=" + value + ", expected " + rule);
    }
  }

  /**
   * The replicas of the DataNode.
   *
   * @throws IOException before the DataNode has its block pool, and after it has stopped
   */
  public UpdateReplicas replicas() throws IOException {
    return replicasOf(datanode);
  }

  /** As {@link #replicas}, of any DataNode of this process. */
  public static UpdateReplicas replicasOf(@Nullable DataNode node) throws IOException {
    return hooksOf(node).replicas();
  }

  /** The hooks of a DataNode in service. */
  static EcUpdateDatasetHooks hooksOf(@Nullable DataNode node) throws IOException {
    FsDatasetSpi<?> dataset = node == null ? null : node.getFSDataset();
    if (!(dataset instanceof ParityFsDataset parity)) {
      throw new IOException(
          "Cannot serve updates: dataset="
              + dataset
              + ", expected a DataNode in service with ours");
    }
    return parity
        .hooks(EcUpdateDatasetHooks.class)
        .orElseThrow(
            () ->
                new IOException(
                    "Cannot serve updates: "
                        + DatasetHooks.CLASSES_KEY
                        + ", expected "
                        + EcUpdateDatasetHooks.class.getName()));
  }

  @Override
  public void stop() {
    UpdateServing served = serving;
    serving = null;
    if (served != null) {
      served.close();
    }
    datanode = null;
  }

  @Override
  public void close() {
    stop();
  }
}
