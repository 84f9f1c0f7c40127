/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A process of a cluster: {@code nn}, {@code dn0}, {@code dn1}, …, {@code lstor0}, ….
 *
 * @param role what it is
 * @param node index of the DataNode it belongs to; 0 for the NameNode
 */
public record Daemon(DaemonRole role, int node) {
  public Daemon {
    if (node < 0) {
      throw new IllegalArgumentException("Cannot name a daemon: node=" + node + ", expected >= 0");
    }
  }

  /** The name used on command lines, in file names and in messages. */
  public String name() {
    return role == DaemonRole.NAMENODE ? role.prefix() : role.prefix() + node;
  }

  /**
   * The loopback address that the daemon binds to and connects from. The kernel owns all of 127/8,
   * so that every DataNode has an IP address of its own: HDFS keys racks and locality by IP
   * (DatanodeManager#registerDatanode, Host2NodesMap).
   */
  public String host() {
    return role == DaemonRole.NAMENODE ? "127.0.0.1" : nodeHost(node);
  }

  /** The address of the node with that index. */
  public static String nodeHost(int node) {
    return "127.0.0." + (node + 2);
  }

  /** All daemons of a cluster, the NameNode first. */
  public static List<Daemon> of(ClusterSpec spec) {
    List<Daemon> all = new ArrayList<>();
    all.add(new Daemon(DaemonRole.NAMENODE, 0));
    for (int node = 0; node < spec.nodes(); node++) {
      all.addAll(ofNode(spec, node));
    }
    return List.copyOf(all);
  }

  /** The daemons of one node. */
  public static List<Daemon> ofNode(ClusterSpec spec, int node) {
    Daemon dataNode = new Daemon(DaemonRole.DATANODE, node);
    return spec.mode() == ClusterMode.RAIDP
        ? List.of(dataNode, new Daemon(DaemonRole.LSTOR, node))
        : List.of(dataNode);
  }

  /**
   * Finds a daemon by its name.
   *
   * @throws IllegalArgumentException when the cluster has none of that name
   */
  public static Daemon byName(ClusterSpec spec, String name) {
    List<Daemon> all = of(spec);
    for (Daemon daemon : all) {
      if (daemon.name().equals(name)) {
        return daemon;
      }
    }
    throw new IllegalArgumentException(
        "Cannot find the process: name="
            + name
            + ", expected one of "
            + String.join(", ", all.stream().map(Daemon::name).toList()));
  }
}
