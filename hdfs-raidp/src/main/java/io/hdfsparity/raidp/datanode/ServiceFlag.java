/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Tells the dataset's hooks whether RAIDP is in service in the DataNode, and where the DataNode's
 * server listens. HDFS makes plugin and hooks apart from each other and gives them nothing in
 * common but the DataNode, so the word is passed in its Configuration object, which every DataNode
 * has of its own; the value names the DataNode object, so that a site file cannot stand in for the
 * plugin.
 */
final class ServiceFlag implements FrameEngine.WriteGate {
  private static final String KEY = "dfs.parity.internal.raidp.plugin";

  private final Configuration conf;
  private final String token;

  ServiceFlag(Configuration conf, Object datanode) {
    this.conf = conf;
    this.token =
        "in service in DataNode " + Integer.toHexString(System.identityHashCode(datanode)) + " at ";
  }

  /**
   * Opens it.
   *
   * @param server of the DataNode, bound
   */
  void open(InetSocketAddress server) {
    conf.set(KEY, token + server.getAddress().getHostAddress() + " " + server.getPort());
  }

  void close() {
    conf.unset(KEY);
  }

  boolean isOpen() {
    return server().isPresent();
  }

  /** Where the DataNode's server listens; empty: the gate is closed. */
  Optional<InetSocketAddress> server() {
    String raw = conf.getRaw(KEY);
    if (raw == null || !raw.startsWith(token)) {
      return Optional.empty();
    }
    String[] address = raw.substring(token.length()).split(" ", 2);
    return Optional.of(new InetSocketAddress(address[0], Integer.parseInt(address[1])));
  }

  @Override
  public void requireOpen() throws IOException {
    if (!isOpen()) {
      throw new IOException(
          "Cannot write: raidp=not in service, expected dfs.datanode.plugins to name"
              + " io.hdfsparity.ParityDataNodePlugin and feature raidp to have started (see the"
              + " DataNode's log)");
    }
  }
}
