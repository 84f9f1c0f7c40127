/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.feature.DataNodeFeature;
import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityFsDataset;
import org.apache.hadoop.security.authorize.Service;
import org.jspecify.annotations.Nullable;

/**
 * RAIDP's part of the DataNode. Checks that everything is configured together, serves partners, and
 * opens the gate for writes.
 *
 * <p>Fails closed: the hooks refuse writes until this feature is in service, and again when it is
 * stopped. The work itself is done by {@link RaidpDatasetHooks}, because HDFS starts plugins before
 * there is a dataset.
 */
public class RaidpDataNodeFeature implements DataNodeFeature {
  private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
  private static final String FACTORY =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory";

  private volatile @Nullable FeatureContext<DataNode> context;
  private @Nullable ServiceFlag gate;

  @Override
  public final String name() {
    return "raidp";
  }

  @Override
  public final List<Service> protocols() {
    return List.of(RaidpProtocols.PEER, RaidpProtocols.RANGE);
  }

  @Override
  public final Optional<String> lacks(Configuration conf) {
    String hooks = RaidpDatasetHooks.class.getName();
    return Arrays.asList(conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY)).contains(hooks)
        ? Optional.empty()
        : Optional.of(DatasetHooks.CLASSES_KEY + "=" + hooks + " among them");
  }

  @Override
  public void start(FeatureContext<DataNode> started) {
    DataNode datanode = started.daemon();
    Configuration conf = started.conf();
    String factory = conf.getTrimmed(FACTORY_KEY);
    if (!FACTORY.equals(factory)) {
      throw new IllegalStateException(
          "Cannot start RAIDP in the DataNode: "
              + FACTORY_KEY
              + "="
              + factory
              + ", expected "
              + FACTORY);
    }
    RaidpOptions.node(conf);
    started.serve(RaidpProtocols.peer(() -> hooks(datanode).peerService()));
    started.serve(RaidpProtocols.range(() -> hooks(datanode).rangeService()));
    context = started;
    // Not the copy: the hooks read the DataNode's own.
    gate = new ServiceFlag(datanode.getConf(), datanode);
  }

  private static List<DiskPlaces.Place> configured(Configuration conf) {
    return RaidpOptions.node(conf).disks().stream()
        .map(disk -> new DiskPlaces.Place(disk.root(), disk.lstorDir(), List.of()))
        .toList();
  }

  private static RaidpDatasetHooks hooks(DataNode datanode) throws ConnectException {
    if (datanode.getFSDataset() instanceof ParityFsDataset dataset) {
      Optional<RaidpDatasetHooks> hooks = dataset.hooks(RaidpDatasetHooks.class);
      if (hooks.isPresent()) {
        return hooks.get();
      }
    }
    throw new ConnectException("Cannot serve a caller: dataset=not there yet, expected ours");
  }

  @Override
  public final void ready() {
    if (gate != null && context != null) {
      gate.open(context.address());
    }
  }

  @Override
  public final Map<String, String> figures() {
    FeatureContext<DataNode> started = context;
    if (started == null) {
      return Map.of();
    }
    try {
      return LstorDirectories.figures(hooks(started.daemon()).places());
    } catch (ConnectException e) {
      return LstorDirectories.figures(configured(started.conf()));
    }
  }

  @Override
  public final void failed(Throwable cause) {
    stop();
  }

  @Override
  public final void stop() {
    if (gate != null) {
      gate.close();
    }
  }
}
