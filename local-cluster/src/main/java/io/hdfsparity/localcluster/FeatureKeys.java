/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Hadoop properties that switch the features of a cluster on, and give them sizes and times
 * that suit one small machine. With all features it is the samples that switch them on, so that
 * whoever uses these gets what runs here.
 */
final class FeatureKeys {
  private static final long LEVEL_SWEEP_MS = 2_000;
  private static final String UPDATE_LOG = "64M";

  /** Four repairs of (4,2) or one of (10,3) with cells of 1 MiB, in a heap of 256 MiB. */
  private static final String REPAIR_MEMORY = "64m";

  private final ClusterSpec spec;
  private final PortMap ports;
  private final NameNodeKeys nameNodes;

  /** Empty where it is not the samples that switch features on. */
  private final Optional<SampleSites> samples;

  FeatureKeys(ClusterSpec spec, PortMap ports, NameNodeKeys nameNodes) {
    this.spec = spec;
    this.ports = ports;
    this.nameNodes = nameNodes;
    this.samples =
        spec.mode() == ClusterMode.ALL ? Optional.of(SampleSites.load()) : Optional.empty();
  }

  /** What switches features on in all processes, before anything else is set. */
  Map<String, String> switches(boolean isRaidpNode) {
    Map<String, String> map = new TreeMap<>();
    switch (spec.mode()) {
      case STOCK -> {}
      case RAIDP -> map.put(ClusterKey.FEATURES.key(), "raidp");
      case IZS -> map.put(ClusterKey.FEATURES.key(), "izs");
      case EC_UPDATE -> map.put(ClusterKey.FEATURES.key(), "ecupdate");
      case CASO -> map.put(ClusterKey.FEATURES.key(), "ecupdate,caso");
      case ALL -> {
        map.putAll(samples.orElseThrow().all());
        if (isRaidpNode) {
          map.putAll(samples.orElseThrow().raidp());
        }
      }
    }
    if (isSwitchedHere() && spec.mode().hasUpdates()) {
      map.put("dfs.block.access.token.enable", "true");
    }
    return map;
  }

  /** Whether it is not the samples that switch features on. */
  private boolean isSwitchedHere() {
    return samples.isEmpty() && spec.mode() != ClusterMode.STOCK;
  }

  /** Addresses, sizes and times in all processes. */
  void common(Map<String, String> map) {
    if (spec.mode() != ClusterMode.STOCK) {
      nameNodes.addresses(map, ClusterKey.NAMENODE_ADDRESS.key(), Purpose.PARITY);
    }
    if (spec.mode().hasRaidp()) {
      Frames frames = spec.frames();
      map.put(ClusterKey.FRAME_SIZE.key(), String.valueOf(frames.frameBytes()));
      map.put(ClusterKey.UNIT_SIZE.key(), String.valueOf(frames.unitBytes()));
      map.put(ClusterKey.JOURNAL_SIZE.key(), String.valueOf(frames.journalBytes()));
      map.put(ClusterKey.MAX_BLOCK_SIZE.key(), String.valueOf(spec.maxBlockBytes()));
    }
    if (spec.mode().hasUpdates()) {
      map.put(ClusterKey.SESSION_REPORT.key(), "500ms");
    }
  }

  /** What a client has that has the suite's jars: the values of conf/core-site-client.xml. */
  void client(Map<String, String> map) {
    if (spec.mode().hasIzs() || spec.mode().hasCaso()) {
      map.put(ClusterKey.FILE_SYSTEM.key(), ClusterKey.FILE_SYSTEM_CLASS);
      map.put(ClusterKey.ABSTRACT_FILE_SYSTEM.key(), ClusterKey.ABSTRACT_FILE_SYSTEM_CLASS);
    }
  }

  void nameNode(Map<String, String> map) {
    if (isSwitchedHere()) {
      switchNameNode(map);
    }
    if (spec.mode().hasRaidp()) {
      map.put(ClusterKey.NODE_STALE_TIMEOUT.key(), ClusterConf.STALE_MS + "ms");
      map.put(ClusterKey.NODE_DEAD_TIMEOUT.key(), (2 * ClusterConf.RECHECK_MS + 10_000) + "ms");
    }
    if (spec.mode().hasIzs()) {
      map.put(ClusterKey.LEVEL_SWEEP.key(), LEVEL_SWEEP_MS + "ms");
      // All DataNodes report within seconds.
      map.put(ClusterKey.REBUILD_WAIT.key(), "10s");
    }
  }

  private void switchNameNode(Map<String, String> map) {
    map.put(ClusterKey.NAMENODE_PLUGINS.key(), ClusterKey.NAMENODE_PLUGIN_CLASS);
    if (spec.mode().hasRaidp()) {
      map.put(ClusterKey.PLACEMENT.key(), ClusterKey.PLACEMENT_CLASS);
    }
    if (spec.mode().hasIzs() || spec.mode().hasCaso()) {
      map.put(ClusterKey.EC_PLACEMENT.key(), ClusterKey.EC_PLACEMENT_CLASS);
    }
    if (spec.mode().hasIzs()) {
      map.put(ClusterKey.AUDIT_LOGGERS.key(), "default," + ClusterKey.ACCESS_LOGGER_CLASS);
    }
  }

  void dataNode(Map<String, String> map, Daemon daemon) {
    boolean isRaidp = spec.topology().isRaidpNode(daemon.node());
    if (isSwitchedHere()) {
      switchDataNode(map);
    }
    if (spec.mode() != ClusterMode.STOCK) {
      map.put(ClusterKey.DATANODE_ADDRESS.key(), ports.address(daemon, Purpose.PARITY));
    }
    if (isRaidp) {
      // Frames are small here, and processes die often.
      map.put(ClusterKey.LEFTOVER_REPORT_INTERVAL.key(), "15s");
      return;
    }
    if (spec.mode().hasIzs()) {
      map.put(ClusterKey.REPAIR_MEMORY.key(), REPAIR_MEMORY);
    }
    if (spec.mode().hasUpdates()) {
      map.put(ClusterKey.UPDATE_ADDRESS.key(), ports.address(daemon, Purpose.UPDATE));
      map.put(ClusterKey.UPDATE_LOG.key(), UPDATE_LOG);
      // How long a reader that decodes may take here; a node that was started again waits for it.
      map.put(ClusterKey.FENCE_QUIET.key(), "3s");
    }
  }

  private void switchDataNode(Map<String, String> map) {
    map.put(ClusterKey.DATANODE_PLUGINS.key(), ClusterKey.DATANODE_PLUGIN_CLASS);
    if (spec.mode().hasRaidp() || spec.mode().hasUpdates()) {
      map.put(ClusterKey.DATASET_FACTORY.key(), ClusterKey.DATASET_FACTORY_CLASS);
      map.put(
          ClusterKey.DATASET_HOOKS.key(),
          spec.mode().hasRaidp() ? ClusterKey.DATASET_HOOKS_CLASS : ClusterKey.UPDATE_HOOKS_CLASS);
    }
  }
}
