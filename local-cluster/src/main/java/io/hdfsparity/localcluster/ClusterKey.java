/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

/**
 * Every Hadoop property that a local cluster sets, beyond its sample, and that is a key of the
 * suite or names one of its classes. The one place to change when a key is renamed.
 */
public enum ClusterKey {
  DISK_ROOTS("dfs.parity.raidp.disk.roots"),
  LSTOR_DIRS("dfs.parity.raidp.lstor.dirs"),
  FRAME_SIZE("dfs.parity.raidp.frame.size"),
  FRAMES_PER_VOLUME("dfs.parity.raidp.frames.per.volume"),
  UNIT_SIZE("dfs.parity.raidp.unit.size"),
  JOURNAL_SIZE("dfs.parity.raidp.journal.size"),
  MAX_BLOCK_SIZE("dfs.parity.raidp.max.block.size"),
  NODE_STALE_TIMEOUT("dfs.parity.raidp.node.stale.timeout"),
  NODE_DEAD_TIMEOUT("dfs.parity.raidp.node.dead.timeout"),
  LEFTOVER_REPORT_INTERVAL("dfs.parity.raidp.leftover.report.interval"),
  NAMENODE_ADDRESS("dfs.parity.namenode.rpc-address"),
  DATANODE_ADDRESS("dfs.parity.datanode.rpc-address"),
  LSTOR_ADDRESS("dfs.parity.raidp.lstor.rpc-address"),
  FILE_SYSTEM("fs.hdfs.impl"),
  ABSTRACT_FILE_SYSTEM("fs.AbstractFileSystem.hdfs.impl"),
  LEVEL_SWEEP("dfs.parity.izs.level.sweep.interval"),
  REBUILD_WAIT("dfs.parity.izs.verify.rebuild.wait"),
  REPAIR_MEMORY("dfs.parity.izs.repair.memory"),
  SESSION_LEASE("dfs.parity.ecupdate.session.lease"),
  SESSION_REPORT("dfs.parity.ecupdate.session.node.report.interval"),
  UPDATE_ADDRESS("dfs.parity.ecupdate.datanode.address"),
  UPDATE_LOG("dfs.parity.ecupdate.storage.log.bytes"),
  FENCE_QUIET("dfs.parity.ecupdate.storage.fence.quiet"),
  /**
   * The local address that {@link LoopbackSocketFactory} connects from. No key of the suite, which
   * would find it unknown.
   */
  BIND_ADDRESS("local-cluster.bind-address");

  private final String key;

  ClusterKey(String key) {
    this.key = key;
  }

  /** The name of the property. */
  public String key() {
    return key;
  }
}
