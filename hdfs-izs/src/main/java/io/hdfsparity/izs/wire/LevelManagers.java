/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.izs.config.LevelOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;

/** The level managers beside the configured NameNodes. Immutable. */
public final class LevelManagers {
  private final Configuration conf;
  private final int timeoutMs;
  private final List<NameNodeServer> servers;

  /** A call at a manager. */
  @FunctionalInterface
  public interface Call<T> {
    T at(LevelProtocol manager) throws IOException;
  }

  private LevelManagers(Configuration conf, List<NameNodeServer> servers) {
    this.conf = conf;
    this.timeoutMs = LevelOptions.of(conf).adminTimeoutMs();
    this.servers = List.copyOf(servers);
  }

  /** Those of every NameNode. */
  public static LevelManagers all(Configuration conf) throws IOException {
    List<NameNodeServer> servers = new ArrayList<>();
    for (Map.Entry<String, Map<String, InetSocketAddress>> service :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      add(conf, service, servers);
    }
    return new LevelManagers(conf, servers);
  }

  /**
   * Those of the NameNodes of one file system: a path means another file elsewhere.
   *
   * @throws IOException when the configuration does not know its NameNodes
   */
  public static LevelManagers of(Configuration conf, URI fileSystem) throws IOException {
    List<NameNodeServer> servers = new ArrayList<>();
    for (Map.Entry<String, Map<String, InetSocketAddress>> service :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      boolean logical =
          service.getKey() != null && service.getKey().equals(fileSystem.getAuthority());
      boolean physical =
          service.getValue().values().stream()
              .anyMatch(each -> NetUtils.getHostPortString(each).equals(authority(fileSystem)));
      if (logical || physical) {
        add(conf, service, servers);
      }
    }
    if (servers.isEmpty()) {
      throw new IOException(
          "Cannot find the level manager: fileSystem="
              + fileSystem
              + ", expected one whose NameNodes are in hdfs-site.xml");
    }
    return new LevelManagers(conf, servers);
  }

  private static String authority(URI fileSystem) {
    InetSocketAddress address =
        org.apache.hadoop.hdfs.DFSUtilClient.getNNAddress(fileSystem.getAuthority());
    return NetUtils.getHostPortString(address);
  }

  private static void add(
      Configuration conf,
      Map.Entry<String, Map<String, InetSocketAddress>> service,
      List<NameNodeServer> into) {
    service
        .getValue()
        .forEach(
            (nameNode, rpc) -> {
              InetSocketAddress bind =
                  LevelOptions.address(conf, text(service.getKey()), text(nameNode));
              into.add(
                  new NameNodeServer(
                      text(service.getKey()),
                      rpc,
                      PerNameNodeAddress.reachable(bind, rpc.getHostString())));
            });
  }

  private static String text(String id) {
    return id == null ? "" : id;
  }

  /** Where they listen. */
  public List<NameNodeServer> servers() {
    return servers;
  }

  /** Calls one manager. */
  public <T> T call(NameNodeServer server, Call<T> call) throws IOException {
    server.shareToken();
    try (LevelClient client = new LevelClient(server.address(), conf, timeoutMs)) {
      return call.at(client);
    }
  }

  /**
   * Calls one manager after the other until one is active.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  public <T> T callActive(Call<T> call) throws IOException {
    IOException failure = null;
    for (NameNodeServer server : servers) {
      try {
        return call(server, call);
      } catch (StandbyException
          | ConnectException
          | EOFException
          | NoRouteToHostException
          | SocketTimeoutException
          | UnknownHostException e) {
        String said =
            "level manager " + server.address() + ": " + CommandLine.firstLine(e.getMessage());
        failure = new IOException(failure == null ? said : failure.getMessage() + "; " + said, e);
      }
    }
    throw failure == null
        ? new IOException("Cannot call the level manager: no NameNode is configured")
        : failure;
  }
}
