/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.izs.wire.proto.IzsLevelProtos.IzsLevelService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;

/**
 * Builds the level manager's RPC server, with service-level authorization where the cluster has it.
 */
public final class LevelServers {
  private LevelServers() {}

  /** A server that the caller starts and stops. */
  public static RPC.Server build(
      Configuration conf, InetSocketAddress bind, int handlers, LevelProtocol impl)
      throws IOException {
    RPC.setProtocolEngine(conf, LevelProtocolPB.class, ProtobufRpcEngine2.class);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(LevelProtocolPB.class)
            .setInstance(
                IzsLevelService.newReflectiveBlockingService(new LevelServerTranslator(impl)))
            .setBindAddress(bind.getHostString())
            .setPort(bind.getPort())
            .setNumHandlers(handlers)
            .setVerbose(false)
            .build();
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new LevelPolicyProvider());
    }
    return server;
  }
}
