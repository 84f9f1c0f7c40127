/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class ActiveNameNodeTest {
  private static final List<NameNodeServer> TWO = List.of(server(1), server(2));

  private final List<Integer> called = new ArrayList<>();

  private static NameNodeServer server(int port) {
    InetSocketAddress address = InetSocketAddress.createUnresolved("nn", port);
    return new NameNodeServer("ns", address, address);
  }

  private ActiveNameNode.Call<String> firstThrows(IOException failure) {
    return server -> {
      called.add(server.address().getPort());
      if (called.size() == 1) {
        throw failure;
      }
      return "done";
    };
  }

  @Test
  void aCallThatMayBeRepeatedGoesToTheNextNameNodeAfterAClosedConnection() throws IOException {
    assertThat(ActiveNameNode.call(TWO, firstThrows(new EOFException("closed")))).isEqualTo("done");
    assertThat(called).containsExactly(1, 2);
  }

  @Test
  void aCallThatMayNotBeRepeatedFailsWithTheConnection() {
    assertThatThrownBy(
            () ->
                ActiveNameNode.call(
                    TWO, ClosedConnection.FAIL, firstThrows(new EOFException("closed"))))
        .isInstanceOf(EOFException.class)
        .hasMessage("closed");
    assertThat(called).containsExactly(1);
  }

  @Test
  void aStandbyIsPassedByForAnyCall() throws IOException {
    assertThat(
            ActiveNameNode.call(
                TWO, ClosedConnection.FAIL, firstThrows(new StandbyException("standby"))))
        .isEqualTo("done");
    assertThat(called).containsExactly(1, 2);
  }

  /** Each had been restarted since the last call: all connections that were kept are closed. */
  @Test
  void eachNameNodeThatClosedAConnectionIsCalledAgain() throws IOException {
    ActiveNameNode.Call<String> call =
        server -> {
          called.add(server.address().getPort());
          if (called.size() <= 2) {
            throw new EOFException("closed");
          }
          return "done";
        };
    assertThat(ActiveNameNode.call(TWO, ClosedConnection.CALL_AGAIN, call)).isEqualTo("done");
    assertThat(called).containsExactly(1, 2, 1);
  }

  @Test
  void aNameNodeThatClosesTwoConnectionsIsNotCalledAThirdTime() {
    ActiveNameNode.Call<String> call =
        server -> {
          called.add(server.address().getPort());
          throw server.address().getPort() == 1
              ? new EOFException("closed")
              : new StandbyException("standby");
        };
    assertThatThrownBy(() -> ActiveNameNode.call(TWO, ClosedConnection.CALL_AGAIN, call))
        .isInstanceOf(NameNodeNotReadyException.class)
        .hasMessageContaining("closed; nn/<unresolved>:2: standby; nn/<unresolved>:1: closed");
    assertThat(called).containsExactly(1, 2, 1);
  }

  /** Else a swap that was executed would be refused, as its file is another one by then. */
  @Test
  void aCallIsNotMadeTwiceAtOneNameNodeUnlessItSaysThatItMayBe() {
    ActiveNameNode.Call<String> call =
        server -> {
          called.add(server.address().getPort());
          throw new EOFException("closed");
        };
    assertThatThrownBy(() -> ActiveNameNode.call(TWO, call))
        .isInstanceOf(NameNodeNotReadyException.class);
    assertThat(called).containsExactly(1, 2);
  }

  @Test
  void aConnectionThatWasResetIsAClosedOne() throws IOException {
    SocketException reset = new SocketException("Connection reset");
    assertThatThrownBy(() -> ActiveNameNode.call(TWO, ClosedConnection.FAIL, firstThrows(reset)))
        .isSameAs(reset);
    called.clear();
    assertThat(ActiveNameNode.call(TWO, firstThrows(reset))).isEqualTo("done");
    called.clear();
    ConnectException refused = new ConnectException("Connection refused");
    assertThat(ActiveNameNode.call(TWO, ClosedConnection.FAIL, firstThrows(refused)))
        .as("no connection, so nothing was executed")
        .isEqualTo("done");
  }
}
