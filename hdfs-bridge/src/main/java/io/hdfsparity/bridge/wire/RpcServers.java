/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Builds RPC servers of protobuf services, which check each call ({@link GuardedService}), with
 * service-level authorization where the cluster has it. Callers start and stop them.
 */
public final class RpcServers {
  private RpcServers() {}

  /**
   * A server whose handlers serve all callers.
   *
   * @param protocols at least one
   */
  public static RPC.Server build(
      Configuration conf, InetSocketAddress bind, int handlers, ServedProtocol... protocols)
      throws IOException {
    List<ServedProtocol> all = List.of(protocols);
    return build(
        conf,
        new DaemonServer.Listening(bind, handlers, /* tokens= */ null),
        all,
        all.stream().map(ServedProtocol::id).toList(),
        /* threads= */ null);
  }

  /**
   * The same.
   *
   * @param known protocols that hadoop-policy.xml can speak of, whether served or not
   * @param threads for callers other than daemons; null: handlers serve all
   */
  static RPC.Server build(
      Configuration conf,
      DaemonServer.Listening at,
      List<ServedProtocol> protocols,
      Collection<Service> known,
      @Nullable CallThreads threads)
      throws IOException {
    CallerRules rules = CallerRules.of(conf);
    SecretManager<? extends TokenIdentifier> tokens = at.tokens();
    RPC.Server server = null;
    for (ServedProtocol each : protocols) {
      Class<?> protocol = each.id().getProtocol();
      RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
      Object service = each.service().under(rules, threads);
      if (server == null) {
        server =
            new RPC.Builder(conf)
                .setProtocol(protocol)
                .setInstance(service)
                .setBindAddress(at.bind().getHostString())
                .setPort(at.bind().getPort())
                .setNumHandlers(at.handlers())
                .setVerbose(false)
                .setSecretManager(tokens)
                .build();
      } else {
        server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, service);
      }
    }
    if (server == null) {
      throw new IllegalArgumentException("Cannot build a server: protocols=0, expected some");
    }
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new Policy(List.copyOf(known)));
    }
    return server;
  }

  /** Who may connect for which protocol: keys of hadoop-policy.xml. */
  private static final class Policy extends PolicyProvider {
    private final List<Service> services;

    Policy(List<Service> services) {
      this.services = services;
    }

    @Override
    public Service[] getServices() {
      return services.toArray(Service[]::new);
    }
  }
}
