/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Daemon;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Where the units of files' block groups are, as the NameNode knows. Used by one thread.
 *
 * @param fileSystem asked for locations only
 * @param paths of erasure-coded files
 * @param space how these are striped
 * @param nodes DataNodes that may hold some
 */
record UnitMap(
    DistributedFileSystem fileSystem, List<String> paths, StripedSpace space, int nodes) {
  UnitMap {
    paths = List.copyOf(paths);
  }

  /**
   * What a node holds.
   *
   * @param node its index
   * @param units number of units
   * @param dataUnits how many of them are data
   * @param bytes of all
   * @param fullDataStripes stripes that are full, and have a data cell in one of these units: when
   *     the node dies, this many are rebuilt by half reads
   */
  record Holding(int node, long units, long dataUnits, long bytes, long fullDataStripes) {
    /** The node as the cluster calls it. */
    String name() {
      return "dn" + node;
    }

    private Holding plus(StripedSpace space, long groupBytes, int unit) {
      boolean isData = unit < space.dataUnits();
      return new Holding(
          node,
          units + 1,
          dataUnits + (isData ? 1 : 0),
          bytes + space.unitBytes(groupBytes, unit),
          fullDataStripes + (isData ? groupBytes / (space.dataUnits() * space.cellBytes()) : 0));
    }
  }

  /** What each node holds, by its index. */
  List<Holding> holdings() throws QuickstartException {
    List<Holding> holdings = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      holdings.add(new Holding(node, 0, 0, 0, 0));
    }
    for (LocatedStripedBlock group : groups()) {
      for (int i = 0; i < group.getLocations().length; i++) {
        int node = node(group.getLocations()[i].getIpAddr());
        int unit = group.getBlockIndices()[i];
        holdings.set(node, holdings.get(node).plus(space, group.getBlockSize(), unit));
      }
    }
    return holdings;
  }

  private int node(String address) throws QuickstartException {
    for (int node = 0; node < nodes; node++) {
      if (Daemon.nodeHost(node).equals(address)) {
        return node;
      }
    }
    throw QuickstartException.cluster(
        "A unit is at address=%s, expected one of the cluster's nodes", address);
  }

  /**
   * Number of units that have no place, of those that files with so many parity units must have.
   */
  long missing(int parityUnits) throws QuickstartException {
    long missing = 0;
    for (LocatedStripedBlock group : groups()) {
      BitSet placed = new BitSet();
      for (byte unit : group.getBlockIndices()) {
        placed.set(unit);
      }
      for (int unit = 0; unit < space.dataUnits() + parityUnits; unit++) {
        missing += !placed.get(unit) && space.unitBytes(group.getBlockSize(), unit) > 0 ? 1 : 0;
      }
    }
    return missing;
  }

  /** Refuses while units have no place. */
  void requireAll(int parityUnits) throws Poll.NotYet, QuickstartException {
    long missing = missing(parityUnits);
    Poll.NotYet.unless(missing == 0, "%s units have no place yet", missing);
  }

  private List<LocatedStripedBlock> groups() throws QuickstartException {
    List<LocatedStripedBlock> groups = new ArrayList<>();
    for (String path : paths) {
      for (LocatedBlock block :
          QuickstartException.attempt("Cannot ask where " + path + " is", () -> located(path))) {
        if (!(block instanceof LocatedStripedBlock group)) {
          throw QuickstartException.cluster(
              "%s has replicas, expected units of an erasure code", path);
        }
        groups.add(group);
      }
    }
    return groups;
  }

  private List<LocatedBlock> located(String path) throws IOException {
    return fileSystem.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }
}
