/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortMapTest {
  @Test
  void allAddressesDifferAndCanBeBound() throws IOException {
    ClusterSpec spec = Specs.raidp();
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    List<String> addresses = new ArrayList<>();
    for (Daemon daemon : Daemon.of(spec)) {
      for (Purpose purpose : Purpose.of(daemon.role(), spec.mode())) {
        addresses.add(ports.address(daemon, purpose));
        try (ServerSocket socket =
            new ServerSocket(
                ports.port(daemon, purpose), 1, InetAddress.getByName(daemon.host()))) {
          assertThat(socket.isBound()).isTrue();
        }
      }
    }
    assertThat(addresses).hasSize(3 + 6 * 4 + 6);
    assertThat(new HashSet<>(addresses)).hasSameSizeAs(addresses);
  }

  /** One of these may hold a port of a daemon that is being restarted. */
  @Test
  void noPortIsOneOfOutgoingConnections() throws IOException {
    ClusterSpec spec = Specs.raidp();
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    PortRange range = PortRange.ofMachine();
    assertThat(range.end()).isGreaterThan(range.first());
    for (Daemon daemon : Daemon.of(spec)) {
      for (Purpose purpose : Purpose.of(daemon.role(), spec.mode())) {
        assertThat(ports.port(daemon, purpose)).isBetween(range.first(), range.end() - 1);
      }
    }
  }

  @Test
  void aRangeEndsWhereOutgoingConnectionsBegin() throws IOException {
    assertThat(PortRange.below("32768\t60999\n").end()).isEqualTo(32_768);
    assertThat(PortRange.below("1024 65535").some(10)).isEmpty();
    assertThatThrownBy(() -> PortRange.below("none"))
        .hasMessageContaining("ip_local_port_range=none, expected two numbers");
  }

  @Test
  void portsStayWhenTheyAreFreeAndChangeWhenTheyAreTaken(@TempDir Path dir) throws IOException {
    ClusterSpec spec = Specs.stock(0, Map.of());
    Daemon node = new Daemon(DaemonRole.DATANODE, 1);
    PortMap first = PortMap.empty().choose(spec, Daemon.of(spec));
    first.store(dir.resolve("ports"));
    PortMap loaded = PortMap.load(dir.resolve("ports"));
    assertThat(loaded.choose(spec, Daemon.of(spec)).port(node, Purpose.HTTP))
        .isEqualTo(first.port(node, Purpose.HTTP));
    try (ServerSocket thief =
        new ServerSocket(first.port(node, Purpose.HTTP), 1, InetAddress.getByName(node.host()))) {
      PortMap second = loaded.choose(spec, List.of(node));
      assertThat(second.port(node, Purpose.HTTP)).isNotEqualTo(thief.getLocalPort());
      assertThat(second.port(node, Purpose.RPC)).isEqualTo(first.port(node, Purpose.RPC));
    }
  }

  @Test
  void aPortThatWasAskedForAndIsTakenIsNamed() throws IOException {
    try (ServerSocket thief = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ClusterSpec spec = Specs.stock(thief.getLocalPort(), Map.of());
      assertThatThrownBy(() -> PortMap.empty().choose(spec, Daemon.of(spec)))
          .isInstanceOf(PortBusyException.class)
          .hasMessageContaining("port=" + thief.getLocalPort())
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining("expected a port that is free and that this user may take: ")
          .hasCauseInstanceOf(BindException.class)
          .satisfies(e -> assertThat(e.getMessage()).endsWith(e.getCause().getMessage()));
    }
  }
}
