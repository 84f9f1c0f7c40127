/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.access.AccessClient;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;

/**
 * Asks all NameNodes of a file system and adds up what they counted. One that does not answer lacks
 * with its counts and with the time that it watched, so rates stay right; it is reported once. Not
 * thread-safe.
 */
final class AccessCounts {
  private final Configuration conf;
  private final AccessOptions options;
  private final List<NameNodeServer> servers;
  private final Console console;
  private boolean isReported;

  AccessCounts(Console console, AccessOptions options, URI fileSystem) throws IOException {
    this.conf = console.conf();
    this.options = options;
    this.console = console;
    this.servers = NameNodeServers.ofOrOnly(conf, fileSystem);
  }

  HistoryView of(List<String> paths) throws IOException {
    Optional<HistoryView> sum = Optional.empty();
    StringBuilder silent = new StringBuilder();
    for (NameNodeServer server : servers) {
      try {
        HistoryView view = counts(server, paths);
        sum = Optional.of(sum.map(view::plus).orElse(view));
      } catch (AccessControlException e) {
        throw e;
      } catch (IOException e) {
        silent.append("; ").append(server.address()).append(": ");
        silent.append(CommandLine.firstLine(e.getMessage()));
      }
    }
    if (sum.isEmpty()) {
      throw new IOException(
          "Cannot ask for access counts: expected feature izs in a NameNode, with its audit logger"
              + " (docs/reference/mapping.md)"
              + silent);
    }
    if (!silent.isEmpty() && !isReported) {
      isReported = true;
      console.err().println("Warning: without the counts of" + silent.substring(1));
    }
    return sum.get();
  }

  private HistoryView counts(NameNodeServer server, List<String> paths) throws IOException {
    server.shareToken();
    try (AccessClient client = new AccessClient(server.address(), conf, options.adminTimeoutMs())) {
      return client.counts(paths);
    }
  }
}
