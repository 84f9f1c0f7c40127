/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Where the NameNode knows units of all files of a folder to be. Its own count of groups with low
 * redundancy says less: it leaves out those that are being rebuilt. Thread-safe.
 */
public final class Placement {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(20);

  private final DistributedFileSystem fs;
  private final Path folder;

  /** Of the files that are directly in a folder. */
  public Placement(DistributedFileSystem fs, Path folder) {
    this.fs = fs;
    this.folder = folder;
  }

  /**
   * Units on one node.
   *
   * @param dataUnits data units of files' groups, all of them as long as a block
   * @param parityUnits the same of parity
   */
  record Units(int dataUnits, int parityUnits) {
    int all() {
      return dataUnits + parityUnits;
    }
  }

  private record Group(LocatedStripedBlock block, ErasureCodingPolicy policy) {}

  private List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    for (FileStatus file : fs.listStatus(folder)) {
      LocatedBlocks blocks =
          fs.getClient().getLocatedBlocks(file.getPath().toUri().getPath(), 0, file.getLen());
      for (LocatedBlock block : blocks.getLocatedBlocks()) {
        groups.add(new Group((LocatedStripedBlock) block, blocks.getErasureCodingPolicy()));
      }
    }
    return groups;
  }

  /** Units that no place is known of. */
  public int missing() throws IOException {
    int missing = 0;
    for (Group group : groups()) {
      BitSet found = new BitSet();
      for (byte index : group.block().getBlockIndices()) {
        found.set(index);
      }
      missing +=
          group.policy().getNumDataUnits()
              + group.policy().getNumParityUnits()
              - found.cardinality();
    }
    return missing;
  }

  /**
   * How many units are on a node.
   *
   * @param address its IP address
   */
  public int units(String address) throws IOException {
    return on(address).all();
  }

  /** How many block groups there are. */
  public int groupCount() throws IOException {
    return groups().size();
  }

  /**
   * Units on a node.
   *
   * @param address its IP address
   */
  Units on(String address) throws IOException {
    int data = 0;
    int parity = 0;
    for (Group group : groups()) {
      DatanodeInfo[] places = group.block().getLocations();
      byte[] indices = group.block().getBlockIndices();
      for (int i = 0; i < places.length; i++) {
        if (places[i].getIpAddr().equals(address)) {
          if (indices[i] < group.policy().getNumDataUnits()) {
            data++;
          } else {
            parity++;
          }
        }
      }
    }
    return new Units(data, parity);
  }

  /**
   * Which unit of a file's only group is on a node; -1 where none is.
   *
   * @param address its IP address
   */
  int unitOn(String address, Path file) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock)
            fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0).getLocatedBlocks().get(0);
    DatanodeInfo[] places = group.getLocations();
    for (int i = 0; i < places.length; i++) {
      if (places[i].getIpAddr().equals(address)) {
        return group.getBlockIndices()[i];
      }
    }
    return -1;
  }

  /** Something that becomes true. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /**
   * Asks until it holds.
   *
   * @return when it did, by {@link System#nanoTime}
   * @throws IOException when it does not for too long
   */
  public static long await(String what, Condition condition) throws IOException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > MAX_NANOS) {
        throw new IOException("Cannot measure: expected " + what + " within 20 minutes");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return System.nanoTime();
  }
}
