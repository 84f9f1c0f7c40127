/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.bridge.wire.ThisNameNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Where the suite's servers in the configured NameNodes are: one each, for all features. Addresses
 * are not resolved where the name service does not know a host yet. Stateless.
 */
public final class NameNodeServers {
  private NameNodeServers() {}

  /**
   * Where the server of a NameNode listens: {@code dfs.parity.namenode.rpc-address} with its
   * suffix, else with the nameservice's, else the plain key.
   *
   * @param nameservice null or empty: none
   * @param nameNodeId null or empty: none
   * @throws IllegalArgumentException when the key cannot be used
   */
  public static InetSocketAddress bind(
      Configuration conf, @Nullable String nameservice, @Nullable String nameNodeId) {
    return new KeyReader(conf).address(SuiteKey.NAMENODE_RPC_ADDRESS, nameservice, nameNodeId);
  }

  /** Where the server of the NameNode listens whose configuration this is. */
  public static InetSocketAddress ofThis(Configuration conf) {
    ThisNameNode self = ThisNameNode.of(conf);
    return bind(conf, self.nameservice(), self.nameNodeId());
  }

  /** Where those of the other NameNodes of this one's nameservice are reached; none without HA. */
  public static List<InetSocketAddress> ofOthers(Configuration conf) {
    return PerNameNodeAddress.ofOthers(conf, NameNodeServers::bind);
  }

  /**
   * Those of every NameNode, in the order of the configuration.
   *
   * @throws IOException when no NameNode is configured
   */
  public static List<NameNodeServer> all(Configuration conf) throws IOException {
    List<NameNodeServer> all = new ArrayList<>();
    DFSUtil.getNNServiceRpcAddressesForCluster(conf)
        .forEach((name, nameNodes) -> all.addAll(of(conf, name, nameNodes)));
    return List.copyOf(all);
  }

  /**
   * Where those of every NameNode listen, each once, in the order of the configuration.
   *
   * @throws IOException when no NameNode is configured
   */
  public static List<InetSocketAddress> addresses(Configuration conf) throws IOException {
    return all(conf).stream().map(NameNodeServer::address).distinct().toList();
  }

  /**
   * Those of each nameservice, by its name; of one without a name, by the empty one.
   *
   * @throws IOException when no NameNode is configured
   */
  public static Map<String, List<NameNodeServer>> byNameservice(Configuration conf)
      throws IOException {
    Map<String, List<NameNodeServer>> all = new TreeMap<>();
    DFSUtil.getNNServiceRpcAddressesForCluster(conf)
        .forEach((name, nameNodes) -> all.put(orEmpty(name), of(conf, name, nameNodes)));
    return all;
  }

  /**
   * Those of the NameNodes of one file system: a path means another file elsewhere.
   *
   * @throws IOException when the configuration does not know its NameNodes
   */
  public static List<NameNodeServer> of(Configuration conf, URI fileSystem) throws IOException {
    return find(conf, fileSystem)
        .orElseThrow(
            () ->
                new IOException(
                    "Cannot find the NameNodes: fileSystem="
                        + fileSystem
                        + ", expected one whose NameNodes are in hdfs-site.xml"));
  }

  /**
   * The same; where only one nameservice is configured, that one's, whatever the file system calls
   * its NameNode.
   *
   * @return empty: the configuration does not know them
   */
  public static List<NameNodeServer> ofOrOnly(Configuration conf, URI fileSystem)
      throws IOException {
    Map<String, List<NameNodeServer>> all = byNameservice(conf);
    return all.size() == 1
        ? all.values().iterator().next()
        : find(conf, fileSystem).orElse(List.of());
  }

  private static Optional<List<NameNodeServer>> find(Configuration conf, URI fileSystem)
      throws IOException {
    String authority = orEmpty(fileSystem.getAuthority());
    for (Map.Entry<String, Map<String, InetSocketAddress>> service :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      if (isOf(authority, orEmpty(service.getKey()), service.getValue())) {
        return Optional.of(of(conf, service.getKey(), service.getValue()));
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(
      String authority, String nameservice, Map<String, InetSocketAddress> nameNodes) {
    if (nameservice.equals(authority)) {
      return true;
    }
    String address = NetUtils.getHostPortString(DFSUtilClient.getNNAddress(authority));
    return nameNodes.values().stream()
        .anyMatch(each -> NetUtils.getHostPortString(each).equals(address));
  }

  private static List<NameNodeServer> of(
      Configuration conf, @Nullable String nameservice, Map<String, InetSocketAddress> nameNodes) {
    List<NameNodeServer> servers = new ArrayList<>();
    nameNodes.forEach(
        (id, rpc) ->
            servers.add(
                new NameNodeServer(
                    orEmpty(nameservice),
                    rpc,
                    PerNameNodeAddress.reachable(
                        bind(conf, nameservice, id), rpc.getHostString()))));
    return List.copyOf(servers);
  }

  private static String orEmpty(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }
}
