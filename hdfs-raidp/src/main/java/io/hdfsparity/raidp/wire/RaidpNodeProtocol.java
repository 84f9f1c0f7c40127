/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import java.io.IOException;

/**
 * What agents in DataNodes and Lstor daemons tell the manager in the NameNode. Thread-safe,
 * idempotent.
 */
public interface RaidpNodeProtocol {
  NodeReportResponse reportNode(NodeReport report) throws IOException;

  /**
   * @return whether the manager has taken it in; false when it does not know the cluster
   */
  boolean reportLstor(LstorReport report) throws IOException;
}
