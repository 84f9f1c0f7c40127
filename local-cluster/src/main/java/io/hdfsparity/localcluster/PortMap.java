/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The ports of all daemons. Immutable; stored as {@code ports.properties}. */
public final class PortMap {
  private static final int ATTEMPTS = 100;

  private final Map<String, Integer> ports;

  private PortMap(Map<String, Integer> ports) {
    this.ports = Map.copyOf(ports);
  }

  /** A map without ports. */
  public static PortMap empty() {
    return new PortMap(Map.of());
  }

  private static String key(Daemon daemon, Purpose purpose) {
    return daemon.name() + "." + purpose.name().toLowerCase(Locale.ROOT);
  }

  /** The port of a daemon. */
  public int port(Daemon daemon, Purpose purpose) {
    Integer port = ports.get(key(daemon, purpose));
    if (port == null) {
      throw new IllegalStateException(
          "Cannot find the port: daemon="
              + daemon.name()
              + " purpose="
              + purpose
              + ", expected one in ports.properties");
    }
    return port;
  }

  /** Host and port of a daemon, as Hadoop's address properties want them. */
  public String address(Daemon daemon, Purpose purpose) {
    return daemon.host() + ":" + port(daemon, purpose);
  }

  /**
   * Chooses ports that are free now for the given daemons and keeps those of all others. A port
   * that the daemon had before is kept when it is still free. All probes stay bound until the last
   * is chosen, so that no two are the same.
   *
   * @throws PortBusyException when a port that the description names cannot be taken; with the
   *     reason
   */
  public PortMap choose(ClusterSpec spec, List<Daemon> daemons) throws IOException {
    Map<String, Integer> next = new TreeMap<>(ports);
    PortRange range = PortRange.ofMachine();
    List<ServerSocket> probes = new ArrayList<>();
    try {
      for (Daemon daemon : daemons) {
        for (Purpose purpose : Purpose.of(daemon.role(), spec.mode())) {
          ServerSocket probe =
              probe(daemon, fixed(spec, daemon, purpose), ports.get(key(daemon, purpose)), range);
          probes.add(probe);
          next.put(key(daemon, purpose), probe.getLocalPort());
        }
      }
    } finally {
      for (ServerSocket probe : probes) {
        probe.close();
      }
    }
    return new PortMap(next);
  }

  private static int fixed(ClusterSpec spec, Daemon daemon, Purpose purpose) {
    if (!daemon.role().isNameNode() || daemon.node() != 0) {
      return 0;
    }
    return switch (purpose) {
      case RPC -> spec.ports().nameNode();
      case HTTP -> spec.ports().http();
      default -> 0;
    };
  }

  private static ServerSocket probe(
      Daemon daemon, int fixedPort, Integer previousPort, PortRange range) throws IOException {
    if (fixedPort != 0) {
      return bindFixed(daemon, fixedPort);
    }
    ServerSocket socket = previousPort == null ? null : tryBind(daemon.host(), previousPort);
    if (socket == null) {
      socket = bindAny(daemon.host(), range);
    }
    if (socket == null) {
      throw new IOException(
          "Cannot start "
              + daemon.name()
              + ": address="
              + daemon.host()
              + ", expected an address of the loopback interface with free ports");
    }
    return socket;
  }

  private static ServerSocket bindFixed(Daemon daemon, int port) throws PortBusyException {
    try {
      return bind(daemon.host(), port);
    } catch (IOException e) {
      throw new PortBusyException(
          "Cannot start "
              + daemon.name()
              + ": port="
              + port
              + " on "
              + daemon.host()
              + ", expected a port that is free and that this user may take: "
              + e.getMessage(),
          e);
    }
  }

  /** Any port, one of outgoing connections only if no other is free. */
  private static ServerSocket bindAny(String host, PortRange range) {
    for (int port : range.some(ATTEMPTS).toArray()) {
      ServerSocket socket = tryBind(host, port);
      if (socket != null) {
        return socket;
      }
    }
    return tryBind(host, 0);
  }

  /** A socket bound to a port; null where it cannot be, and another port will do as well. */
  private static ServerSocket tryBind(String host, int port) {
    try {
      return bind(host, port);
    } catch (IOException taken) {
      return null;
    }
  }

  private static ServerSocket bind(String host, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Writes the ports. */
  public void store(Path file) throws IOException {
    Properties properties = new Properties();
    ports.forEach((key, port) -> properties.setProperty(key, String.valueOf(port)));
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      properties.store(out, "ports of a local cluster");
    }
  }

  /** Reads stored ports; none when there is no file. */
  public static PortMap load(Path file) throws IOException {
    if (!Files.exists(file)) {
      return empty();
    }
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    Map<String, Integer> ports = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      try {
        ports.put(name, Integer.parseInt(properties.getProperty(name)));
      } catch (NumberFormatException e) {
        throw new IOException(
            "Cannot read the ports: "
                + name
                + "="
                + properties.getProperty(name)
                + ", expected a number, file="
                + file,
            e);
      }
    }
    return new PortMap(ports);
  }
}
