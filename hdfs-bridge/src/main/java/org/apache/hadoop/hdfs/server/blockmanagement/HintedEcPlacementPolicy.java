/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.UnitOrder;
import io.hdfsparity.bridge.namenode.UnitOrder.NewGroup;
import io.hdfsparity.core.check.Printable;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.namenode.PlacementHints;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * {@link GuardedEcPlacementPolicy}, in which a file's hint may change which of the chosen nodes
 * gets which unit of a new block group: the value of {@code dfs.block.placement.ec.classname} in
 * every NameNode that heeds hints, see {@link UnitOrder}. It is asked after the choice and changes
 * the order of the targets only, so racks, storage types, load, excluded and favored nodes are
 * HDFS's own matter. HDFS gives unit i of a new group to target i
 * (BlockUnderConstructionFeature.setExpectedLocations). Units that are rebuilt or moved later are
 * placed without hints.
 *
 * <p>A hint never makes a write fail: what goes wrong with it is logged, and the targets stay as
 * they were.
 *
 * <p>Reaches, package-private: BlockPlacementPolicy.chooseTarget with favored nodes (only new
 * blocks come that way: BlockManager.chooseTarget4NewBlock); BlockManager.namesystem (private).
 * Checked for Hadoop 3.5.0. Thread-safe.
 */
public class HintedEcPlacementPolicy extends GuardedEcPlacementPolicy {
  private volatile @Nullable UnitOrder order;

  @Override
  public void initialize(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
    if (stats != null) {
      order = find();
    }
  }

  private static @Nullable UnitOrder find() {
    try {
      Iterator<UnitOrder> found =
          ServiceLoader.load(UnitOrder.class, HintedEcPlacementPolicy.class.getClassLoader())
              .iterator();
      if (found.hasNext()) {
        return found.next();
      }
      LOG.warn("No UnitOrder on the class path: units are placed without hints");
    } catch (ServiceConfigurationError e) {
      LOG.error("Cannot load a UnitOrder: units are placed without hints", e);
    }
    return null;
  }

  @Override
  DatanodeStorageInfo[] chooseTarget(
      String path,
      int units,
      Node writer,
      Set<Node> excluded,
      long blockBytes,
      List<DatanodeDescriptor> favored,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets =
        super.chooseTarget(
            path, units, writer, excluded, blockBytes, favored, storagePolicy, flags);
    UnitOrder asked = order;
    BlockManager blocks = blocks();
    if (asked == null || blocks == null || targets.length == 0 || !asked.concerns(path)) {
      return targets;
    }
    try {
      return ordered(asked, path, targets, namesystem(blocks));
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Cannot heed the hint of {}: its next group is placed without", Printable.of(path), e);
      return targets;
    }
  }

  private static Namesystem namesystem(BlockManager blocks) {
    return (Namesystem)
        PrivateFields.get(PrivateFields.of(BlockManager.class, "namesystem"), blocks);
  }

  private static DatanodeStorageInfo[] ordered(
      UnitOrder asked, String path, DatanodeStorageInfo[] targets, Namesystem namesystem)
      throws IOException {
    Optional<NewGroup> group = PlacementHints.read(namesystem, path, asked);
    if (group.isEmpty()) {
      return targets;
    }
    int[] order =
        asked.order(
            group.get(),
            Arrays.stream(targets)
                .map(target -> target.getDatanodeDescriptor().getDatanodeUuid())
                .toList());
    BitSet given = new BitSet(targets.length);
    Arrays.stream(order).forEach(given::set);
    if (order.length != targets.length
        || given.cardinality() != targets.length
        || given.length() != targets.length) {
      throw new IOException(
          "Cannot order units: order="
              + Arrays.toString(order)
              + ", expected each of "
              + targets.length
              + " targets once");
    }
    return Arrays.stream(order).mapToObj(i -> targets[i]).toArray(DatanodeStorageInfo[]::new);
  }
}
