/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;

/**
 * What agents in DataNodes and Lstor daemons tell and ask the manager in the NameNode. Thread-safe,
 * idempotent.
 */
public interface RaidpNodeProtocol {
  NodeReportResponse reportNode(NodeReport report) throws IOException;

  /**
   * @return whether the manager has taken it in; false when it does not know the cluster
   */
  boolean reportLstor(LstorReport report) throws IOException;

  /**
   * Tells a DataNode for which of its storages it was chosen for a block. The answer to a node
   * stays the same until the block is complete or deleted.
   *
   * @throws org.apache.hadoop.ipc.StandbyException where the NameNode is not the active one
   * @throws IOException also where the manager cannot know it yet; to be asked again
   */
  SuperchunkAnswer superchunkOf(SuperchunkRequest request) throws IOException;
}
