/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorReportResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkAnswerProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkRequestProto;
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
    return Calls.local(
        () -> ReportMessages.toProto(impl.reportNode(ReportMessages.nodeReport(request))));
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
