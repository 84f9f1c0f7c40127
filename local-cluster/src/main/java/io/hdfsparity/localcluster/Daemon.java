/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A process of a cluster: {@code nn}, {@code dn0}, {@code dn1}, …, {@code lstor0}, …; with two
 * NameNodes {@code nn0}, {@code nn1}, {@code jn0} to {@code jn2} instead of {@code nn}; with YARN
 * also {@code rm}, {@code jhs}, {@code nm0}, {@code nm1}, …
 *
 * @param role what it is
 * @param node index of the DataNode it belongs to, or among NameNodes or JournalNodes; 0 for what
 *     there is one of
 */
public record Daemon(DaemonRole role, int node) {
  /** One may be gone. */
  private static final int JOURNAL_NODES = 3;

  public Daemon {
    if (node < 0) {
      throw new IllegalArgumentException("Cannot name a daemon: node=" + node + ", expected >= 0");
    }
  }

  /** The name used on command lines, in file names and in messages. */
  public String name() {
    return role.isSingle() ? role.prefix() : role.prefix() + node;
  }

  /**
   * The loopback address that the daemon binds to and connects from. The kernel owns all of 127/8,
   * so that every DataNode has an IP address of its own: HDFS keys racks and locality by IP
   * (DatanodeManager#registerDatanode, Host2NodesMap).
   */
  public String host() {
    return isOfNode() ? nodeHost(node) : "127.0.0.1";
  }

  /** True of what belongs to a DataNode's host. */
  boolean isOfNode() {
    return role == DaemonRole.DATANODE
        || role == DaemonRole.LSTOR
        || role == DaemonRole.NODEMANAGER;
  }

  /** The address of the node with that index. */
  public static String nodeHost(int node) {
    return "127.0.0." + (node + 2);
  }

  /** The NameNodes of a cluster. */
  public static List<Daemon> nameNodes(ClusterSpec spec) {
    return spec.isHighlyAvailable()
        ? List.of(
            new Daemon(DaemonRole.PAIRED_NAMENODE, 0), new Daemon(DaemonRole.PAIRED_NAMENODE, 1))
        : List.of(new Daemon(DaemonRole.NAMENODE, 0));
  }

  /** The JournalNodes of a cluster: none with one NameNode. */
  public static List<Daemon> journalNodes(ClusterSpec spec) {
    return spec.isHighlyAvailable()
        ? IntStream.range(0, JOURNAL_NODES)
            .mapToObj(node -> new Daemon(DaemonRole.JOURNALNODE, node))
            .toList()
        : List.of();
  }

  /** The daemons of YARN and MapReduce, NodeManagers last: none in a cluster without YARN. */
  static List<Daemon> yarn(ClusterSpec spec) {
    int nodeManagers = spec.topology().nodeManagers();
    if (nodeManagers == 0) {
      return List.of();
    }
    List<Daemon> yarn = new ArrayList<>();
    yarn.add(new Daemon(DaemonRole.RESOURCEMANAGER, 0));
    yarn.add(new Daemon(DaemonRole.JOBHISTORY, 0));
    for (int node = 0; node < nodeManagers; node++) {
      yarn.add(new Daemon(DaemonRole.NODEMANAGER, node));
    }
    return List.copyOf(yarn);
  }

  /** All daemons of a cluster, NameNodes first, those of YARN last. */
  public static List<Daemon> of(ClusterSpec spec) {
    List<Daemon> all = new ArrayList<>();
    all.addAll(nameNodes(spec));
    all.addAll(journalNodes(spec));
    for (int node = 0; node < spec.nodes(); node++) {
      all.addAll(ofNode(spec, node));
    }
    all.addAll(yarn(spec));
    return List.copyOf(all);
  }

  /**
   * All daemons of a cluster in the order in which they are to end: each group has no use for those
   * before it. A NodeManager ends its containers, which use HDFS.
   */
  static List<List<Daemon>> stopOrder(ClusterSpec spec) {
    List<Daemon> storage = new ArrayList<>();
    for (int node = 0; node < spec.nodes(); node++) {
      storage.addAll(ofNode(spec, node));
    }
    return List.of(yarn(spec), storage, nameNodes(spec), journalNodes(spec));
  }

  /** The daemons of HDFS, and of the suite, on one node. */
  public static List<Daemon> ofNode(ClusterSpec spec, int node) {
    Daemon dataNode = new Daemon(DaemonRole.DATANODE, node);
    return spec.mode().hasRaidp()
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
