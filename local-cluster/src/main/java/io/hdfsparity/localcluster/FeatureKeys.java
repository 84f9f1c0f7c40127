/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Map;

/**
 * The Hadoop properties of the features of a cluster: the samples switch them on; this adds
 * addresses, and sizes and times that suit one small machine.
 */
final class FeatureKeys {
  private static final long LEVEL_SWEEP_MS = 2_000;
  private static final String UPDATE_LOG = "64M";

  /** Four repairs of (4,2) or one of (10,3) with cells of 1 MiB, in a heap of 256 MiB. */
  private static final String REPAIR_MEMORY = "64m";

  private final ClusterSpec spec;
  private final PortMap ports;
  private final NameNodeKeys nameNodes;

  private final SampleSites samples;

  FeatureKeys(ClusterSpec spec, PortMap ports, NameNodeKeys nameNodes) {
    this.spec = spec;
    this.ports = ports;
    this.nameNodes = nameNodes;
    this.samples = SampleSites.of(spec.mode());
  }

  /** What switches features on in a process with the suite's jars, before anything else is set. */
  Map<String, String> switches() {
    return samples.daemons();
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
    if (spec.mode().hasIzs()) {
      // All DataNodes report within seconds.
      map.put(ClusterKey.REBUILD_WAIT.key(), "10s");
    }
    if (spec.mode().hasUpdates()) {
      map.put(ClusterKey.SESSION_REPORT.key(), "500ms");
      // Half of it is how long levels are not changed after a NameNode's start.
      map.put(ClusterKey.SESSION_LEASE.key(), "30s");
    }
  }

  /** What a client has that has the suite's jars. */
  void client(Map<String, String> map) {
    map.putAll(samples.client());
  }

  void nameNode(Map<String, String> map) {
    if (spec.mode().hasRaidp()) {
      map.put(ClusterKey.NODE_STALE_TIMEOUT.key(), ClusterConf.STALE_MS + "ms");
      map.put(ClusterKey.NODE_DEAD_TIMEOUT.key(), (2 * ClusterConf.RECHECK_MS + 10_000) + "ms");
    }
    if (spec.mode().hasIzs()) {
      map.put(ClusterKey.LEVEL_SWEEP.key(), LEVEL_SWEEP_MS + "ms");
    }
  }

  void dataNode(Map<String, String> map, Daemon daemon) {
    if (spec.mode() != ClusterMode.STOCK) {
      map.put(ClusterKey.DATANODE_ADDRESS.key(), ports.address(daemon, Purpose.PARITY));
    }
    if (spec.mode().hasRaidp()) {
      map.put(ClusterKey.FRAMES_PER_VOLUME.key(), String.valueOf(spec.frames().perDisk()));
      // Frames are small here, and processes die often.
      map.put(ClusterKey.LEFTOVER_REPORT_INTERVAL.key(), "15s");
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
}
