/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.ecupdate.session.NodeAnswer;
import io.hdfsparity.ecupdate.session.NodeProtocol;
import io.hdfsparity.ecupdate.session.NodeRegistry;
import io.hdfsparity.ecupdate.session.NodeReport;
import io.hdfsparity.ecupdate.session.SessionTable;
import io.hdfsparity.ecupdate.session.SessionTimes;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;

/** Serves DataNodes, in a standby too. Thread-safe. */
final class NodeCalls implements NodeProtocol {
  private final NameNode nameNode;
  private final UpdateFiles files;
  private final ActiveTable sessions;
  private final NodeRegistry nodes;
  private final SessionTimes times;
  private final DataNodeCallers callers;

  NodeCalls(
      NameNode nameNode,
      UpdateFiles files,
      ActiveTable sessions,
      NodeRegistry nodes,
      SessionTimes times,
      DataNodeCallers callers) {
    this.nameNode = nameNode;
    this.files = files;
    this.sessions = sessions;
    this.nodes = nodes;
    this.times = times;
    this.callers = callers;
  }

  @Override
  public NodeAnswer report(NodeReport report) throws IOException {
    callers.check();
    String uuid = report.node().uuid();
    if (nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanode(uuid) == null) {
      throw new IOException(
          "Cannot note that a DataNode can update replicas: uuid="
              + uuid
              + ", expected one that is registered with this NameNode");
    }
    Optional<SessionTable> table = sessions.find();
    // Before the set is read: a session that is over by then waits for the next report.
    nodes.reported(report);
    SessionTable.Live live =
        table.map(SessionTable::live).orElseGet(() -> new SessionTable.Live(0, 0, Set.of()));
    return new NodeAnswer(
        table.isPresent(),
        files.transactionId(),
        live.incarnation(),
        live.version(),
        times.validMs(),
        times.reportEveryMs(),
        live.ids());
  }
}
