/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.control.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.ecupdate.control.ControlProtocol;
import io.hdfsparity.ecupdate.control.wire.proto.UpdateControlProtos.UpdateControlService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;

/**
 * Builds the control server of a DataNode, with service-level authorization where the cluster has
 * it.
 */
public final class ControlServers {
  private ControlServers() {}

  /** A server which the caller starts and stops. */
  public static RPC.Server build(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      ControlProtocol control,
      PolicyProvider policy)
      throws IOException {
    RPC.Server server =
        RpcServers.build(
            conf,
            bind,
            handlers,
            UpdateControlProtocolPB.class,
            GuardedService.of(
                UpdateControlService::newReflectiveBlockingService,
                new ControlServerTranslator(control)));
    return RpcServers.authorized(conf, server, policy);
  }
}
