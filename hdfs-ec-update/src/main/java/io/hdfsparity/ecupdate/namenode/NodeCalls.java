/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeProtocol;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** Serves DataNodes, in a standby too. Thread-safe. */
final class NodeCalls implements NodeProtocol {
  private final NameNode nameNode;
  private final ActiveTable sessions;
  private final NodeAnswers answers;

  NodeCalls(NameNode nameNode, ActiveTable sessions, NodeAnswers answers) {
    this.nameNode = nameNode;
    this.sessions = sessions;
    this.answers = answers;
  }

  @Override
  public NodeAnswer report(NodeReport report) throws IOException {
    String uuid = report.node().uuid();
    DatanodeID registered =
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanode(uuid);
    if (registered == null) {
      throw new IOException(
          "Cannot note that a DataNode can update replicas: uuid="
              + uuid
              + ", expected one that is registered with this NameNode");
    }
    // Clients send tokens to the address in a report.
    RegisteredNodes.requireCallerAt(registered);
    return answers.answer(report, sessions.find());
  }
}
