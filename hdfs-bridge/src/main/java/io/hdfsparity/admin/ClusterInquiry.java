/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.doctor.CallFailure;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DaemonKind;
import io.hdfsparity.bridge.doctor.LocalFacts;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.bridge.status.RegisteredNode;
import io.hdfsparity.bridge.status.ReportedKeys;
import io.hdfsparity.bridge.status.SuiteVersion;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.VersionInfo;

/**
 * Gathers the facts about a cluster: the configuration of this host, what all NameNodes answer, and
 * what the DataNodes answer that the NameNodes know.
 */
final class ClusterInquiry {
  /** Option with DataNodes to be asked in place of those that NameNodes know. */
  static final String DATANODES = "-datanodes";

  /** Its argument in usages. */
  static final String DATANODES_USAGE = "[-datanodes HOST:PORT,...]";

  /** Its help. */
  static final String DATANODES_HELP =
      """
      -datanodes  asks these DataNodes in place of all that the NameNodes know; PORT is that of
                  dfs.parity.datanode.rpc-address there
      """;

  private static final String FILE_SYSTEM = "fs.hdfs.impl";

  private final Configuration conf;
  private final Console console;

  ClusterInquiry(Console console) {
    this.conf = console.conf();
    this.console = console;
  }

  /**
   * Asks all.
   *
   * @param named what {@link #DATANODES} says; empty: those that NameNodes know
   * @throws AccessControlException when NameNodes refuse the caller, and none answers
   * @throws IOException when no NameNode is configured
   */
  ClusterFacts ask(Optional<String> named)
      throws IOException, InterruptedException, UsageException {
    List<DaemonPoll.Target> chosen = new ArrayList<>();
    if (named.isPresent()) {
      chosen.addAll(parse(named.get()));
    }
    try (DaemonPoll poll = new DaemonPoll(conf, console.err())) {
      List<DaemonAnswer> nameNodes = poll.ask(nameNodes());
      requireAllowed(nameNodes);
      LocalFacts local = local();
      List<NameNodeFacts> views =
          new ClusterFacts(local, nameNodes, List.of(), /* problem= */ "").views();
      String problem = "";
      if (named.isEmpty()) {
        try {
          chosen.addAll(dataNodes(views));
          problem = problem(views);
        } catch (IllegalArgumentException e) {
          problem = String.valueOf(e.getMessage());
        }
      }
      return new ClusterFacts(local, nameNodes, poll.ask(chosen), problem);
    }
  }

  private LocalFacts local() {
    return new LocalFacts(
        SuiteVersion.get(), VersionInfo.getVersion(), ReportedKeys.of(conf), fileSystemProblem());
  }

  private String fileSystemProblem() {
    String name = conf.getTrimmed(FILE_SYSTEM, "");
    try {
      if (!name.isEmpty()) {
        conf.getClassByName(name);
      }
      return "";
    } catch (ClassNotFoundException | LinkageError e) {
      return e.toString();
    }
  }

  private List<DaemonPoll.Target> nameNodes() throws IOException {
    Map<InetSocketAddress, NameNodeServer> servers = new LinkedHashMap<>();
    NameNodeServers.all(conf).forEach(each -> servers.putIfAbsent(each.address(), each));
    return servers.values().stream()
        .map(
            each ->
                new DaemonPoll.Target(
                    DaemonKind.NAMENODE,
                    // As it is configured: no look-up of a name, which may take long.
                    each.address().getHostString() + ":" + each.address().getPort(),
                    each.address(),
                    each::shareToken))
        .toList();
  }

  private static void requireAllowed(List<DaemonAnswer> nameNodes) throws IOException {
    if (nameNodes.stream().anyMatch(each -> each.status().isPresent())) {
      return;
    }
    for (DaemonAnswer each : nameNodes) {
      CallFailure failure = each.failure().orElseThrow();
      if (failure.cause() == CallFailure.Cause.DENIED) {
        throw new AccessControlException(failure.message());
      }
    }
  }

  /** Those that should answer, each address once. */
  private List<DaemonPoll.Target> dataNodes(List<NameNodeFacts> views) {
    InetSocketAddress usual = new KeyReader(conf).address(SuiteKey.DATANODE_RPC_ADDRESS);
    boolean byName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    Map<InetSocketAddress, DaemonPoll.Target> targets = new LinkedHashMap<>();
    for (NameNodeFacts view : views) {
      for (RegisteredNode each : view.nodes()) {
        if (each.state() == DataNodeAvailability.LIVE
            || each.state() == DataNodeAvailability.STALE) {
          int port = each.suitePort() == 0 ? usual.getPort() : each.suitePort();
          if (port == 0) {
            throw KeyReader.refused(
                SuiteKey.DATANODE_RPC_ADDRESS.key(),
                usual.getHostString() + ":" + usual.getPort(),
                "a port, or the option " + DATANODES,
                /* cause= */ null);
          }
          InetSocketAddress socket =
              NetUtils.createSocketAddrForHost(byName ? each.hostName() : each.ipAddress(), port);
          targets.putIfAbsent(
              socket,
              new DaemonPoll.Target(
                  DaemonKind.DATANODE,
                  each.hostName() + ":" + port,
                  socket,
                  DaemonPoll.Preparation.NONE));
        }
      }
    }
    return List.copyOf(targets.values());
  }

  private static String problem(List<NameNodeFacts> views) {
    if (views.isEmpty()) {
      return "no NameNode has answered which DataNodes there are";
    }
    int omitted = views.stream().mapToInt(NameNodeFacts::nodesOmitted).sum();
    return omitted == 0 ? "" : "NameNodes have left out " + omitted + " DataNodes";
  }

  private static List<DaemonPoll.Target> parse(String named) throws UsageException {
    List<DaemonPoll.Target> targets = new ArrayList<>();
    for (String each : Arrays.stream(named.split(",", -1)).map(String::trim).toList()) {
      try {
        targets.add(
            new DaemonPoll.Target(
                DaemonKind.DATANODE,
                each,
                NetUtils.createSocketAddr(each),
                DaemonPoll.Preparation.NONE));
      } catch (IllegalArgumentException e) {
        throw new UsageException(DATANODES + "=" + each + ", expected HOST:PORT");
      }
    }
    return targets;
  }
}
