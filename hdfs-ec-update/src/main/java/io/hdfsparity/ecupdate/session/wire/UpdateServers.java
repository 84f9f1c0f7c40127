/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.session.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.ecupdate.session.NodeProtocol;
import io.hdfsparity.ecupdate.session.SessionProtocol;
import io.hdfsparity.ecupdate.session.wire.proto.UpdateSessionProtos.UpdateNodeService;
import io.hdfsparity.ecupdate.session.wire.proto.UpdateSessionProtos.UpdateSessionService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/**
 * Builds the session manager's RPC server, with service-level authorization where the cluster has
 * it.
 */
public final class UpdateServers {
  private UpdateServers() {}

  /** A server of both protocols, which the caller starts and stops. */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      SessionProtocol sessions,
      NodeProtocol nodes)
      throws IOException {
    RPC.Server server =
        RpcServers.build(
            conf,
            bind,
            handlers,
            UpdateSessionProtocolPB.class,
            GuardedService.of(
                UpdateSessionService::newReflectiveBlockingService,
                new SessionServerTranslator(sessions)));
    RpcServers.add(
        conf,
        server,
        UpdateNodeProtocolPB.class,
        GuardedService.of(
            UpdateNodeService::newReflectiveBlockingService, new NodeServerTranslator(nodes)));
    return RpcServers.authorized(conf, server, new UpdatePolicyProvider());
  }
}
