/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorReportResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkAnswerProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkRequestProto;
import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link RaidpNodeProtocol}. Thread-safe. */
public final class NodeServerTranslator implements RaidpNodeProtocolPB {
  private final RaidpNodeProtocol impl;

  public NodeServerTranslator(RaidpNodeProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.DATANODES)
  public NodeReportResponseProto reportNode(RpcController unused, NodeReportProto request)
      throws ServiceException {
    return report(request, /* isFull= */ true);
  }

  @Override
  @MayCall(Caller.DATANODES)
  public NodeReportResponseProto reportChanges(RpcController unused, NodeReportProto request)
      throws ServiceException {
    return report(request, /* isFull= */ false);
  }

  /** What was sent as the other kind is refused, and not taken for what it is not. */
  private NodeReportResponseProto report(NodeReportProto request, boolean isFull)
      throws ServiceException {
    return Calls.local(
        () -> {
          NodeReport report = ReportMessages.nodeReport(request);
          if (report.basis().isEmpty() != isFull) {
            throw new IOException(
                "Cannot take a report in: basis="
                    + (isFull ? report.basis().getAsLong() : "absent")
                    + ", expected "
                    + (isFull
                        ? "none in a full report; changes are reported by reportChanges"
                        : "a receipt in a report of changes")
                    + ", node="
                    + report.nodeUuid());
          }
          return ReportMessages.toProto(impl.reportNode(report));
        });
  }

  @Override
  @MayCall(Caller.DATANODES)
  public LstorReportResponseProto reportLstor(RpcController unused, LstorReportProto request)
      throws ServiceException {
    return Calls.local(
        () ->
            LstorReportResponseProto.newBuilder()
                .setAccepted(impl.reportLstor(ReportMessages.lstorReport(request)))
                .build());
  }

  @Override
  @MayCall(Caller.DATANODES)
  public SuperchunkAnswerProto superchunkOf(RpcController unused, SuperchunkRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> SuperchunkMessages.toProto(impl.superchunkOf(SuperchunkMessages.request(request))));
  }
}
