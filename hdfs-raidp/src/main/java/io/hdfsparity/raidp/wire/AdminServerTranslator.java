/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AdoptRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ApplyLayoutRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.BalanceRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FailDiskRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ProtectRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildLstorRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RecoverRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.TextRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.TextResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.WithdrawFailedDiskRequestProto;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link RaidpAdminProtocol}. Thread-safe. */
public final class AdminServerTranslator implements RaidpAdminProtocolPB {
  private final RaidpAdminProtocol impl;

  public AdminServerTranslator(RaidpAdminProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public TextResponseProto status(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.status(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public TextResponseProto layout(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.layout(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto applyLayout(RpcController unused, ApplyLayoutRequestProto request)
      throws ServiceException {
    return answer(
        () ->
            impl.applyLayout(
                request.getDryRun()
                    ? RaidpAdminProtocol.DryRun.YES
                    : RaidpAdminProtocol.DryRun.NO));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto failDisk(RpcController unused, FailDiskRequestProto request)
      throws ServiceException {
    return answer(
        () ->
            impl.failDisk(
                new FailDiskRequest(
                    request.getDiskId(),
                    request.getForce()
                        ? FailDiskRequest.Check.NONE
                        : FailDiskRequest.Check.OTHER_REPLICAS)));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto withdrawFailedDisk(
      RpcController unused, WithdrawFailedDiskRequestProto request) throws ServiceException {
    return answer(() -> impl.withdrawFailedDisk(request.getDiskId()));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto recover(RpcController unused, RecoverRequestProto request)
      throws ServiceException {
    return answer(() -> impl.recover(ReportMessages.recoverRequest(request)));
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public TextResponseProto recoveryStatus(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.recoveryStatus(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto fsck(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.fsck(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto scrub(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.scrub(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public TextResponseProto lstors(RpcController unused, TextRequestProto request)
      throws ServiceException {
    return answer(() -> impl.lstors(request.getArgsList()));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto rebuildLstor(RpcController unused, RebuildLstorRequestProto request)
      throws ServiceException {
    return answer(() -> impl.rebuildLstor(ReportMessages.lstorRebuildRequest(request)));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto protect(RpcController unused, ProtectRequestProto request)
      throws ServiceException {
    return answer(() -> impl.protect(AdoptionMessages.protectRequest(request)));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto adopt(RpcController unused, AdoptRequestProto request)
      throws ServiceException {
    return answer(() -> impl.adopt(AdoptionMessages.adoptRequest(request)));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public TextResponseProto balance(RpcController unused, BalanceRequestProto request)
      throws ServiceException {
    return answer(() -> impl.balance(AdoptionMessages.balanceRequest(request)));
  }

  private static TextResponseProto answer(Calls.Local<TextResponse> call) throws ServiceException {
    TextResponse text = Calls.local(call);
    return TextResponseProto.newBuilder().setJson(text.json()).setExitCode(text.exitCode()).build();
  }
}
