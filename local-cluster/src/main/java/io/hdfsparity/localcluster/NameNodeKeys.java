/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Hadoop properties that say where NameNodes are, and those of two NameNodes with a quorum
 * journal (HDFSHighAvailabilityWithQJM). Pure.
 */
final class NameNodeKeys {
  /** Name of the nameservice of two NameNodes; clients use it in place of host and port. */
  static final String NAMESERVICE = "parity";

  private static final String SHARED_EDITS = "dfs.namenode.shared.edits.dir";

  private final ClusterSpec spec;
  private final PortMap ports;
  private final List<Daemon> nameNodes;

  NameNodeKeys(ClusterSpec spec, PortMap ports) {
    this.spec = spec;
    this.ports = ports;
    this.nameNodes = Daemon.nameNodes(spec);
  }

  /** The URI of the cluster's file system. */
  String fileSystem() {
    return "hdfs://"
        + (spec.isHighlyAvailable() ? NAMESERVICE : ports.address(nameNodes.get(0), Purpose.RPC));
  }

  /** What every process needs. */
  void common(Map<String, String> map) {
    map.put("fs.defaultFS", fileSystem());
    addresses(map, "dfs.namenode.rpc-address", Purpose.RPC);
    addresses(map, "dfs.namenode.http-address", Purpose.HTTP);
    if (spec.isHighlyAvailable()) {
      map.put("dfs.nameservices", NAMESERVICE);
      map.put(
          "dfs.ha.namenodes." + NAMESERVICE,
          nameNodes.stream().map(Daemon::name).collect(Collectors.joining(",")));
      map.put(
          "dfs.client.failover.proxy.provider." + NAMESERVICE,
          "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
      // The journal itself keeps a NameNode that is no longer active from writing.
      map.put("dfs.ha.fencing.methods", "shell(/bin/true)");
    }
  }

  /** An address of each NameNode: the key itself, or one with a suffix for each of two. */
  void addresses(Map<String, String> map, String key, Purpose purpose) {
    for (Daemon nameNode : nameNodes) {
      String suffix = spec.isHighlyAvailable() ? "." + NAMESERVICE + "." + nameNode.name() : "";
      map.put(key + suffix, ports.address(nameNode, purpose));
    }
  }

  /** What a NameNode needs besides. */
  void nameNode(Map<String, String> map, Daemon daemon) {
    if (!spec.isHighlyAvailable()) {
      return;
    }
    // Both have the same address, so it does not tell them apart.
    map.put("dfs.ha.namenode.id", daemon.name());
    map.put(SHARED_EDITS, sharedEdits());
    map.put("dfs.ha.tail-edits.period", "1s");
    // A standby reads whole segments; the default would let it lag for two minutes.
    map.put("dfs.ha.log-roll.period", "5s");
  }

  private String sharedEdits() {
    return Daemon.journalNodes(spec).stream()
        .map(journal -> ports.address(journal, Purpose.RPC))
        .collect(Collectors.joining(";", "qjournal://", "/" + NAMESERVICE));
  }

  /** All that a JournalNode needs. */
  void journalNode(Map<String, String> map, Daemon daemon, Path dir) {
    // By it one that was down fills its gaps from the others.
    map.put(SHARED_EDITS, sharedEdits());
    map.put("dfs.journalnode.edits.dir", dir.toString());
    map.put("dfs.journalnode.rpc-address", ports.address(daemon, Purpose.RPC));
    map.put("dfs.journalnode.http-address", ports.address(daemon, Purpose.HTTP));
  }
}
