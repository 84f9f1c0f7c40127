/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks;
import io.hdfsparity.ecupdate.namenode.UpdateSessionManager;
import io.hdfsparity.izs.namenode.access.AccessAuditLogger;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;

/** The site files under which Hadoop's own tests run. */
final class HadoopTestSites {
  private HadoopTestSites() {}

  /** What Hadoop's own build has in the hdfs-site.xml of its tests, which their jar lacks. */
  static Configuration plain() {
    Configuration site = new Configuration(false);
    site.set("hadoop.security.authentication", "simple");
    site.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    return site;
  }

  /**
   * Beside that the samples in {@code conf/} for updates and codec izs together, but for block
   * tokens: they are HDFS's own, and many of the tests make requests without. DataNodes share an
   * address, and so their ports are free ones; those of the NameNode must be known to them. Logs of
   * updates are small: at the usual 256 MB a disk each cluster writes gigabytes when it starts.
   */
  static Configuration ours() throws IOException {
    Configuration site = oursWithSimulatedDataset();
    site.set(SuiteKey.FEATURES.key(), "ecupdate,izs");
    return site;
  }

  /**
   * As {@link #ours}, for tests that put a dataset without files in the place of ours: there the
   * DataNode's part of updates ends the DataNode, as it has to.
   */
  static Configuration oursWithSimulatedDataset() throws IOException {
    Configuration site = plain();
    site.set("dfs.namenode.plugins", ParityNameNodePlugin.class.getName());
    site.set(SuiteKey.FEATURES.key(), "izs," + UpdateSessionManager.class.getName());
    site.set("dfs.namenode.audit.loggers", "default," + AccessAuditLogger.class.getName());
    site.set("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    site.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    site.set(DatasetHooks.CLASSES_KEY, EcUpdateDatasetHooks.class.getName());
    site.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    site.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    site.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    site.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:0");
    site.set(StorageKey.LOG_BYTES.key(), "4M");
    site.set(StorageKey.RECORD_BYTES.key(), "192K");
    site.set(StorageKey.OVERLAY_BYTES.key(), "512K");
    return site;
  }
}
