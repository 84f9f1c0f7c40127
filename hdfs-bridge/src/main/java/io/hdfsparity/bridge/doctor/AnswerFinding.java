/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** Daemons that do not answer, and builds that differ. */
enum AnswerFinding implements FindingKind {
  NAMENODE_REFUSES(
      "PARITY-101",
      Severity.ERROR,
      "Nothing listens at the port of the suite in a NameNode.",
      "Start the NameNode. If it runs, put io.hdfsparity.ParityNameNodePlugin into its "
          + "dfs.namenode.plugins and the jars on its class path, compare "
          + "dfs.parity.namenode.rpc-address, and look for the plugin in its log."),
  NAMENODE_SILENT(
      "PARITY-102",
      Severity.ERROR,
      "The suite in a NameNode does not answer in time.",
      "Look whether the host is up and a firewall lets the port of "
          + "dfs.parity.namenode.rpc-address through, then at the load and the log of the "
          + "NameNode."),
  NAMENODE_NOT_SERVED(
      "PARITY-103",
      Severity.ERROR,
      "What listens at the port of the suite in a NameNode does not know the call.",
      "Install this version of the suite on the NameNode, and compare "
          + "dfs.parity.namenode.rpc-address with the port that the NameNode logs."),
  DATANODE_REFUSES(
      "PARITY-104",
      Severity.ERROR,
      "Nothing listens at the port of the suite in a live DataNode.",
      "Put io.hdfsparity.ParityDataNodePlugin into dfs.datanode.plugins of that DataNode "
          + "and the jars on its class path, compare dfs.parity.datanode.rpc-address, and look "
          + "for the plugin in its log. Then restart the DataNode."),
  DATANODE_SILENT(
      "PARITY-105",
      Severity.ERROR,
      "The suite in a live DataNode does not answer in time.",
      "Look whether the host is up and a firewall lets the port of "
          + "dfs.parity.datanode.rpc-address through, then at the load and the log of the "
          + "DataNode."),
  DATANODE_NOT_SERVED(
      "PARITY-106",
      Severity.ERROR,
      "What listens at the port of the suite in a DataNode does not know the call.",
      "Install this version of the suite on the DataNode, and compare "
          + "dfs.parity.datanode.rpc-address with the port that the DataNode logs."),
  CALL_DENIED(
      "PARITY-107",
      Severity.ERROR,
      "A daemon refuses the caller.",
      "Run the command as an HDFS superuser or as an administrator. Compare "
          + "dfs.permissions.superusergroup, dfs.cluster.administrators and "
          + "security.parity.status.protocol.acl of that daemon with those of the others."),
  CALL_FAILED(
      "PARITY-108",
      Severity.ERROR,
      "A daemon cannot be asked for another reason.",
      "Read the message and the log of the daemon."),
  NODES_UNKNOWN(
      "PARITY-109",
      Severity.ERROR,
      "DataNodes could not be asked.",
      "Repair the NameNodes first, or name DataNodes with the option -datanodes."),
  SUITE_VERSIONS_DIFFER(
      "PARITY-111",
      Severity.WARNING,
      "A daemon has another version of the suite than this host.",
      "Finish the upgrade: install one version on all hosts. docs/reference/doctor.md has "
          + "the order."),
  HADOOP_VERSION(
      "PARITY-112",
      Severity.WARNING,
      "A daemon runs on another line of Hadoop, 3.4 or 3.5, than the suite here was built for.",
      "Use one line of Hadoop on all hosts, and the build of the suite for it. docs/operate/"
          + "compatibility.md has what was tested."),
  CLOCK_DIFFERS(
      "PARITY-113",
      Severity.WARNING,
      "The clock of a daemon differs by more than 5 seconds from that of this host.",
      "Synchronize the clocks of all hosts, for example with chrony. Kerberos tickets and "
          + "block tokens go by them.");

  private final FindingSpec spec;

  AnswerFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
