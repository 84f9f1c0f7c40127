/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.LevelStatusRequestProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.SetLevelRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Client side of {@link LevelProtocol}, as the current user. Thread-safe. */
public final class LevelClient implements LevelProtocol, Closeable {
  private static final int LONGEST_CONNECT_MS = 20_000;

  private final LevelProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public LevelClient(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    // Hadoop's defaults try a silent host 45 times for 20 s each.
    Configuration quick = new Configuration(conf);
    quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    quick.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_RETRY_INTERVAL_KEY, 100);
    quick.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY,
        Math.min(timeoutMs, LONGEST_CONNECT_MS));
    RPC.setProtocolEngine(quick, LevelProtocolPB.class, ProtobufRpcEngine2.class);
    proxy =
        RPC.getProxy(
            LevelProtocolPB.class,
            RPC.getProtocolVersion(LevelProtocolPB.class),
            manager,
            UserGroupInformation.getCurrentUser(),
            quick,
            NetUtils.getDefaultSocketFactory(quick),
            timeoutMs);
  }

  @Override
  public List<FileOutcome> setLevel(int level, List<String> paths) throws IOException {
    SetLevelRequestProto request =
        SetLevelRequestProto.newBuilder().setLevel(level).addAllPath(paths).build();
    try {
      return proxy.setLevel(null, request).getOutcomeList().stream()
          .map(LevelMessages::fromProto)
          .toList();
    } catch (ServiceException e) {
      throw unwrapped(e);
    }
  }

  @Override
  public LevelStatus status() throws IOException {
    try {
      return LevelMessages.fromProto(
          proxy.status(null, LevelStatusRequestProto.getDefaultInstance()));
    } catch (ServiceException e) {
      throw unwrapped(e);
    }
  }

  private static IOException unwrapped(ServiceException e) {
    Throwable cause = e.getCause();
    if (cause instanceof RemoteException remote) {
      return remote.unwrapRemoteException();
    }
    return cause instanceof IOException io ? io : new IOException(e);
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
