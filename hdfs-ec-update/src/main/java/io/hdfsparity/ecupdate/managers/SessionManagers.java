/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.managers;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.session.SessionProtocol;
import io.hdfsparity.ecupdate.session.wire.SessionClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.StandbyException;

/** The session managers beside the NameNodes of one file system. Immutable. */
public final class SessionManagers {
  private final Configuration conf;
  private final int timeoutMs;
  private final List<InetSocketAddress> addresses;

  /** A call at a manager. */
  @FunctionalInterface
  public interface Call<T> {
    T at(SessionProtocol manager) throws IOException;
  }

  private SessionManagers(Configuration conf, List<InetSocketAddress> addresses) {
    this.conf = conf;
    this.timeoutMs = SessionOptions.of(conf).clientTimeoutMs();
    this.addresses = List.copyOf(addresses);
  }

  /**
   * Those of each nameservice that DataNodes serve, by its name; of one without a name, by the
   * empty one.
   */
  public static Map<String, SessionManagers> byNameservice(Configuration conf) throws IOException {
    Map<String, SessionManagers> all = new TreeMap<>();
    for (Map.Entry<String, List<NameNodeServer>> each :
        NameNodeServers.byNameservice(conf).entrySet()) {
      all.put(each.getKey(), new SessionManagers(conf, addresses(each.getValue())));
    }
    return all;
  }

  /**
   * Those of the NameNodes of one file system: a path means another file elsewhere.
   *
   * @throws IOException when the configuration does not know its NameNodes
   */
  public static SessionManagers of(Configuration conf, URI fileSystem) throws IOException {
    return new SessionManagers(conf, addresses(NameNodeServers.of(conf, fileSystem)));
  }

  private static List<InetSocketAddress> addresses(List<NameNodeServer> servers) {
    return servers.stream().map(NameNodeServer::address).toList();
  }

  /** Where they listen; for {@link io.hdfsparity.ecupdate.session.node.NodeReporter} too. */
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  /** Calls one manager. */
  public <T> T call(InetSocketAddress address, Call<T> call) throws IOException {
    try (SessionClient client = new SessionClient(address, conf, timeoutMs)) {
      return call.at(client);
    }
  }

  /**
   * Calls one manager after the other until one is active. A call whose answer was lost may have
   * been executed.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  public <T> T callActive(Call<T> call) throws IOException {
    IOException failure = new IOException("Cannot call the session manager");
    for (InetSocketAddress address : addresses) {
      try {
        return call(address, call);
      } catch (StandbyException
          | ConnectException
          | EOFException
          | NoRouteToHostException
          | SocketTimeoutException
          | UnknownHostException e) {
        failure =
            new IOException(
                failure.getMessage()
                    + "; session manager "
                    + address
                    + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                e);
      }
    }
    throw failure;
  }
}
