/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.caso.swap.Inspection;
import io.hdfsparity.caso.swap.SwapAnswer;
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
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.jspecify.annotations.Nullable;

/** The protocol at whichever NameNode of a file system is active at each call. Immutable. */
public final class LayoutNameNodes implements LayoutProtocol {
  private final Configuration conf;
  private final int timeoutMs;
  private final List<InetSocketAddress> addresses;

  /**
   * @param fileSystem whose NameNodes are asked: a path means another file elsewhere
   * @throws IOException when the configuration does not know them
   */
  public LayoutNameNodes(Configuration conf, URI fileSystem) throws IOException {
    this.conf = conf;
    this.timeoutMs = LayoutOptions.of(conf).adminTimeoutMs();
    this.addresses =
        NameNodeServers.ofOrOnly(conf, fileSystem).stream()
            .map(NameNodeServer::address)
            .distinct()
            .toList();
    if (addresses.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("find the NameNode's part of CASO")
              .value("fileSystem", fileSystem)
              .expected("one whose NameNodes are in hdfs-site.xml")
              .message());
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T at(LayoutProtocol nameNode) throws IOException;
  }

  @Override
  public Inspection inspect(String path) throws IOException {
    return active(nameNode -> nameNode.inspect(path));
  }

  @Override
  public SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
    return active(nameNode -> nameNode.swap(source, copy));
  }

  @Override
  public void join(String target, List<String> parts) throws IOException {
    active(
        nameNode -> {
          nameNode.join(target, parts);
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
    for (InetSocketAddress address : addresses) {
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

  private <T> T active(Call<T> call) throws IOException {
    StringBuilder said = new StringBuilder();
    IOException last = null;
    for (InetSocketAddress address : addresses) {
      try (LayoutClient client = new LayoutClient(address, conf, timeoutMs)) {
        return call.at(client);
      } catch (StandbyException
          | ConnectException
          | EOFException
          | NoRouteToHostException
          | SocketTimeoutException
          | UnknownHostException e) {
        said.append(said.length() == 0 ? "" : "; ").append(address).append(": ");
        said.append(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        last = e;
      }
    }
    throw new IOException(
        ErrorMessage.to("ask the NameNode")
            .value("answers", said)
            .expected("one that is active and has feature caso (dfs.parity.features) in service")
            .message(),
        last);
  }
}
