/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;

/** The session managers beside the NameNodes of one file system. Immutable. */
public final class SessionManagers {
  private final Configuration conf;
  private final int timeoutMs;
  private final List<NameNodeServer> servers;

  /** A call at a manager. */
  @FunctionalInterface
  public interface Call<T> {
    T at(SessionProtocol manager) throws IOException;
  }

  private SessionManagers(Configuration conf, List<NameNodeServer> servers) {
    this.conf = conf;
    this.timeoutMs = SessionOptions.of(conf).clientTimeoutMs();
    this.servers = List.copyOf(servers);
  }

  /**
   * Those of each nameservice that DataNodes serve, by its name; of one without a name, by the
   * empty one.
   */
  public static Map<String, SessionManagers> byNameservice(Configuration conf) throws IOException {
    Map<String, SessionManagers> all = new TreeMap<>();
    for (Map.Entry<String, List<NameNodeServer>> each :
        NameNodeServers.byNameservice(conf).entrySet()) {
      all.put(each.getKey(), new SessionManagers(conf, each.getValue()));
    }
    return all;
  }

  /**
   * Those of the NameNodes of one file system: a path means another file elsewhere.
   *
   * @throws IOException when the configuration does not know its NameNodes, or it is a Router's
   */
  public static SessionManagers of(Configuration conf, DistributedFileSystem fileSystem)
      throws IOException {
    InodePaths.requireNameNode(fileSystem, "find the session managers");
    return of(conf, fileSystem.getUri());
  }

  /**
   * The same, for who knows that the file system is a NameNode's own.
   *
   * @throws IOException when the configuration does not know its NameNodes
   */
  public static SessionManagers of(Configuration conf, URI fileSystem) throws IOException {
    return new SessionManagers(conf, NameNodeServers.of(conf, fileSystem));
  }

  /** Where they listen; for {@link io.hdfsparity.ecupdate.datanode.NodeReporter} too. */
  public List<InetSocketAddress> addresses() {
    return servers.stream().map(NameNodeServer::address).toList();
  }

  /** Calls one manager. */
  public <T> T call(InetSocketAddress address, Call<T> call) throws IOException {
    try (SessionClient client = new SessionClient(address, conf, timeoutMs)) {
      return call.at(client);
    }
  }

  /**
   * Calls one manager after the other until one is active. A call whose answer was lost may have
   * been executed, and is made again.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  public <T> T callActive(Call<T> call) throws IOException {
    return callActive(ClosedConnection.CALL_AGAIN, call);
  }

  /** As {@link ActiveNameNode#call(List, ClosedConnection, ActiveNameNode.Call)}. */
  public <T> T callActive(ClosedConnection closed, Call<T> call) throws IOException {
    return ActiveNameNode.call(servers, closed, server -> call(server.address(), call));
  }
}
