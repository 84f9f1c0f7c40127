/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.doctor;

import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingSpec;
import io.hdfsparity.bridge.doctor.Severity;

/** What is wrong with RAIDP. */
public enum RaidpFinding implements FindingKind {
  PLACEMENT_WITHOUT_FEATURE(
      "PARITY-401",
      Severity.ERROR,
      "A NameNode places replicas in pairs, and feature raidp is not in service there: new "
          + "blocks are refused.",
      "Add raidp to dfs.parity.features, or remove dfs.block.replicator.classname. Then "
          + "restart the NameNode."),
  NODE_WITHOUT_FEATURE(
      "PARITY-402",
      Severity.INFO,
      "Feature raidp is in service in a NameNode and off in a DataNode: that takes "
          + "no replica of a protected block.",
      "Nothing, if it is meant so. Otherwise set dfs.datanode.fsdataset.factory and dfs.parity.datanode.dataset.hooks as "
          + "conf/hdfs-site-raidp.xml has them, and restart the DataNode."),
  REPLICATION(
      "PARITY-403",
      Severity.WARNING,
      "dfs.replication is less than 3: files that RAIDP does not protect have no more replicas, and no parity.",
      "Set dfs.replication to 3 on all NameNodes and clients. Protected files get two replicas and parity all the same."),
  LSTOR_ON_DISK_DEVICE(
      "PARITY-404",
      Severity.WARNING,
      "An Lstor lies on the same device as its disk: both are lost together.",
      "Stop the DataNode and its Lstor daemon, move the directory to a device of its own, "
          + "name that in dfs.parity.raidp.lstor.dirs, and start both."),
  LSTOR_OPEN_TO_OTHERS(
      "PARITY-405",
      Severity.WARNING,
      "The directory of an Lstor can be read or changed by other users.",
      "Set its mode to 0700. An Lstor is as secret as the data."),
  WIRE_PROTECTION(
      "PARITY-406",
      Severity.ERROR,
      "Data transfer is protected better than RPC: DataNodes refuse to start RAIDP.",
      "Set hadoop.rpc.protection to what data transfer has, with Kerberos, on all hosts "
          + "and clients: first both values, as privacy,authentication, everywhere, then the "
          + "stronger one alone. Hosts that have no value in common cannot talk."),
  SUPERCHUNKS_DEGRADED(
      "PARITY-407",
      Severity.WARNING,
      "Superchunks have one frame left: their blocks have one replica.",
      "Start the DataNode if it is down. If its disk is lost, run hdfs raidp -recover -progress."),
  SUPERCHUNKS_LOST(
      "PARITY-408",
      Severity.ERROR,
      "Superchunks have lost both frames.",
      "Keep all DataNodes and Lstor daemons running, and run hdfs raidp -recover "
          + "-progress. See docs/how-to/recover.md."),
  FRAME_SIZE_DIFFERS(
      "PARITY-409",
      Severity.ERROR,
      "dfs.parity.raidp.frame.size differs between DataNodes.",
      "Use one frame size in the whole cluster. Frames of other sizes cannot be paired."),
  REPORT_PROBLEMS(
      "PARITY-410",
      Severity.WARNING,
      "The RAIDP manager has found problems in what DataNodes report.",
      "Look at hdfs raidp -status, which lists them."),
  LSTOR_ON_OTHER_DISK(
      "PARITY-411",
      Severity.WARNING,
      "An Lstor lies on the device of another disk, and is lost with it. If both disks and a third "
          + "one fail, blocks can be lost.",
      "Stop the DataNode and its Lstor daemon, move the directory to a device without data, "
          + "name that in dfs.parity.raidp.lstor.dirs, and start both."),
  LSTORS_ON_EACH_OTHER(
      "PARITY-412",
      Severity.ERROR,
      "Two disks hold each other's Lstors. If both fail, no Lstor is left to rebuild from.",
      "Stop the DataNode and its Lstor daemon, move both directories to devices without data, "
          + "name them in dfs.parity.raidp.lstor.dirs, and start both daemons."),
  NODES_WITHOUT_PLUGIN(
      "PARITY-413",
      Severity.WARNING,
      "DataNodes that have frames are live in HDFS, and their RAIDP plugin does not report. Blocks "
          + "that they change or delete stay in the parity as they were.",
      "Look at hdfs raidp -status, which names them. Restart them with dfs.datanode.plugins and "
          + "dfs.datanode.fsdataset.factory as on the other DataNodes."),
  NODES_WITHOUT_LSTOR_DAEMON(
      "PARITY-414",
      Severity.WARNING,
      "No Lstor daemon reports the Lstors of DataNodes that work. If such a DataNode or its disk fails, its parity "
          + "cannot be read, and a second failure can lose data.",
      "Look at hdfs raidp -status, which names them. Run hdfs --daemon start lstor on these hosts, with the "
          + "dfs.parity.raidp.lstor.dirs of the DataNode. If the daemon runs, its log says why it does not report."),
  ROOM_LOW(
      "PARITY-415",
      Severity.WARNING,
      "Less than a tenth of the room for protected blocks is free. When it is used up, writes to protected "
          + "directories are refused (dfs.parity.raidp.when.full). Free space of the disks does not matter.",
      "Run hdfs raidp -layout -apply if hdfs raidp -status shows spare frames. Otherwise add disks, or run hdfs raidp "
          + "-unprotect PATH -release on what needs no parity. If disks are larger than frame.size times frames.per.volume, see "
          + "docs/operate/alerts.md.");

  private final FindingSpec spec;

  RaidpFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
