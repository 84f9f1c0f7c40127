/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.NodeReport;

/** Reports as they are on the wire. */
public final class ReportSize {
  private ReportSize() {}

  /** Bytes of a report in protobuf. */
  public static int of(NodeReport report) {
    return ReportMessages.toProto(report).getSerializedSize();
  }

  /** What the manager makes of a report. */
  public static NodeReport overTheWire(NodeReport report) {
    return ReportMessages.nodeReport(ReportMessages.toProto(report));
  }
}
