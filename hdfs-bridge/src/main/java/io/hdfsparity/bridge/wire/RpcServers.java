/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.jspecify.annotations.Nullable;

/** Builds RPC servers of protobuf services. Callers start and stop them. */
public final class RpcServers {
  private RpcServers() {}

  /** A server of one protocol; others can be added before it is {@link #authorized}. */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      Class<?> protocol,
      BlockingService service)
      throws IOException {
    return build(conf, bind, handlers, protocol, service, null);
  }

  /**
   * The same, which also takes delegation tokens.
   *
   * @param tokens knows those that are valid; null: none is
   */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      Class<?> protocol,
      BlockingService service,
      @Nullable SecretManager<? extends TokenIdentifier> tokens)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    return new RPC.Builder(conf)
        .setProtocol(protocol)
        .setInstance(service)
        .setBindAddress(bind.getHostString())
        .setPort(bind.getPort())
        .setNumHandlers(handlers)
        .setVerbose(false)
        .setSecretManager(tokens)
        .build();
  }

  /** The same server, with service-level authorization where the cluster has it. */
  public static RPC.Server authorized(
      Configuration conf, RPC.Server server, PolicyProvider policy) {
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, policy);
    }
    return server;
  }
}
