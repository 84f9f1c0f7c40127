/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpAdminService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpLstorService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpNodeService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpPeerService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.RPC;

/**
 * Builds the RPC servers of RAIDP, with service-level authorization where the cluster has it.
 * Callers start and stop them.
 */
public final class RaidpServers {
  private RaidpServers() {}

  /** The manager's server: node and administration protocols on one port. */
  public static RPC.Server manager(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      RaidpNodeProtocol node,
      RaidpAdminProtocol admin)
      throws IOException {
    RPC.Server server =
        RpcServers.build(
            conf,
            bind,
            handlers,
            RaidpNodeProtocolPB.class,
            GuardedService.of(
                RaidpNodeService::newReflectiveBlockingService, new NodeServerTranslator(node)));
    RpcServers.add(
        conf,
        server,
        RaidpAdminProtocolPB.class,
        GuardedService.of(
            RaidpAdminService::newReflectiveBlockingService, new AdminServerTranslator(admin)));
    return authorized(conf, server);
  }

  /** A DataNode's peer server. */
  public static RPC.Server peer(
      Configuration conf, InetSocketAddress bind, int handlers, RaidpPeerProtocol peer)
      throws IOException {
    return authorized(
        conf,
        RpcServers.build(
            conf,
            bind,
            handlers,
            RaidpPeerProtocolPB.class,
            GuardedService.of(
                RaidpPeerService::newReflectiveBlockingService, new PeerServerTranslator(peer))));
  }

  /** The server of an Lstor daemon. */
  public static RPC.Server lstor(
      Configuration conf, InetSocketAddress bind, int handlers, RaidpLstorProtocol lstor)
      throws IOException {
    return authorized(
        conf,
        RpcServers.build(
            conf,
            bind,
            handlers,
            RaidpLstorProtocolPB.class,
            GuardedService.of(
                RaidpLstorService::newReflectiveBlockingService,
                new LstorServerTranslator(lstor))));
  }

  /**
   * Host under which others reach a server of this process: the one it is bound to, else
   * dfs.datanode.hostname, else the host's own name.
   */
  public static String advertisedHost(Configuration conf, RPC.Server server) throws IOException {
    InetSocketAddress bound = server.getListenerAddress();
    if (!bound.getAddress().isAnyLocalAddress()) {
      return bound.getAddress().getHostAddress();
    }
    String configured = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY);
    return configured != null ? configured : InetAddress.getLocalHost().getHostName();
  }

  private static RPC.Server authorized(Configuration conf, RPC.Server server) {
    return RpcServers.authorized(conf, server, new RaidpPolicyProvider());
  }
}
