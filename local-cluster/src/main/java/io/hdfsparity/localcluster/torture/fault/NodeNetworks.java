/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A network namespace for each DataNode, with a link to a bridge in this program's own one. The
 * addresses stay 127.0.0.x. 127.0.0.1 is that of the NameNode for connections from the address of
 * the DataNode, and the DataNode's own host for all others. Needs root and a namespace of this
 * program's own, which ends with it. Used by one thread.
 */
final class NodeNetworks {
  private static final Path NAMED = Path.of("/run/netns");
  private static final String BRIDGE = "torture0";

  /** Of a DataNode's packets to the NameNode. */
  private static final int OUT_TABLE = 200;

  /** Of packets that nobody gets. */
  private static final int LOST_TABLE = 300;

  /** Nobody has it: what is sent there is lost without an error. */
  private static final String NOBODY = "127.0.0.250";

  private static final String NOBODYS_ADDRESS = " lladdr 02:00:00:00:00:fa";

  /** Of what is not delivered: before all others but the local ones of a machine. */
  private static final String FIRST_RULE = "pref 5 ";

  private NodeNetworks() {}

  /** Makes them, before there is a cluster. */
  static void make(int nodes) throws IOException {
    Files.createDirectories(NAMED);
    // Named namespaces are files, to be seen by nobody else.
    HostCommand.run("mount -t tmpfs tmpfs " + NAMED);
    HostCommand.run(
        "sysctl -q -w net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0"
            + " net.ipv4.conf.all.route_localnet=1 net.ipv4.ip_nonlocal_bind=1");
    HostCommand.run("ip link set lo up");
    HostCommand.run("ip addr del 127.0.0.1/8 dev lo");
    HostCommand.run("ip addr add 127.0.0.1/32 dev lo");
    HostCommand.run("ip link add " + BRIDGE + " type bridge");
    HostCommand.run("ip link set " + BRIDGE + " up");
    HostCommand.run("ip route add 127.0.0.0/8 dev " + BRIDGE + " src 127.0.0.1");
    HostCommand.run(
        "ip neigh add " + NOBODY + NOBODYS_ADDRESS + " dev " + BRIDGE + " nud permanent");
    HostCommand.run(
        "ip route add 127.0.0.0/8 via "
            + NOBODY
            + (" dev " + BRIDGE + " onlink src 127.0.0.1 table ")
            + LOST_TABLE);
    for (int node = 0; node < nodes; node++) {
      make(name(node), link(node), Daemon.nodeHost(node));
    }
  }

  private static void make(String name, String link, String address) throws IOException {
    HostCommand.run("ip netns add " + name);
    HostCommand.run("ip link add " + link + " type veth peer name eth0 netns " + name);
    HostCommand.run("ip link set " + link + " master " + BRIDGE + " up");
    HostCommand.run(
        "ip netns exec "
            + name
            + " sysctl -q -w net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0"
            + " net.ipv4.conf.all.route_localnet=1 net.ipv4.conf.all.accept_local=1");
    for (String step :
        List.of(
            "link set lo up",
            "addr del 127.0.0.1/8 dev lo",
            "addr add 127.0.0.1/32 dev lo",
            "link set eth0 up",
            "addr add " + address + "/32 dev eth0",
            "route add 127.0.0.0/8 dev eth0 src " + address,
            "route add 127.0.0.1/32 dev eth0 src " + address + " table " + OUT_TABLE,
            "neigh add " + NOBODY + NOBODYS_ADDRESS + " dev eth0 nud permanent",
            "route add 127.0.0.1/32 via " + NOBODY + " dev eth0 onlink table " + LOST_TABLE,
            "rule add pref 10 from " + address + " to 127.0.0.1 lookup " + OUT_TABLE,
            "rule add pref 100 lookup local",
            "rule del pref 0")) {
      HostCommand.run("ip -n " + name + " " + step);
    }
  }

  private static String name(int node) {
    return "dn" + node;
  }

  private static String link(int node) {
    return "to-dn" + node;
  }

  /** What starts a program in that of a node. */
  static List<String> prefix(int node) {
    return List.of("nsenter", "--net=" + NAMED.resolve(name(node)));
  }

  /** Cuts a node off from all others, clients too. */
  static void cut(int node) throws IOException {
    HostCommand.run("ip link set " + link(node) + " down");
  }

  /** Ends it. */
  static void join(int node) throws IOException {
    HostCommand.run("ip link set " + link(node) + " up");
  }

  /** Loses all that a node sends to a port of the NameNode; it reaches all others. */
  static void cutFrom(int node, int port) throws IOException {
    HostCommand.run("ip -n " + name(node) + " rule add " + lost(node, port));
  }

  /** Ends it. */
  static void joinTo(int node, int port) throws IOException {
    HostCommand.run("ip -n " + name(node) + " rule del " + lost(node, port));
  }

  private static String lost(int node, int port) {
    return FIRST_RULE
        + "from "
        + Daemon.nodeHost(node)
        + " to 127.0.0.1 ipproto tcp dport "
        + port
        + " lookup "
        + LOST_TABLE;
  }

  /**
   * Loses all that a node sends on a client's connection to a port; what that sends arrives.
   *
   * @param clientPort of the connection at the client
   * @return what ends it
   */
  static Remedy loseToClient(int node, int port, int clientPort) throws IOException {
    return addRule(
        "ip -n " + name(node),
        "from "
            + Daemon.nodeHost(node)
            + " to 127.0.0.1 ipproto tcp sport "
            + port
            + " dport "
            + clientPort
            + " lookup "
            + LOST_TABLE);
  }

  /**
   * Loses all that a client's connection sends to a port of a node. Its host sends it again until
   * it arrives.
   *
   * @param clientPort of the connection at the client
   * @return what ends it
   */
  static Remedy loseFromClient(int clientPort, int node, int port) throws IOException {
    return addRule(
        "ip",
        "to "
            + Daemon.nodeHost(node)
            + " ipproto tcp sport "
            + clientPort
            + " dport "
            + port
            + " lookup "
            + LOST_TABLE);
  }

  /**
   * Refuses clients a port of a node: connecting fails at once.
   *
   * @return what ends it
   */
  static Remedy refuse(int node, int port) throws IOException {
    return addRule(
        "ip", "to " + Daemon.nodeHost(node) + " ipproto tcp dport " + port + " unreachable");
  }

  private static Remedy addRule(String program, String rule) throws IOException {
    HostCommand.run(program + " rule add " + FIRST_RULE + rule);
    return () -> HostCommand.run(program + " rule del " + FIRST_RULE + rule);
  }

  /** Ports at the clients of their connections to a port of a node, ascending. */
  static List<Integer> clientPorts(int node, int port) throws IOException {
    return HostCommand.lines("ss -Htn " + connections(node, port)).stream()
        .map(NodeNetworks::localPort)
        .sorted()
        .toList();
  }

  /** As of "0 0 127.0.0.1:43472 127.0.0.2:7000": the queues, the own address, the other one. */
  static int localPort(String line) {
    String local = line.trim().split("\\s+")[2];
    return Integer.parseInt(local.substring(local.lastIndexOf(':') + 1));
  }

  /**
   * Breaks connections of clients to a port of a node; both sides see it, unless what would tell
   * them is lost.
   *
   * @param clientPorts of the connections at the clients; ones that have ended are left out
   * @throws IOException if the kernel cannot (INET_DIAG_DESTROY)
   */
  static void breakConnections(int node, int port, Collection<Integer> clientPorts)
      throws IOException {
    for (int clientPort : clientPorts) {
      HostCommand.run("ss -K -Htn " + connections(node, port) + " and sport = :" + clientPort);
    }
    Set<Integer> left = new TreeSet<>(clientPorts);
    left.retainAll(clientPorts(node, port));
    if (!left.isEmpty()) {
      throw new IOException(
          "Cannot break connections to dn"
              + node
              + ": ports="
              + left
              + ", expected a kernel with INET_DIAG_DESTROY");
    }
  }

  private static String connections(int node, int port) {
    return "state established dst " + Daemon.nodeHost(node) + " dport = :" + port;
  }
}
