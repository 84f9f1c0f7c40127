/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/**
 * Where a server of the suite listens whose address says any host ({@code 0.0.0.0}, the default):
 * where Hadoop's own RPC server of the same daemon does, so that an administrator keeps it off a
 * network by one key. Stateless.
 *
 * <ul>
 *   <li>In a NameNode: {@code dfs.namenode.rpc-bind-host}, else the host of its RPC address. With a
 *       service RPC address of another host, DataNodes and clients come by different networks, and
 *       the server listens on all.
 *   <li>On a DataNode's host: the host of {@code dfs.datanode.ipc.address}, by default any.
 * </ul>
 */
public final class BindHosts {
  private BindHosts() {}

  /**
   * Of a plugin's server in a NameNode.
   *
   * @param conf of that NameNode
   * @param address as the plugin's own key says
   */
  public static InetSocketAddress ofNameNode(Configuration conf, InetSocketAddress address) {
    if (!isAny(address)) {
      return address;
    }
    String clients =
        conf.getTrimmed(
            DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY,
            DFSUtilClient.getNNAddress(conf).getHostString());
    InetSocketAddress service = NameNode.getServiceAddress(conf, /* fallback= */ false);
    String nodes =
        service == null
            ? clients
            : conf.getTrimmed(
                DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_BIND_HOST_KEY, service.getHostString());
    return clients.equals(nodes) ? at(clients, address) : address;
  }

  /**
   * Of a server on a DataNode's host.
   *
   * @param address as the server's own key says
   */
  public static InetSocketAddress ofDataNode(Configuration conf, InetSocketAddress address) {
    String ipc =
        conf.getTrimmed(
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_DEFAULT);
    return isAny(address) ? at(NetUtils.createSocketAddr(ipc).getHostString(), address) : address;
  }

  /**
   * Host under which others reach a server on a DataNode's host: the one that it is bound to, else
   * dfs.datanode.hostname, else the host's own name.
   */
  public static String advertised(Configuration conf, InetSocketAddress bound) throws IOException {
    if (!isAny(bound)) {
      return bound.getAddress().getHostAddress();
    }
    String configured = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY);
    return configured != null ? configured : InetAddress.getLocalHost().getHostName();
  }

  private static boolean isAny(InetSocketAddress address) {
    return address.getAddress() != null && address.getAddress().isAnyLocalAddress();
  }

  private static InetSocketAddress at(String host, InetSocketAddress address) {
    return new InetSocketAddress(host, address.getPort());
  }
}
