/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;

/** What the daemons of a cluster call. Thread-safe as its parts are. */
record NodeCalls(NodeReports reports, PlacementQuestions questions) implements RaidpNodeProtocol {
  @Override
  public NodeReportResponse reportNode(NodeReport report) throws IOException {
    return reports.reportNode(report);
  }

  @Override
  public boolean reportLstor(LstorReport report) throws IOException {
    return reports.reportLstor(report);
  }

  @Override
  public SuperchunkAnswer superchunkOf(SuperchunkRequest request) throws IOException {
    return questions.answer(request);
  }
}
