/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes RPC proxies that fail soon: a dead peer is an expected event here, and callers retry on
 * their own terms.
 */
public final class RpcProxies {
  private static final int MAX_CONNECT_MS = 20_000;

  private RpcProxies() {}

  /**
   * Makes a proxy for the current user.
   *
   * @param timeoutMs of a call, connecting included; 0: none
   */
  public static <P> P create(
      Class<P> protocol, InetSocketAddress address, Configuration conf, int timeoutMs)
      throws IOException {
    return create(protocol, address, conf, UserGroupInformation.getCurrentUser(), timeoutMs);
  }

  /**
   * Makes a proxy.
   *
   * @param user who calls
   * @param timeoutMs of a call, connecting included; 0: none
   */
  public static <P> P create(
      Class<P> protocol,
      InetSocketAddress address,
      Configuration conf,
      UserGroupInformation user,
      int timeoutMs)
      throws IOException {
    // Hadoop's defaults try a silent host 45 times for 20 s each.
    Configuration quick = new Configuration(conf);
    quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    quick.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_RETRY_INTERVAL_KEY, 100);
    quick.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY,
        timeoutMs == 0 ? MAX_CONNECT_MS : Math.min(timeoutMs, MAX_CONNECT_MS));
    RPC.setProtocolEngine(quick, protocol, ProtobufRpcEngine2.class);
    return RPC.getProxy(
        protocol,
        RPC.getProtocolVersion(protocol),
        address,
        user,
        quick,
        NetUtils.getDefaultSocketFactory(quick),
        timeoutMs);
  }
}
