/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PlacementQueryTest {
  private static final ExtendedBlock BLOCK = new ExtendedBlock("BP", 7, 0, 9);
  private static final SuperchunkAnswer PAIR = new SuperchunkAnswer.Pair("DS-1", 2, 3);

  /** One answer after the other; the last one for ever. */
  private final List<Object> first = new ArrayList<>();

  private final List<Object> second = new ArrayList<>();
  private final List<Integer> asked = new CopyOnWriteArrayList<>();
  private final List<SuperchunkRequest> requests = new CopyOnWriteArrayList<>();

  private static NameNodeServer server(int port) {
    InetSocketAddress address = InetSocketAddress.createUnresolved("nn", port);
    return new NameNodeServer("", address, address);
  }

  private PlacementQuery query(long timeoutMs) {
    return new PlacementQuery(
        new PlacementQuery.Managers() {
          @Override
          public List<NameNodeServer> servers() {
            return List.of(server(1), server(2));
          }

          @Override
          public RaidpNodeProtocol at(InetSocketAddress address) {
            return manager(address.getPort());
          }

          @Override
          public void close() {}
        },
        Clock.system(),
        "CID",
        "n1",
        timeoutMs);
  }

  private RaidpNodeProtocol manager(int port) {
    List<Object> answers = port == 1 ? first : second;
    return new RaidpNodeProtocol() {
      @Override
      public NodeReportResponse reportNode(NodeReport report) {
        throw new AssertionError("not called");
      }

      @Override
      public boolean reportLstor(LstorReport report) {
        throw new AssertionError("not called");
      }

      @Override
      public SuperchunkAnswer superchunkOf(SuperchunkRequest request) throws IOException {
        asked.add(port);
        requests.add(request);
        Object answer = answers.size() > 1 ? answers.remove(0) : answers.get(0);
        if (answer instanceof IOException failure) {
          throw failure;
        }
        return (SuperchunkAnswer) answer;
      }
    };
  }

  @Test
  void theActiveManagerIsAskedOnce() throws IOException {
    first.add(new StandbyException("standby"));
    second.add(PAIR);
    PlacementQuery query = query(10_000);
    assertThat(query.ask(Optional.empty(), BLOCK)).isEqualTo(PAIR);
    assertThat(query.ask(Optional.empty(), BLOCK)).isEqualTo(PAIR);
    assertThat(asked).as("then the one that has answered comes first").containsExactly(1, 2, 2);
    assertThat(requests)
        .containsOnly(new SuperchunkRequest("CID", "n1", "BP", 7, 9, Optional.empty()));
  }

  @Test
  void whatIsHdfsAloneHasNoStorage() throws IOException {
    first.add(new SuperchunkAnswer.Plain());
    assertThat(query(10_000).ask(Optional.empty(), BLOCK)).isEqualTo(new SuperchunkAnswer.Plain());
  }

  @Test
  void aRefusalIsFinal() {
    first.add(new SuperchunkAnswer.Refused("says the test"));
    assertThatThrownBy(() -> query(600_000).ask(Optional.empty(), BLOCK))
        .hasMessageContaining("Cannot make a replica: block=BP:blk_7_9")
        .hasMessageEndingWith("says the test");
    assertThat(asked).containsExactly(1);
  }

  @Test
  void aCallerThatMayNotAskIsToldAtOnce() {
    first.add(new AccessControlException("says the test"));
    assertThatThrownBy(() -> query(600_000).ask(Optional.empty(), BLOCK))
        .isInstanceOf(AccessControlException.class);
    assertThat(asked).containsExactly(1);
  }

  @Test
  void itWaitsUntilAManagerIsActiveAndKnowsTheNode() throws IOException {
    first.add(new ConnectException("down"));
    first.add(new SocketTimeoutException("hangs"));
    first.add(new IOException("not registered yet"));
    first.add(PAIR);
    second.add(new StandbyException("standby"));
    assertThat(query(600_000).ask(Optional.empty(), BLOCK)).isEqualTo(PAIR);
    assertThat(asked).containsExactly(1, 2, 1, 2, 1, 1);
  }

  @Test
  void thenItSaysWhatToDo() {
    first.add(new ConnectException("refused, says the test"));
    second.add(new StandbyException("standby, says the test"));
    assertThatThrownBy(() -> query(300).ask(Optional.empty(), BLOCK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("waitedMs=")
        .hasMessageContaining("see that a NameNode is active")
        .hasMessageContaining("dfs.parity.raidp.placement.query.timeout")
        .hasMessageContaining("refused, says the test")
        .hasMessageContaining("standby, says the test");
    assertThat(asked).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    first.add(new ConnectException("down"));
    second.add(new ConnectException("down"));
    AtomicReference<Exception> thrown = new AtomicReference<>();
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread writer =
        new Thread(
            () -> {
              try {
                query(3_600_000).ask(Optional.empty(), BLOCK);
              } catch (IOException e) {
                thrown.set(e);
                if (Thread.currentThread().isInterrupted()) {
                  interrupted.countDown();
                }
              }
            });
    writer.start();
    Awaitility.await().until(() -> asked.size() >= 2);
    writer.interrupt();
    writer.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(interrupted.getCount()).as("the thread stays interrupted").isZero();
  }
}
