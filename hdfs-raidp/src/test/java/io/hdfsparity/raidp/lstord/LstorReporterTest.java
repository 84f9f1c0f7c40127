/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LstorReporterTest {
  private final Configuration conf = new Configuration();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Set<String> refused = new HashSet<>();
  private final Set<String> failing = new HashSet<>();
  private RPC.Server manager;
  private LstorReporter reporter;

  @BeforeEach
  void start() throws IOException {
    RaidpNodeProtocol node =
        (RaidpNodeProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RaidpNodeProtocol.class},
                (proxy, method, args) -> {
                  String disk = ((LstorReport) args[0]).diskId();
                  asked.add(disk);
                  if (refused.contains(disk)) {
                    throw new IOException("refused");
                  }
                  if (failing.contains(disk)) {
                    throw new IllegalStateException("failed in the manager");
                  }
                  return true;
                });
    manager =
        RpcServers.build(conf, new InetSocketAddress("127.0.0.1", 0), 1, RaidpProtocols.node(node));
    manager.start();
    reporter =
        new LstorReporter(
            manager.getListenerAddress(),
            conf,
            10_000,
            () -> Stream.of("a", "b", "c").map(LstorReporterTest::report).toList());
  }

  private static LstorReport report(String disk) {
    return new LstorReport(disk, "CID", "uuid", "host", 1, false, List.of(), Optional.empty());
  }

  @AfterEach
  void stop() {
    reporter.close();
    manager.stop();
  }

  @Test
  void oneThatIsRefusedHoldsUpNoOther() {
    refused.add("a");
    failing.add("b");
    reporter.send();
    assertThat(asked).containsExactly("a", "b", "c");
    reporter.send();
    assertThat(asked).as("and is tried again").endsWith("a", "b", "c").hasSize(6);
  }

  /** Each would wait for the time limit of a call. */
  @Test
  void aManagerThatIsAwayIsCalledOnceInARound() {
    InetSocketAddress address = manager.getListenerAddress();
    manager.stop();
    List<Integer> taken = new CopyOnWriteArrayList<>();
    List<LstorReport> reports =
        new AbstractList<>() {
          @Override
          public LstorReport get(int index) {
            taken.add(index);
            return report("d" + index);
          }

          @Override
          public int size() {
            return 5;
          }
        };
    try (LstorReporter away = new LstorReporter(address, conf, 10_000, () -> reports)) {
      away.send();
    }
    assertThat(taken).containsExactly(0);
  }
}
