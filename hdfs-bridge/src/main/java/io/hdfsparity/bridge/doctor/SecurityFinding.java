/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** Settings of Hadoop on which the suite depends for security, and for reading files. */
enum SecurityFinding implements FindingKind {
  AUTHORIZATION_OFF(
      "PARITY-211",
      Severity.INFO,
      "hadoop.security.authorization is off on a cluster with Kerberos.",
      "Turn it on if hadoop-policy.xml is to restrict who connects. The suite checks the "
          + "caller of each call in any case."),
  TOKENS_OFF(
      "PARITY-212",
      Severity.WARNING,
      "dfs.block.access.token.enable is off on a cluster with Kerberos.",
      "Set it to true on all NameNodes and DataNodes. Without it DataNodes give blocks to "
          + "anybody."),
  FILE_SYSTEM_IN_DAEMON(
      "PARITY-213",
      Severity.WARNING,
      "A daemon has the client setting fs.hdfs.impl.",
      "Remove fs.hdfs.impl from the site files of servers. It belongs to clients that have "
          + "the jars."),
  FILE_SYSTEM_NOT_LOADABLE(
      "PARITY-214",
      Severity.ERROR,
      "The class of fs.hdfs.impl cannot be loaded on this host, so no file of HDFS can be opened.",
      "Put the jars of the suite on the class path of Hadoop, or remove fs.hdfs.impl from "
          + "core-site.xml."),
  PERMISSIONS_OFF(
      "PARITY-215",
      Severity.WARNING,
      "dfs.permissions.enabled is false in a NameNode: every user is a superuser.",
      "Set it to true. Until then every user may change levels and orders, and start recoveries.");

  private final FindingSpec spec;

  SecurityFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
