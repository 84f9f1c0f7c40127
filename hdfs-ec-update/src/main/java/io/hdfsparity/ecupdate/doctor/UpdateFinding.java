/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.doctor;

import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingSpec;
import io.hdfsparity.bridge.doctor.Severity;

/** What is wrong with updates in place. */
public enum UpdateFinding implements FindingKind {
  TOKENS_OFF(
      "PARITY-601",
      Severity.WARNING,
      "Files can be updated in place, and block access tokens are off: DataNodes cannot "
          + "tell who may write what.",
      "Set dfs.block.access.token.enable to true on all NameNodes and DataNodes. Stop all of "
          + "them, then start them: a running DataNode ends when its NameNode's value changes."),
  NODE_WITHOUT_UPDATES(
      "PARITY-602",
      Severity.WARNING,
      "Feature ecupdate is in service in a NameNode and off in a DataNode: files with "
          + "units there cannot be updated.",
      "Set dfs.datanode.fsdataset.factory and dfs.parity.datanode.dataset.hooks as "
          + "conf/hdfs-site-ecupdate.xml has them, and restart the DataNode."),
  CHANNEL_IN_CLEAR(
      "PARITY-603",
      Severity.WARNING,
      "The update channel takes connections in clear on a cluster with Kerberos.",
      "Remove dfs.parity.ecupdate.channel.allow-clear from DataNodes and clients: connections "
          + "are protected then."),
  NO_CAPABLE_NODE(
      "PARITY-604",
      Severity.WARNING,
      "The active NameNode knows no DataNode that serves updates: no file can be updated.",
      "Look at the port of dfs.parity.ecupdate.datanode.address and at the log of a "
          + "DataNode for ecupdate. A NameNode that has just become active learns of them within "
          + "dfs.parity.ecupdate.session.node.report.interval.");

  private final FindingSpec spec;

  UpdateFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
