/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.BelieveParityRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.LevelStatusRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.ReportGroupsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.SetLevelRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.TakeGroupsRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/**
 * Client side of {@link LevelProtocol} and {@link VerifyProtocol}, as the current user.
 * Thread-safe.
 */
public final class LevelClient implements LevelProtocol, VerifyProtocol, Closeable {
  private final LevelProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public LevelClient(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(LevelProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public List<FileOutcome> setLevel(int level, List<String> paths) throws IOException {
    SetLevelRequestProto request =
        SetLevelRequestProto.newBuilder().setLevel(level).addAllPath(paths).build();
    return Calls.remote(() -> proxy.setLevel(null, request)).getOutcomeList().stream()
        .map(LevelMessages::fromProto)
        .toList();
  }

  @Override
  public LevelStatus status() throws IOException {
    return LevelMessages.fromProto(
        Calls.remote(() -> proxy.status(null, LevelStatusRequestProto.getDefaultInstance())));
  }

  @Override
  public List<VerifyTask> takeGroups(String nodeUuid) throws IOException {
    TakeGroupsRequestProto request =
        TakeGroupsRequestProto.newBuilder().setNodeUuid(nodeUuid).build();
    return Calls.remote(() -> proxy.takeGroups(null, request)).getTaskList().stream()
        .map(VerifyMessages::fromProto)
        .toList();
  }

  @Override
  public void reportGroups(String nodeUuid, List<VerifyReport> reports) throws IOException {
    ReportGroupsRequestProto.Builder request =
        ReportGroupsRequestProto.newBuilder().setNodeUuid(nodeUuid);
    reports.forEach(each -> request.addReport(VerifyMessages.toProto(each)));
    Calls.remote(() -> proxy.reportGroups(null, request.build()));
  }

  @Override
  public boolean mayBelieveParity(String nodeUuid, String blockPool, long groupId)
      throws IOException {
    BelieveParityRequestProto request =
        BelieveParityRequestProto.newBuilder()
            .setNodeUuid(nodeUuid)
            .setBlockPool(blockPool)
            .setGroupId(groupId)
            .build();
    return Calls.remote(() -> proxy.mayBelieveParity(null, request)).getMayBelieve();
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
