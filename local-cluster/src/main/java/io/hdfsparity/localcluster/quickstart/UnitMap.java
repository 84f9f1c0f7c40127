/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/** Where the units of the files' block groups are, as the NameNode knows. Used by one thread. */
final class UnitMap {
  private final DistributedFileSystem fileSystem;
  private final Collection<Ledger.Entry> files;

  /**
   * @param fileSystem asked for places only
   * @param files those whose units are looked for
   */
  UnitMap(DistributedFileSystem fileSystem, Collection<Ledger.Entry> files) {
    this.fileSystem = fileSystem;
    this.files = List.copyOf(files);
  }

  /**
   * What a node holds.
   *
   * @param node its index
   * @param units number of units
   * @param bytes of these
   * @param fullDataStripes stripes that are full, and have a data cell in one of these units: when
   *     the node dies, this many are rebuilt by half reads
   */
  record Holding(int node, long units, long bytes, long fullDataStripes) {}

  /** Number of units, and how many of them have no place. */
  record Count(long units, long missing) {
    Count plus(Count other) {
      return new Count(units + other.units, missing + other.missing);
    }
  }

  /** Counts the units that files of a level must have. */
  Count count(int level) throws QuickstartException {
    Count sum = new Count(0, 0);
    for (Ledger.Entry file : files) {
      for (LocatedStripedBlock group : groups(file)) {
        sum = sum.plus(count(group, level));
      }
    }
    return sum;
  }

  private static Count count(LocatedStripedBlock group, int level) {
    boolean[] placed = new boolean[IzsShape.DATA_UNITS + level];
    for (byte unit : group.getBlockIndices()) {
      if (unit < placed.length) {
        placed[unit] = true;
      }
    }
    long units = 0;
    long missing = 0;
    for (int unit = 0; unit < placed.length; unit++) {
      if (unitBytes(group.getBlockSize(), unit) > 0) {
        units++;
        missing += placed[unit] ? 0 : 1;
      }
    }
    return new Count(units, missing);
  }

  /** Length of a unit of a group; a parity unit is as long as the first data unit. */
  static long unitBytes(long groupBytes, int unit) {
    return IzsShape.space(IzsShape.HIGHER_LEVEL).unitBytes(groupBytes, unit);
  }

  /** What each node holds, by its index. */
  List<Holding> holdings() throws QuickstartException {
    List<Holding> holdings = new ArrayList<>();
    for (int node = 0; node < IzsShape.NODES; node++) {
      holdings.add(new Holding(node, 0, 0, 0));
    }
    for (Ledger.Entry file : files) {
      for (LocatedStripedBlock group : groups(file)) {
        for (int i = 0; i < group.getLocations().length; i++) {
          int unit = group.getBlockIndices()[i];
          int node = node(group.getLocations()[i].getIpAddr());
          Holding held = holdings.get(node);
          long groupBytes = group.getBlockSize();
          boolean isData = unit < IzsShape.DATA_UNITS;
          holdings.set(
              node,
              new Holding(
                  node,
                  held.units() + 1,
                  held.bytes() + unitBytes(groupBytes, unit),
                  held.fullDataStripes()
                      + (isData ? groupBytes / (IzsShape.DATA_UNITS * IzsShape.CELL_BYTES) : 0)));
        }
      }
    }
    return holdings;
  }

  private static int node(String address) throws QuickstartException {
    for (int node = 0; node < IzsShape.NODES; node++) {
      if (Daemon.nodeHost(node).equals(address)) {
        return node;
      }
    }
    throw new QuickstartException(
        Kind.CLUSTER, "A unit is at address=" + address + ", expected one of the cluster's nodes");
  }

  /** What is missing until all units of a level have a place. */
  Optional<String> missing(int level) throws QuickstartException {
    Count count = count(level);
    return count.missing() == 0
        ? Optional.empty()
        : Optional.of(count.missing() + " of " + count.units() + " units have no place yet");
  }

  private List<LocatedStripedBlock> groups(Ledger.Entry file) throws QuickstartException {
    try {
      List<LocatedStripedBlock> groups = new ArrayList<>();
      for (LocatedBlock block :
          fileSystem
              .getClient()
              .getLocatedBlocks(file.path(), 0, Long.MAX_VALUE)
              .getLocatedBlocks()) {
        if (!(block instanceof LocatedStripedBlock group)) {
          throw new QuickstartException(
              Kind.CLUSTER, file.path() + " has replicas, expected units of codec izs");
        }
        groups.add(group);
      }
      return groups;
    } catch (IOException e) {
      throw new QuickstartException(
          Kind.CLUSTER, "Cannot ask where " + file.path() + " is: " + Texts.firstLine(e), e);
    }
  }
}
