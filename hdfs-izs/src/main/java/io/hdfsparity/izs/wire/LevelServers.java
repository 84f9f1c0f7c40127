/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.IzsLevelService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * Builds the level manager's RPC server, with service-level authorization where the cluster has it.
 */
public final class LevelServers {
  private LevelServers() {}

  /**
   * A server that the caller starts and stops.
   *
   * @param tokens of the NameNode, for callers without a Kerberos ticket
   */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      LevelProtocol impl,
      VerifyProtocol verification,
      SecretManager<? extends TokenIdentifier> tokens)
      throws IOException {
    return RpcServers.authorized(
        conf,
        RpcServers.build(
            conf,
            bind,
            handlers,
            LevelProtocolPB.class,
            GuardedService.of(
                IzsLevelService::newReflectiveBlockingService,
                new LevelServerTranslator(impl, verification)),
            tokens),
        new LevelPolicyProvider());
  }
}
