/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** The state of HDFS, as far as the suite needs it. */
enum ClusterFinding implements FindingKind {
  NO_ACTIVE(
      "PARITY-301",
      Severity.ERROR,
      "No NameNode of a nameservice is active.",
      "Look at hdfs haadmin -getAllServiceState and at the failover controllers, and make "
          + "one NameNode active."),
  SEVERAL_ACTIVE(
      "PARITY-302",
      Severity.ERROR,
      "More than one NameNode of a nameservice says that it is active.",
      "Look at hdfs haadmin -getAllServiceState. Check fencing, and stop all but one."),
  SAFE_MODE(
      "PARITY-303",
      Severity.WARNING,
      "An active NameNode is in safe mode: nothing can be written or repaired.",
      "Wait until blocks are reported, or look at hdfs dfsadmin -safemode get and at the "
          + "web page of the NameNode."),
  NODE_DEAD(
      "PARITY-304",
      Severity.WARNING,
      "A DataNode is dead.",
      "Start it, or decommission it. hdfs raidp -recover -progress and hdfs izs -status "
          + "-progress show the repairs."),
  NODE_STALE(
      "PARITY-305",
      Severity.WARNING,
      "A DataNode has sent no heartbeat for some time.",
      "Look at the load, the network and the log of that DataNode."),
  SPACE_LOW(
      "PARITY-306",
      Severity.WARNING,
      "A data directory has less than 5 % of its space free.",
      "Run the balancer, add disks or delete files. Updates in place and repairs need room "
          + "on the same disk."),
  TOO_FEW_NODES(
      "PARITY-307",
      Severity.WARNING,
      "There are fewer live DataNodes than the widest enabled policy has units.",
      "Add DataNodes, or disable the policy with hdfs ec -disablePolicy. Files of it are "
          + "written with units missing."),
  TOO_FEW_RACKS(
      "PARITY-308",
      Severity.WARNING,
      "There are several racks, and too few for an enabled policy to survive the loss of one.",
      "Add racks, or use a policy with more parity units for each data unit."),
  NATIVE_MISSING(
      "PARITY-309",
      Severity.WARNING,
      "A DataNode computes parity in Java, because ISA-L is not loaded.",
      "Install ISA-L 2.x (package libisal2, or isa-l), and restart the DataNode."),
  PLACEMENT_UNGUARDED(
      "PARITY-310",
      Severity.ERROR,
      "NameNodes with high availability change block groups, and their placement policy "
          + "does not keep locations.",
      "Set dfs.block.placement.ec.classname to HintedEcPlacementPolicy or "
          + "GuardedEcPlacementPolicy in package org.apache.hadoop.hdfs.server.blockmanagement "
          + "on all NameNodes, and restart them."),
  AUDIT_LOG_LOST(
      "PARITY-311",
      Severity.WARNING,
      "dfs.namenode.audit.loggers names other loggers and lacks default: the audit log of "
          + "HDFS is off.",
      "Add default to the list, and restart the NameNode.");

  private final FindingSpec spec;

  ClusterFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
