/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.StorageIdVolumeChoosingPolicy;

/** Keys of clusters that take updates. */
final class UpdateKeys {
  private UpdateKeys() {}

  /**
   * DataNodes with small logs, and a NameNode that sees soon what becomes of them.
   *
   * @param cellBytes of the policies that are used
   */
  static HdfsConfiguration storage(int cellBytes) {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    conf.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:0");
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    conf.set(DatasetHooks.CLASSES_KEY, EcUpdateDatasetHooks.class.getName());
    conf.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "ecupdate");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        StorageIdVolumeChoosingPolicy.class.getName());
    conf.setLong("dfs.blocksize", 16L * cellBytes);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
    conf.setInt("dfs.datanode.directoryscan.interval", 2);
    conf.set(StorageKey.LOG_BYTES.key(), "4M");
    conf.set(StorageKey.RECORD_BYTES.key(), "192K");
    conf.set(StorageKey.OVERLAY_BYTES.key(), "512K");
    conf.set(StorageKey.DRAIN_DELAY.key(), "20ms");
    conf.set(StorageKey.RESERVED_BYTES.key(), "128K");
    conf.set(StorageKey.RESERVED_CHUNK_BYTES.key(), "4K");
    conf.set(StorageKey.QUIET.key(), "300ms");
    return conf;
  }

  /**
   * A session manager, block tokens, and DataNodes that report often. A map of the caller's own.
   *
   * @param validity how long a report of a DataNode counts
   */
  static Map<String, String> sessions(String validity) {
    Map<String, String> keys = sessionsWithoutTokens(validity);
    keys.put(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, "true");
    return keys;
  }

  /** The same without block tokens. */
  static Map<String, String> sessionsWithoutTokens(String validity) {
    Map<String, String> keys = new HashMap<>();
    keys.put(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    keys.put(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    keys.put(SessionKey.NODE_VALIDITY.key(), validity);
    keys.put(SessionKey.NODE_REPORT.key(), "200ms");
    return keys;
  }

  /** Keys of sessions that are over soon after their lease. */
  static Map<String, String> lease(String lease) {
    return Map.of(SessionKey.LEASE.key(), lease, SessionKey.SWEEP_INTERVAL.key(), "100ms");
  }
}
