/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire.access;

import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Client side of {@link AccessProtocol}. Thread-safe. */
public final class AccessClient implements AccessProtocol, Closeable {
  private static final int LONGEST_CONNECT_MS = 20_000;

  private final AccessProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public AccessClient(InetSocketAddress nameNode, Configuration conf, int timeoutMs)
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
    RPC.setProtocolEngine(quick, AccessProtocolPB.class, ProtobufRpcEngine2.class);
    proxy =
        RPC.getProxy(
            AccessProtocolPB.class,
            RPC.getProtocolVersion(AccessProtocolPB.class),
            nameNode,
            UserGroupInformation.getCurrentUser(),
            quick,
            NetUtils.getDefaultSocketFactory(quick),
            timeoutMs);
  }

  @Override
  public HistoryView counts(List<String> paths) throws IOException {
    try {
      CountsResponseProto p =
          proxy.counts(null, CountsRequestProto.newBuilder().addAllPath(paths).build());
      Map<String, List<Integer>> counts = new HashMap<>();
      p.getCountsList().forEach(each -> counts.put(each.getPath(), each.getCountList()));
      return new HistoryView(
          p.getPeriodMs(), p.getNewestPeriod(), p.getObservedMsList(), p.getMissedList(), counts);
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException remote) {
        throw remote.unwrapRemoteException();
      }
      throw cause instanceof IOException io ? io : new IOException(e);
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
