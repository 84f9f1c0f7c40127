/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.jspecify.annotations.Nullable;

/** Where the managers are: one beside each configured NameNode. */
public final class ManagerAddresses {
  private ManagerAddresses() {}

  /**
   * Address on which the manager of one NameNode listens: the key with its suffix, else the plain
   * key.
   *
   * @param nameservice of this NameNode; null or empty: none
   * @param nameNodeId of this NameNode; null or empty: none
   */
  public static InetSocketAddress bindAddress(
      Configuration conf, @Nullable String nameservice, @Nullable String nameNodeId) {
    return new KeyReader(conf).address(RaidpKey.MANAGER_RPC_ADDRESS, nameservice, nameNodeId);
  }

  /**
   * Addresses of the managers of all NameNodes, in the order of the configuration. Not resolved
   * when the name service does not know the host yet; make proxies late.
   *
   * @throws IOException when no NameNode is configured
   */
  public static List<InetSocketAddress> forClients(Configuration conf) throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Map.Entry<String, Map<String, InetSocketAddress>> service :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      for (Map.Entry<String, InetSocketAddress> nameNode : service.getValue().entrySet()) {
        InetSocketAddress bind = bindAddress(conf, service.getKey(), nameNode.getKey());
        addresses.add(PerNameNodeAddress.reachable(bind, nameNode.getValue().getHostString()));
      }
    }
    return addresses.stream().distinct().toList();
  }
}
