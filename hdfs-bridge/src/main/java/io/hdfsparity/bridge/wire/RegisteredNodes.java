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
import java.util.regex.Pattern;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Ties a report to the DataNode that it names: it has to come from the address at which that node
 * has registered with the NameNode. A name alone does not tell DataNodes apart, for all have the
 * same one. Stateless.
 */
public final class RegisteredNodes {
  private static final Pattern IPV4 = Pattern.compile("\\d+(\\.\\d+){3}");

  private RegisteredNodes() {}

  /**
   * Returns when the caller of the RPC that the thread serves is at the node's address; also when
   * the thread serves no RPC.
   *
   * @param nodeUuid for the message
   * @param ipAddress at which the node has registered
   * @throws AccessControlException when not
   */
  public static void requireCallerAt(String nodeUuid, String ipAddress)
      throws AccessControlException {
    requireAt(Server.getRemoteIp(), nodeUuid, ipAddress);
  }

  /**
   * The same of a given address.
   *
   * @param caller null: a call inside the process
   */
  static void requireAt(@Nullable InetAddress caller, String nodeUuid, String ipAddress)
      throws AccessControlException {
    if (caller == null || caller.getHostAddress().equals(ipAddress)) {
      return;
    }
    if (!isHere(caller) || !isHere(literal(ipAddress))) {
      throw new AccessControlException(
          "Cannot report as a DataNode: address="
              + caller.getHostAddress()
              + ", expected "
              + ipAddress
              + ", where it has registered with the NameNode; let the DataNode reach this server"
              + " over the same network as the NameNode, uuid="
              + nodeUuid);
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
