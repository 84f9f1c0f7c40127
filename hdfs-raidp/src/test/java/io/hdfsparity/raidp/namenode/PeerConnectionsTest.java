/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.wire.RaidpPeerProtocolPB;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpLstorService;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A manager with a DataNode that serves the protocol of peers, and does not know a method of it.
 */
class PeerConnectionsTest {
  private static final SuperchunkRef ONE = new SuperchunkRef(1, 1);

  private final Configuration conf = new Configuration();
  private final PeerConnections peers = new PeerConnections(conf, 10_000);
  private RPC.Server older;
  private PeerAddress node;

  @BeforeEach
  void start() throws IOException {
    RaidpLstorService.BlockingInterface none =
        (RaidpLstorService.BlockingInterface)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RaidpLstorService.BlockingInterface.class},
                (proxy, method, args) -> {
                  throw new AssertionError("called " + method);
                });
    RPC.setProtocolEngine(conf, RaidpPeerProtocolPB.class, ProtobufRpcEngine2.class);
    older =
        new RPC.Builder(conf)
            .setProtocol(RaidpPeerProtocolPB.class)
            .setInstance(RaidpLstorService.newReflectiveBlockingService(none))
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(1)
            .build();
    older.start();
    node = new PeerAddress("uuid-7", "127.0.0.1", older.getListenerAddress().getPort());
  }

  @AfterEach
  void stop() {
    older.stop();
  }

  private void assertNamesTheNode(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot call a DataNode: node=127.0.0.1:" + node.port())
        .hasMessageContaining("nodeUuid=uuid-7, expected the suite's version of this NameNode")
        .hasMessageContaining("upgrade the DataNode")
        .hasMessageContaining("Unknown method");
  }

  @Test
  void aNodeThatDoesNotKnowACallIsNamedWithTheRemedy() {
    assertNamesTheNode(() -> peers.release(node, "DS-a", ONE, Map.of(1L, 1L), () -> true));
    assertNamesTheNode(() -> peers.cover(node, "DS-a", ONE, List.of(1L)));
    assertNamesTheNode(() -> peers.findRows(node, "DS-a", List.of(1L)));
    assertNamesTheNode(() -> peers.entries(node, "DS-a", OptionalLong.empty()));
    assertNamesTheNode(() -> peers.scrub(node, new ScrubRequest(Optional.empty(), false, true)));
    assertNamesTheNode(() -> peers.heal(node, new HealRequest("DS-a", 1, 1, 1)));
  }
}
