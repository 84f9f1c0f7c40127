/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.feature.DataNodeFeature;
import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.ecupdate.wire.ControlProtocols;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityFsDataset;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.ExitUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-place updates in a DataNode: what may serve updates of its replicas gets them here.
 *
 * <p>Fail closed: a DataNode that continues with its stock dataset would serve replicas without
 * their changes, so this one ends the process. By default it is on where its hooks are named, and
 * where a replica of this DataNode was ever updated. Thread-safe.
 */
public final class EcUpdateDataNodeFeature implements DataNodeFeature {
  private static final Logger LOG = LoggerFactory.getLogger(EcUpdateDataNodeFeature.class);
  private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
  private volatile @Nullable FeatureContext<DataNode> context;
  private volatile @Nullable UpdateServing serving;

  @Override
  public String name() {
    return "ecupdate";
  }

  @Override
  public List<Service> protocols() {
    return List.of(ControlProtocols.CONTROL);
  }

  @Override
  public Optional<String> lacks(Configuration conf) {
    return hasHooks(conf) || hasEverAdmitted(conf)
        ? Optional.empty()
        : Optional.of(
            DatasetHooks.CLASSES_KEY + "=" + EcUpdateDatasetHooks.class.getName() + " among them");
  }

  private static boolean hasHooks(Configuration conf) {
    return Arrays.asList(conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY))
        .contains(EcUpdateDatasetHooks.class.getName());
  }

  private static boolean hasEverAdmitted(Configuration conf) {
    return DataNode.getStorageLocations(conf).stream()
        .filter(volume -> volume.getStorageType() != StorageType.PROVIDED)
        .anyMatch(EcUpdateDataNodeFeature::hasEverAdmitted);
  }

  /** Of a disk that has failed, which HDFS takes out of service, nobody knows; others count. */
  private static boolean hasEverAdmitted(StorageLocation volume) {
    try {
      return UpdateDirectory.hasEverAdmitted(new File(volume.getUri()).toPath());
    } catch (IOException e) {
      LOG.warn("Cannot look for updated replicas: volume={}", volume, e);
      return false;
    }
  }

  /** Ends the process if it would serve replicas without their changes. */
  @Override
  public void protect(DataNode datanode) {
    endUnless(() -> check(datanode.getConf()));
  }

  /** Updated replicas do not go away because updates are switched off. */
  @Override
  public void protectWhenOff(DataNode datanode) {
    endUnless(() -> checkWhenOff(datanode.getConf()));
  }

  private static void endUnless(Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      LOG.error("The DataNode ends: it would serve replicas without their changes", e);
      ExitUtil.terminate(1, e);
    }
  }

  @Override
  public void start(FeatureContext<DataNode> started) throws IOException {
    DataNode datanode = started.daemon();
    context = started;
    started.serve(
        ControlProtocols.control(
            new ControlCalls(
                datanode::getDatanodeUuid,
                () -> replicasOf(datanode),
                this::connections,
                new SuperuserRule(started.conf()))));
  }

  /** To the update channel; -1: it is not up. */
  private int connections() {
    UpdateServing now = serving;
    return now == null ? -1 : now.connections();
  }

  @Override
  public void ready() {
    FeatureContext<DataNode> started = context;
    if (started != null) {
      serving = UpdateServing.start(started.daemon(), started.address().getPort());
    }
  }

  @Override
  public void failed(Throwable cause) {
    stop();
  }

  /** What of it does not work. */
  @Override
  public Optional<String> trouble() {
    UpdateServing now = serving;
    return now == null ? Optional.empty() : now.trouble();
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
        hasHooks(conf),
        DatasetHooks.CLASSES_KEY,
        conf.getTrimmed(DatasetHooks.CLASSES_KEY),
        EcUpdateDatasetHooks.class.getName() + " among them");
    StorageOptions.of(conf);
  }

  /** The same where updates are off: only if a replica was ever updated. */
  static void checkWhenOff(Configuration conf) {
    if (hasEverAdmitted(conf)) {
      check(conf);
    }
  }

  private static void require(boolean holds, String key, @Nullable String value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "Cannot start in-place updates: " + key + "=" + value + ", expected " + rule);
    }
  }

  /**
   * The replicas of a DataNode.
   *
   * @throws IOException before the DataNode has its block pool, and after it has stopped
   */
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
    context = null;
  }
}
