/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

/**
 * The hosts of a cluster and their disks. Immutable.
 *
 * @param nameNodes number of NameNodes: 1, or 2 with three JournalNodes, of which one is active
 * @param nodes number of DataNodes
 * @param racks number of racks; node i is in rack i modulo racks
 * @param disksPerNode simulated disks of a DataNode
 * @param nodeManagers number of nodes, the first ones, with a NodeManager of YARN; 0: no YARN
 */
public record Topology(int nameNodes, int nodes, int racks, int disksPerNode, int nodeManagers) {
  /** Hosts without YARN. */
  public Topology(int nameNodes, int nodes, int racks, int disksPerNode) {
    this(nameNodes, nodes, racks, disksPerNode, 0);
  }

  /** True with two NameNodes, of which the other can take over. */
  public boolean isHighlyAvailable() {
    return nameNodes > 1;
  }

  /** The rack of a node. */
  public String rackOf(int node) {
    return "/rack" + node % racks;
  }

  /** The same with one node more. */
  Topology withOneNodeMore() {
    return new Topology(nameNodes, nodes + 1, racks, disksPerNode, nodeManagers);
  }
}
