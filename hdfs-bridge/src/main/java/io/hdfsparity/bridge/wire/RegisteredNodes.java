/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Ties a report to the DataNode that it names: it has to come from an address at which that node
 * has registered with the NameNode. A user name does not tell DataNodes apart, for all have the
 * same one. Stateless.
 *
 * <p>The address of a registration is the one that the NameNode saw. A node with several networks
 * may report from another of its addresses: those of the host names of its registration count, its
 * own ({@code dfs.datanode.hostname}) and the one that the NameNode's name service gave for its
 * address. A node can say any host name, but only of itself: that lets other hosts report for it,
 * and never lets it report for other nodes. Loopback addresses of a name do not count, for they are
 * those of whoever asks.
 */
public final class RegisteredNodes {
  private static final Pattern IPV4 = Pattern.compile("\\d+(\\.\\d+){3}");

  /** A name service. */
  @FunctionalInterface
  interface Names {
    InetAddress[] resolve(String hostName) throws UnknownHostException;
  }

  private RegisteredNodes() {}

  /**
   * Returns when the caller of the RPC that the thread serves is at an address of the node; also
   * when the thread serves no RPC. Asks the name service only for a caller at another address than
   * that of the registration.
   *
   * @param node as it has registered
   * @throws AccessControlException when not
   */
  public static void requireCallerAt(DatanodeID node) throws AccessControlException {
    List<String> names =
        node.getPeerHostName() == null
            ? List.of(node.getHostName())
            : List.of(node.getHostName(), node.getPeerHostName());
    requireCallerAt(node.getDatanodeUuid(), node.getIpAddr(), names);
  }

  /**
   * The same.
   *
   * @param nodeUuid for the message
   * @param ipAddress at which the node has registered
   * @param hostNames of its registration; none where only the address was kept
   * @throws AccessControlException when not
   */
  public static void requireCallerAt(
      String nodeUuid, String ipAddress, Collection<String> hostNames)
      throws AccessControlException {
    requireAt(Server.getRemoteIp(), nodeUuid, ipAddress, hostNames, InetAddress::getAllByName);
  }

  /**
   * The same of a given address.
   *
   * @param caller null: a call inside the process
   */
  static void requireAt(
      @Nullable InetAddress caller,
      String nodeUuid,
      String ipAddress,
      Collection<String> hostNames,
      Names names)
      throws AccessControlException {
    if (caller == null) {
      return;
    }
    InetAddress registered = literal(ipAddress);
    if (!caller.equals(registered)
        && !(isHere(caller) && isHere(registered))
        && !isNamed(caller, hostNames, names)) {
      throw new AccessControlException(
          "Cannot report as a DataNode: address="
              + caller.getHostAddress()
              + ", expected "
              + ipAddress
              + ", where it has registered with the NameNode, or an address of its host names "
              + hostNames
              + "; let the DataNode reach this server over the same network as the NameNode, or"
              + " let its host name resolve to all of its addresses, uuid="
              + nodeUuid);
    }
  }

  private static boolean isNamed(InetAddress caller, Collection<String> hostNames, Names names) {
    return !caller.isLoopbackAddress()
        && hostNames.stream().anyMatch(name -> isOneOf(caller, name, names));
  }

  private static boolean isOneOf(InetAddress caller, String hostName, Names names) {
    if (hostName.isEmpty()) {
      return false; // resolves to this host
    }
    try {
      return Arrays.asList(names.resolve(hostName)).contains(caller);
    } catch (UnknownHostException e) {
      return false; // a name that nobody knows names no address
    }
  }

  /** A NameNode's own host has several addresses. */
  private static boolean isHere(@Nullable InetAddress address) {
    if (address == null) {
      return false;
    }
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      throw new IllegalStateException("Cannot list the addresses of this host", e);
    }
  }

  /** Asks no name service: what is registered is an address. */
  private static @Nullable InetAddress literal(String ipAddress) {
    if (!ipAddress.contains(":") && !IPV4.matcher(ipAddress).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(ipAddress);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
