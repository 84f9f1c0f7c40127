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
import org.jspecify.annotations.Nullable;

/**
 * Builds RPC servers of protobuf services, which check each call ({@link GuardedService}). Callers
 * start and stop them.
 */
public final class RpcServers {
  private RpcServers() {}

  /** A server of one protocol; others can be {@link #add}ed before it is {@link #authorized}. */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      Class<?> protocol,
      GuardedService service)
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
      GuardedService service,
      @Nullable SecretManager<? extends TokenIdentifier> tokens)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    return new RPC.Builder(conf)
        .setProtocol(protocol)
        .setInstance(service.under(CallerRules.of(conf)))
        .setBindAddress(bind.getHostString())
        .setPort(bind.getPort())
        .setNumHandlers(handlers)
        .setVerbose(false)
        .setSecretManager(tokens)
        .build();
  }

  /** Serves one more protocol at the same port. */
  public static void add(
      Configuration conf, RPC.Server server, Class<?> protocol, GuardedService service)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, service.under(CallerRules.of(conf)));
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
