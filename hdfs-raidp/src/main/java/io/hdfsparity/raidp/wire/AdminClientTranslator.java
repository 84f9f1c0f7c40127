/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ApplyLayoutRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FailDiskRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.TextRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.TextResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.WithdrawFailedDiskRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link RaidpAdminProtocol}. Thread-safe. */
public final class AdminClientTranslator implements RaidpAdminProtocol, Closeable {
  private final RaidpAdminProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included; 0: as long as it takes (fsck and scrub read
   *     every disk)
   */
  public AdminClientTranslator(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpAdminProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public TextResponse status(List<String> args) throws IOException {
    return answer(() -> proxy.status(null, request(args)));
  }

  @Override
  public TextResponse layout(List<String> args) throws IOException {
    return answer(() -> proxy.layout(null, request(args)));
  }

  @Override
  public TextResponse applyLayout(DryRun dryRun) throws IOException {
    return answer(
        () ->
            proxy.applyLayout(
                null,
                ApplyLayoutRequestProto.newBuilder().setDryRun(dryRun == DryRun.YES).build()));
  }

  @Override
  public TextResponse failDisk(FailDiskRequest request) throws IOException {
    return answer(
        () ->
            proxy.failDisk(
                null,
                FailDiskRequestProto.newBuilder()
                    .setDiskId(request.diskId())
                    .setForce(request.check() == FailDiskRequest.Check.NONE)
                    .build()));
  }

  @Override
  public TextResponse withdrawFailedDisk(String diskId) throws IOException {
    return answer(
        () ->
            proxy.withdrawFailedDisk(
                null, WithdrawFailedDiskRequestProto.newBuilder().setDiskId(diskId).build()));
  }

  @Override
  public TextResponse recover(RecoverRequest request) throws IOException {
    return answer(() -> proxy.recover(null, ReportMessages.toProto(request)));
  }

  @Override
  public TextResponse recoveryStatus(List<String> args) throws IOException {
    return answer(() -> proxy.recoveryStatus(null, request(args)));
  }

  @Override
  public TextResponse fsck(List<String> args) throws IOException {
    return answer(() -> proxy.fsck(null, request(args)));
  }

  @Override
  public TextResponse scrub(List<String> args) throws IOException {
    return answer(() -> proxy.scrub(null, request(args)));
  }

  @Override
  public TextResponse lstors(List<String> args) throws IOException {
    return answer(() -> proxy.lstors(null, request(args)));
  }

  @Override
  public TextResponse rebuildLstor(LstorRebuildRequest request) throws IOException {
    return answer(() -> proxy.rebuildLstor(null, ReportMessages.toProto(request)));
  }

  @Override
  public TextResponse protect(ProtectRequest request) throws IOException {
    return answer(() -> proxy.protect(null, AdoptionMessages.toProto(request)));
  }

  @Override
  public TextResponse adopt(AdoptRequest request) throws IOException {
    return answer(() -> proxy.adopt(null, AdoptionMessages.toProto(request)));
  }

  @Override
  public TextResponse balance(BalanceRequest request) throws IOException {
    return answer(() -> proxy.balance(null, AdoptionMessages.toProto(request)));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }

  private static TextRequestProto request(List<String> args) {
    return TextRequestProto.newBuilder().addAllArgs(args).build();
  }

  private static TextResponse answer(Calls.Remote<TextResponseProto> call) throws IOException {
    TextResponseProto p = Calls.remote(call);
    return new TextResponse(p.getJson(), p.getExitCode());
  }
}
