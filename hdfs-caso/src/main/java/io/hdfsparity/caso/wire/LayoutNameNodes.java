/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.wire.SwapClient;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** The protocol at whichever NameNode of a file system is active at each call. Immutable. */
public final class LayoutNameNodes implements LayoutProtocol {
  private final Configuration conf;
  private final int timeoutMs;
  private final List<NameNodeServer> servers;

  /**
   * @param fileSystem whose NameNodes are asked: a path means another file elsewhere
   * @throws IOException when the configuration does not know them, or it is a Router's
   */
  public LayoutNameNodes(Configuration conf, DistributedFileSystem fileSystem) throws IOException {
    this(conf, fileSystem.getUri());
    InodePaths.requireNameNode(fileSystem, "find the NameNode's part of CASO");
  }

  /**
   * As above, for who knows that the file system is a NameNode's own.
   *
   * @throws IOException when the configuration does not know them
   */
  public LayoutNameNodes(Configuration conf, URI fileSystem) throws IOException {
    this.conf = conf;
    this.timeoutMs = LayoutOptions.of(conf).adminTimeoutMs();
    this.servers = NameNodeServers.ofOrOnly(conf, fileSystem).stream().distinct().toList();
    if (servers.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("find the NameNode's part of CASO")
              .value("fileSystem", fileSystem)
              .expected("one whose NameNodes are in hdfs-site.xml")
              .message());
    }
  }

  /** The file swap service of the active NameNode, whichever that is at each call. */
  public SwapProtocol swaps() {
    return new SwapClient(OrderSwapProtocolPB.class, servers, conf, timeoutMs);
  }

  @Override
  public void join(String target, List<String> parts) throws IOException {
    ActiveNameNode.call(
        servers,
        server -> {
          try (LayoutClient client = new LayoutClient(server.address(), conf, timeoutMs)) {
            client.join(target, parts);
          }
          return true;
        });
  }

  /** Whether every NameNode of the file system guards. */
  @Override
  public boolean isGuarded() throws IOException {
    requireGuarded();
    return true;
  }

  /**
   * Returns when every NameNode of the file system guards: any of them may be the active one by the
   * time the file is read.
   *
   * @throws IOException naming the first that does not, or does not answer
   */
  public void requireGuarded() throws IOException {
    for (NameNodeServer server : servers) {
      InetSocketAddress address = server.address();
      try (LayoutClient client = new LayoutClient(address, conf, timeoutMs)) {
        if (!client.isGuarded()) {
          throw unguarded(address, "false", null);
        }
      } catch (RemoteException
          | ConnectException
          | EOFException
          | NoRouteToHostException
          | SocketTimeoutException
          | UnknownHostException e) {
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        throw unguarded(address, "unknown: " + said, e);
      }
    }
  }

  private static IOException unguarded(
      InetSocketAddress address, String guarded, @Nullable IOException cause) {
    return new IOException(
        ErrorMessage.to("store a file in another order")
            .value("guarded", guarded)
            .expected(
                "true on every NameNode, or clients would read it wrong after a failover; start it"
                    + " with feature caso (dfs.parity.features) in service")
            .where("NameNode", address)
            .message(),
        cause);
  }
}
