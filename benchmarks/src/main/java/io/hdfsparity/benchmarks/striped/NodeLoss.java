/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.RepairCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The death of one node, and the time until all its units are there again. Not thread-safe. */
final class NodeLoss {
  private final LocalCluster cluster;
  private final DistributedFileSystem fs;
  private final Placement placement;
  private final long blockBytes;
  private final int victim;
  private Placement.Units lost;

  /** Waits until all units are there, and chooses the node. */
  NodeLoss(LocalCluster cluster, DistributedFileSystem fs, Placement placement, long blockBytes)
      throws IOException {
    this.cluster = cluster;
    this.fs = fs;
    this.placement = placement;
    this.blockBytes = blockBytes;
    Placement.await("all units", () -> placement.missing() == 0);
    this.victim = averageNode(cluster.spec().nodes(), placement);
    this.lost = placement.on(Daemon.nodeHost(victim));
  }

  /**
   * The node whose units are parity in about the share that parity has of all: a lost parity unit
   * takes IZS as many reads as RS, so contenders should have lost as many.
   */
  private static int averageNode(int nodes, Placement placement) throws IOException {
    int data = 0;
    int parity = 0;
    for (int node = 0; node < nodes; node++) {
      Placement.Units units = placement.on(Daemon.nodeHost(node));
      data += units.dataUnits();
      parity += units.parityUnits();
    }
    double expected = (double) parity / (data + parity);
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int node = 0; node < nodes; node++) {
      Placement.Units units = placement.on(Daemon.nodeHost(node));
      double distance = Math.abs((double) units.parityUnits() / units.all() - expected);
      if (distance < least) {
        best = node;
        least = distance;
      }
    }
    return best;
  }

  /**
   * Deletes the files that have no data unit on the node, and waits until nothing of them is left.
   *
   * @param files of one block group each
   * @return numbers of those that are left
   */
  List<Integer> keepDataUnits(StripedFiles files, int dataUnits) throws IOException {
    List<Integer> left = new ArrayList<>();
    int unitsLeft = 0;
    for (int file : files.numbers()) {
      int unit = placement.unitOn(Daemon.nodeHost(victim), files.path(file));
      if (unit >= 0 && unit < dataUnits) {
        left.add(file);
        unitsLeft += fs.getErasureCodingPolicy(files.path(file)).getNumParityUnits() + dataUnits;
      } else {
        fs.delete(files.path(file), false);
      }
    }
    if (left.isEmpty()) {
      throw new IOException(
          "Cannot measure: files with a data unit on dn"
              + victim
              + "=0, expected some: write more (--size-mb)");
    }
    long expectedBytes = unitsLeft * blockBytes;
    Placement.await("deleted units gone", () -> UnitFiles.read(cluster).bytes() == expectedBytes);
    lost = placement.on(Daemon.nodeHost(victim));
    return left;
  }

  /**
   * Kills the node and waits until all is there again.
   *
   * @param onLoss what is begun once the NameNode knows: until then nothing is rebuilt
   */
  Map<String, Double> rebuild(Runnable onLoss) throws Exception {
    Wire before = Wire.read();
    cluster.kill("dn" + victim);
    long started = Placement.await("the loss noticed", () -> placement.missing() > 0);
    onLoss.run();
    long half = Placement.await("half the units", () -> placement.missing() <= lost.all() / 2);
    long ended = Placement.await("all units", () -> placement.missing() == 0);
    Wire wire = Wire.read().since(before);
    RepairCounters repairs = cluster.repairCounters();
    double seconds = (ended - started) / 1e9;
    double lostBytes = (double) lost.all() * blockBytes;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("2nd half seconds", (ended - half) / 1e9);
    figures.put("rebuilt MB/s", lostBytes / seconds / 1e6);
    figures.put("net bytes/lost byte", Clusters.counted(wire.betweenNodesBytes()) / lostBytes);
    figures.put("net bytes", Clusters.counted(wire.betweenNodesBytes()));
    figures.put("lost bytes", lostBytes);
    figures.put("lost data units", (double) lost.dataUnits());
    figures.put("lost parity units", (double) lost.parityUnits());
    figures.put("izs bytes read", (double) repairs.bytesRead());
    figures.put("izs bytes saved", (double) repairs.bytesSaved());
    figures.put("izs half reads", (double) repairs.halfReads());
    figures.put("izs full reads", (double) repairs.fullReads() + repairs.mixed());
    figures.put("izs failed", (double) repairs.failed());
    return figures;
  }

  /**
   * Compares what the dead node has on its disk with what was rebuilt.
   *
   * @throws IOException when a unit is not there, or not the same
   */
  void requireRebuilt() throws IOException {
    UnitFiles units = UnitFiles.read(cluster);
    int compared = units.requireCopies(cluster, victim);
    if (compared != lost.all()) {
      throw new IOException(
          "Cannot measure: units=" + compared + ", expected " + lost.all() + " of dn" + victim);
    }
  }
}
