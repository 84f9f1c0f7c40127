/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.AdminClientTranslator;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

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
   * Calls one manager after the other until one is active. Most calls are not idempotent: one whose
   * connection was closed fails, and is not repeated.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  TextResponse call(Call call, AnswerTimeout timeout) throws IOException {
    return ActiveNameNode.call(
        NameNodeServers.all(conf),
        ClosedConnection.FAIL,
        server -> {
          try (AdminClientTranslator client =
              new AdminClientTranslator(
                  server.address(), conf, timeout == AnswerTimeout.LONG ? 0 : timeoutMs)) {
            return call.at(client);
          }
        });
  }
}
