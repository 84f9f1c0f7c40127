/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Two disks of a RAIDP cluster that share a superchunk. If both fail, only parity and the other
 * disks have the bytes of that superchunk. Immutable.
 *
 * @param first one of them
 * @param second the other one, of another node
 */
record DiskPair(NodeDisk first, NodeDisk second) {
  /** A disk by the index of its node, and its own there. */
  record NodeDisk(int node, int disk) {}

  List<NodeDisk> both() {
    return List.of(first, second);
  }

  /**
   * A disk and one that shares its superchunk with the most blocks.
   *
   * @throws IOException if the manager does not say, or knows none
   */
  static DiskPair of(LocalCluster cluster, NodeDisk disk) throws IOException {
    AdminCommand admin = new AdminCommand(cluster.conf());
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    Map<String, NodeDisk> byPath = new HashMap<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      for (int i = 0; i < cluster.spec().disksPerNode(); i++) {
        byPath.put(paths.diskRoot(node, i).toString(), new NodeDisk(node, i));
      }
    }
    return find(admin.json("raidp -status -json"), admin.json("raidp -layout -json"), byPath, disk)
        .orElseThrow(
            () -> new IOException("Cannot fail a pair of disks: no superchunk of " + disk));
  }

  /**
   * As {@link #of}, of what the manager says.
   *
   * @param byPath all disks by the paths that are in the status
   */
  static Optional<DiskPair> find(
      JsonNode status, JsonNode layout, Map<String, NodeDisk> byPath, NodeDisk disk) {
    Map<String, NodeDisk> byId = new HashMap<>();
    for (JsonNode node : status.path("nodes")) {
      for (JsonNode each : node.path("disks")) {
        NodeDisk known = byPath.get(each.path("path").asText());
        if (known != null) {
          byId.put(each.path("id").asText(), known);
        }
      }
    }
    Optional<DiskPair> found = Optional.empty();
    long most = -1;
    for (JsonNode superchunk : layout.path("superchunks")) {
      JsonNode replicas = superchunk.path("replicas");
      NodeDisk one = byId.get(replicas.path(0).path("disk").asText());
      NodeDisk other = byId.get(replicas.path(1).path("disk").asText());
      long blocks = replicas.path(0).path("blocks").asLong();
      if (one != null
          && other != null
          && blocks > most
          && (one.equals(disk) || other.equals(disk))) {
        most = blocks;
        found = Optional.of(new DiskPair(disk, one.equals(disk) ? other : one));
      }
    }
    return found;
  }
}
