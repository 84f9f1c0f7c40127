/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.Nullable;

/**
 * The load of the nodes that are not for pairs, for placement among these alone. Hadoop passes by a
 * node that has twice the average number of connections; taken over all nodes that average says
 * little about a few busy ones among many idle ones that could not be chosen anyway: all of them
 * would count as too busy.
 *
 * <p>Counts as DatanodeStats does, which sums up at each heartbeat; here the nodes are asked. What
 * they say is remembered for a second at most, since a policy asks once for each node it looks at.
 *
 * <p>Reaches, package-private: the constructor of StorageTypeStats for a type, its addNode;
 * DatanodeStorageInfo.getState. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class UnpairedLoad implements FSClusterStats {
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Sums over nodes in service. */
  private record Load(
      long takenAtNanos,
      int nodes,
      long connections,
      long volumes,
      Map<StorageType, StorageTypeStats> types) {}

  private final FSClusterStats all;
  private final NetworkTopology topology;
  private final Predicate<DatanodeDescriptor> forPairs;
  private volatile @Nullable Load known;

  /**
   * @param all statistics of the whole cluster, for what is not about load
   * @param topology all nodes
   * @param forPairs which of them do not count
   */
  UnpairedLoad(
      FSClusterStats all, NetworkTopology topology, Predicate<DatanodeDescriptor> forPairs) {
    this.all = all;
    this.topology = topology;
    this.forPairs = forPairs;
  }

  /**
   * Whether a node has too much load to be chosen. Looks twice: what is remembered of the load may
   * be older than the load of the node.
   *
   * @param load that the policy was given; null: Hadoop's own, of which nothing is remembered
   * @param hadoopSaysSo what Hadoop's policy says of the node by the load that it is given
   */
  static boolean isTooBusy(@Nullable UnpairedLoad load, BooleanSupplier hadoopSaysSo) {
    if (!hadoopSaysSo.getAsBoolean()) {
      return false;
    }
    if (load == null) {
      return true;
    }
    load.known = load.take();
    return hadoopSaysSo.getAsBoolean();
  }

  private Load load() {
    Load now = known;
    if (now == null || System.nanoTime() - now.takenAtNanos() > MAX_AGE_NANOS) {
      now = take();
      known = now;
    }
    return now;
  }

  private Load take() {
    int nodes = 0;
    long connections = 0;
    long volumes = 0;
    Map<StorageType, StorageTypeStats> types = new EnumMap<>(StorageType.class);
    for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node
          && node.isAlive()
          && node.isInService()
          && !forPairs.test(node)) {
        nodes++;
        connections += node.getXceiverCount();
        volumes += node.getNumVolumesAvailable();
        for (StorageType type : types(node)) {
          types.computeIfAbsent(type, StorageTypeStats::new).addNode(node);
        }
      }
    }
    return new Load(System.nanoTime(), nodes, connections, volumes, types);
  }

  private static EnumSet<StorageType> types(DatanodeDescriptor node) {
    EnumSet<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (storage.getState() != DatanodeStorage.State.FAILED) {
        types.add(storage.getStorageType());
      }
    }
    return types;
  }

  @Override
  public int getTotalLoad() {
    return all.getTotalLoad();
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return all.isAvoidingStaleDataNodesForWrite();
  }

  @Override
  public int getNumDatanodesInService() {
    return load().nodes();
  }

  @Override
  public double getInServiceXceiverAverage() {
    Load now = load();
    return now.nodes() == 0 ? 0 : (double) now.connections() / now.nodes();
  }

  @Override
  public double getInServiceXceiverAverageForVolume() {
    Load now = load();
    return now.volumes() == 0 ? 0 : (double) now.connections() / now.volumes();
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return new EnumMap<>(load().types());
  }
}
