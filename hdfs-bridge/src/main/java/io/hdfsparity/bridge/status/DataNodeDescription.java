/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import io.hdfsparity.core.gf.Kernels;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Time;

/** Describes a DataNode. Thread-safe. */
public final class DataNodeDescription implements SuiteStatusProtocol {
  private final DataNode datanode;
  private final Supplier<List<FeatureStatus>> features;

  /**
   * @param features asked at each call
   */
  public DataNodeDescription(DataNode datanode, Supplier<List<FeatureStatus>> features) {
    this.datanode = datanode;
    this.features = features;
  }

  @Override
  public DaemonStatus describe() throws IOException {
    long clockMs = Time.now();
    String uuid = datanode.getDatanodeUuid();
    return new DaemonStatus(
        DaemonStatus.Software.here(nativeCode()),
        clockMs,
        features.get(),
        ReportedKeys.of(datanode.getConf()),
        directories(),
        Optional.empty(),
        uuid == null ? "" : uuid);
  }

  /** Why there is no native kernel; empty: there is one. */
  private static String nativeCode() {
    List<Kernels.Candidate> natives =
        Kernels.table().candidates().stream().filter(Kernels.Candidate::isNative).toList();
    return natives.stream().anyMatch(Kernels.Candidate::isSupported)
        ? ""
        : natives.stream().map(Kernels.Candidate::reason).findFirst().orElse("none is known");
  }

  private List<DirectorySpace> directories() {
    return DataNode.getStorageLocations(datanode.getConf()).stream()
        .filter(each -> each.getStorageType() != StorageType.PROVIDED)
        .map(each -> new File(each.getUri()))
        .map(
            each -> new DirectorySpace(each.getPath(), each.getTotalSpace(), each.getUsableSpace()))
        .toList();
  }
}
