/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.config.LevelOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A NameNode that accepts connections and says nothing, as one that was stopped by a signal. */
@Timeout(300)
class PeerGuardsTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final AtomicLong nowMs = new AtomicLong(1);
  private ServerSocket unresponsive;
  private PeerGuards guards;

  @BeforeEach
  void start() throws IOException {
    unresponsive = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.submit(
        () -> {
          while (true) {
            connections.add(unresponsive.accept());
          }
        });
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "nn1,nn2");
    conf.set("dfs.nameservice.id", "ns");
    conf.set("dfs.ha.namenode.id", "nn1");
    conf.set("dfs.namenode.rpc-address.ns.nn1", "127.0.0.1:1");
    conf.set("dfs.namenode.rpc-address.ns.nn2", "127.0.0.1:2");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns.nn1", "127.0.0.1:3");
    conf.set(
        SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns.nn2",
        "127.0.0.1:" + unresponsive.getLocalPort());
    guards = PeerGuards.of(conf, LevelOptions.of(conf), nowMs::get);
  }

  @AfterEach
  void stop() throws IOException {
    unresponsive.close();
    for (Socket each : connections) {
      each.close();
    }
    threads.shutdownNow();
  }

  /** However many callers ask for a policy, one of them waits. */
  @Test
  void oneCallerWaitsForANameNodeThatHangs() throws Exception {
    assertRefused();
    int once = connections.size();
    assertThat(once).isPositive();
    assertRefused();
    assertThat(connections).as("within ten seconds").hasSize(once);
    nowMs.addAndGet(10_000);
    Future<?> asks = threads.submit(this::assertRefused);
    await().until(() -> connections.size() > once);
    int again = connections.size();
    for (int i = 0; i < 20; i++) {
      assertRefused();
    }
    assertThat(connections).hasSize(again);
    assertThat(asks).isNotDone();
    asks.get();
  }

  private void assertRefused() {
    assertThatThrownBy(() -> guards.requireClientsGuarded("IZS-4-2-1024k"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot use a policy: policy=IZS-4-2-1024k, clientsGuarded=unknown")
        .hasMessageContaining("dfs.parity.izs.level.peers.check");
  }
}
