/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.AdminClientTranslator;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;

/** Finds the manager of the active NameNode and calls it. Thread-safe. */
final class ManagerClient {
  private final Configuration conf;
  private final int timeoutMs;

  ManagerClient(Configuration conf) {
    this.conf = conf;
    this.timeoutMs = RaidpOptions.adminTimeoutMs(conf);
  }

  /** A call at a manager. */
  @FunctionalInterface
  interface Call {
    TextResponse at(RaidpAdminProtocol manager) throws IOException;
  }

  /** How long an answer may take. */
  enum AnswerTimeout {
    /** The configured time limit. */
    SHORT,
    /** Without limit: the call reads every disk. */
    LONG
  }

  /**
   * Calls one manager after the other until one is active.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  TextResponse call(Call call, AnswerTimeout patience) throws IOException {
    List<InetSocketAddress> managers = NameNodeServers.addresses(conf);
    IOException failure = null;
    for (InetSocketAddress address : managers) {
      try (AdminClientTranslator client =
          new AdminClientTranslator(
              resolved(address), conf, patience == AnswerTimeout.LONG ? 0 : timeoutMs)) {
        return call.at(client);
      } catch (StandbyException
          | ConnectException
          | NoRouteToHostException
          | SocketTimeoutException
          | UnknownHostException e) {
        String said = "manager " + address + ": " + CommandLine.firstLine(e.getMessage());
        failure = new IOException(failure == null ? said : failure.getMessage() + "; " + said, e);
      }
    }
    throw failure == null
        ? new IOException("Cannot call the manager: no NameNode is configured")
        : failure;
  }

  private static InetSocketAddress resolved(InetSocketAddress address) {
    return address.isUnresolved()
        ? NetUtils.createSocketAddrForHost(address.getHostString(), address.getPort())
        : address;
  }
}
