/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * The suite's one RPC server of a NameNode or DataNode, while it listens: all features' protocols
 * at one port. Its handlers serve the calls of daemons only ({@link CallThreads}). Thread-safe.
 */
public final class DaemonServer implements Closeable {
  private final RPC.Server server;
  private final CallThreads threads;

  /**
   * How a server listens.
   *
   * @param handlers for calls of daemons; as many threads serve users, and as many administrators
   * @param tokens knows the delegation tokens that are valid; null: none is
   */
  public record Listening(
      InetSocketAddress bind,
      int handlers,
      @Nullable SecretManager<? extends TokenIdentifier> tokens) {}

  private DaemonServer(RPC.Server server, CallThreads threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Starts one.
   *
   * @param protocols at least one
   * @param known protocols that hadoop-policy.xml can speak of, whether served or not
   * @throws IOException when it cannot listen
   */
  public static DaemonServer start(
      Configuration conf, Listening at, List<ServedProtocol> protocols, Collection<Service> known)
      throws IOException {
    return start(conf, at, protocols, known, new CallThreads(at.handlers()));
  }

  /** Starts one with these threads, which end with it. */
  static DaemonServer start(
      Configuration conf,
      Listening at,
      List<ServedProtocol> protocols,
      Collection<Service> known,
      CallThreads threads)
      throws IOException {
    RPC.Server server = RpcServers.build(conf, at, protocols, known, threads);
    server.start();
    return new DaemonServer(server, threads);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getListenerAddress();
  }

  @Override
  public void close() {
    server.stop();
    threads.close();
  }
}
