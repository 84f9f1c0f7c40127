/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.BelieveParityRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.BelieveParityResponseProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.LevelStatusRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.LevelStatusResponseProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.ReportGroupsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.ReportGroupsResponseProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.SetLevelRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.SetLevelResponseProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.TakeGroupsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.TakeGroupsResponseProto;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link LevelProtocol}. Thread-safe. */
final class LevelServerTranslator implements LevelProtocolPB {
  private final LevelProtocol impl;
  private final VerifyProtocol verification;

  LevelServerTranslator(LevelProtocol impl, VerifyProtocol verification) {
    this.impl = impl;
    this.verification = verification;
  }

  @Override
  @MayCall(Caller.DATANODES)
  public TakeGroupsResponseProto takeGroups(RpcController unused, TakeGroupsRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> {
          TakeGroupsResponseProto.Builder b = TakeGroupsResponseProto.newBuilder();
          verification
              .takeGroups(request.getNodeUuid())
              .forEach(task -> b.addTask(VerifyMessages.toProto(task)));
          return b.build();
        });
  }

  @Override
  @MayCall(Caller.DATANODES)
  public ReportGroupsResponseProto reportGroups(
      RpcController unused, ReportGroupsRequestProto request) throws ServiceException {
    return Calls.local(
        () -> {
          verification.reportGroups(
              request.getNodeUuid(), VerifyMessages.reports(request.getReportList()));
          return ReportGroupsResponseProto.getDefaultInstance();
        });
  }

  @Override
  @MayCall(Caller.DATANODES)
  public BelieveParityResponseProto mayBelieveParity(
      RpcController unused, BelieveParityRequestProto request) throws ServiceException {
    return Calls.local(
        () ->
            BelieveParityResponseProto.newBuilder()
                .setMayBelieve(
                    verification.mayBelieveParity(
                        request.getNodeUuid(), request.getBlockPool(), request.getGroupId()))
                .build());
  }

  @Override
  @MayCall(Caller.USERS)
  public SetLevelResponseProto setLevel(RpcController unused, SetLevelRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> {
          SetLevelResponseProto.Builder b = SetLevelResponseProto.newBuilder();
          impl.setLevel(request.getLevel(), request.getPathList())
              .forEach(outcome -> b.addOutcome(LevelMessages.toProto(outcome)));
          return b.build();
        });
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public LevelStatusResponseProto status(RpcController unused, LevelStatusRequestProto request)
      throws ServiceException {
    return Calls.local(() -> LevelMessages.toProto(impl.status()));
  }
}
