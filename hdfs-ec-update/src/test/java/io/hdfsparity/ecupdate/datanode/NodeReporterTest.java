/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.ecupdate.protocol.LingeringSessions;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import io.hdfsparity.ecupdate.protocol.SessionOwner;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.UpdateProtocols;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A DataNode's reports to NameNodes, over Hadoop RPC, while a request of it does not end. */
@Timeout(600)
class NodeReporterTest {
  private static final SessionId ONE = new SessionId(1);
  private static final SessionId TWO = new SessionId(2);
  private static final SessionOwner OWNER = SessionOwner.of(16_386, "u", Sharing.SHARED);
  private static final UpdateNode SELF = new UpdateNode("dn", 1, "127.0.0.1", 4_711);

  /** A NameNode that says what the test wants, and keeps what it was sent. */
  private static final class NameNode implements AutoCloseable {
    final List<NodeReport> reports = new CopyOnWriteArrayList<>();
    private final RPC.Server server;
    private volatile NodeAnswer answer = standby();

    NameNode() throws IOException {
      server =
          RpcServers.build(
              new Configuration(false),
              new InetSocketAddress("127.0.0.1", 0),
              2,
              UpdateProtocols.node(
                  report -> {
                    reports.add(report);
                    return answer;
                  }));
      server.start();
    }

    static NodeAnswer standby() {
      return new NodeAnswer(false, 0, SessionList.NONE, 600_000, 10, Set.of());
    }

    void says(NodeAnswer next) {
      answer = next;
    }

    NodeReport last() {
      return reports.isEmpty() ? new NodeReport(SELF, 0, 0) : reports.get(reports.size() - 1);
    }

    void awaitReports(int more) {
      int before = reports.size();
      await().until(() -> reports.size() >= before + more);
    }

    @Override
    public void close() {
      server.stop();
    }
  }

  private final LiveSessions live = new LiveSessions(Time::monotonicNow);
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Of sessions of which a request does not end until then. */
  private final CountDownLatch requestEnds = new CountDownLatch(1);

  private final List<Set<SessionId>> ended = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private NameNode nameNode() throws IOException {
    NameNode nameNode = new NameNode();
    open.add(nameNode);
    return nameNode;
  }

  /** A request of the first session does not end. */
  private void report(NameNode... to) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (NameNode each : to) {
      addresses.add(each.server.getListenerAddress());
    }
    SessionEnds ends =
        (over, suspended, lingering) -> {
          if (requestEnds.getCount() > 0 && (over.contains(ONE) || suspended.contains(ONE))) {
            return Set.of(ONE);
          }
          ended.add(over);
          return Set.of();
        };
    open.add(
        0,
        new NodeReporter(
            new Configuration(false), addresses, SELF, live, ends, Set::of, Time::monotonicNow));
  }

  private static NodeAnswer lists(long incarnation, long version, SessionId... ids) {
    return new NodeAnswer(
        true,
        incarnation,
        SessionList.whole(incarnation, version, Set.of(ids)),
        600_000,
        10,
        Set.of());
  }

  @Test
  void aRequestThatDoesNotEndHoldsUpItsSessionAndNoReport() throws Exception {
    NameNode active = nameNode();
    active.says(lists(7, 1, ONE));
    report(active);
    await().until(() -> active.last().appliedVersion() == 1);
    active.says(lists(7, 2));
    await().until(() -> !live.isLive(ONE));
    active.says(lists(7, 3, TWO));
    await("the others go on").until(() -> live.isLive(TWO));
    active.says(lists(7, 4));
    await("and end")
        .until(() -> active.last().lingering().equals(new LingeringSessions(4, Set.of(ONE))));
    assertThat(live.over(Set.of(ONE, TWO), 0)).containsExactly(TWO);
    active.awaitReports(20);
    assertThat(active.last().incarnation()).isEqualTo(7);
    assertThat(active.last().appliedVersion()).isEqualTo(1);
    assertThat(active.last().lingering().ids()).containsExactly(ONE);
    requestEnds.countDown();
    await().until(() -> active.last().appliedVersion() == 4);
    assertThat(active.last().lingering()).isEqualTo(LingeringSessions.none(4));
    assertThat(active.reports)
        .filteredOn(report -> report.lingering().version() > 1)
        .isNotEmpty()
        .allMatch(report -> report.appliedVersion() == 4 || !report.lingering().ids().isEmpty());
  }

  private boolean wasEnded() {
    return ended.contains(Set.of(ONE));
  }

  @Test
  void aSuspendedSessionIsReportedWhenNothingOfItIsUnderWay() throws Exception {
    NameNode first = nameNode();
    NameNode second = nameNode();
    SessionList both =
        new SessionList(7, 1, Map.of(ONE, OWNER, TWO, OWNER), Set.of(), /* provisional= */ false);
    first.says(new NodeAnswer(true, 7, both, 600_000, 10, Set.of()));
    report(first, second);
    await().until(() -> first.last().appliedVersion() == 1);
    first.says(NameNode.standby());
    SessionList none = new SessionList(8, 1, Map.of(), Set.of(), /* provisional= */ true);
    second.says(new NodeAnswer(true, 8, none, 600_000, 10, Set.of()));
    await().until(() -> live.suspended().equals(Set.of(ONE, TWO)));
    second.awaitReports(20);
    first.awaitReports(20);
    assertThat(second.reports)
        .as("a session that it calls live again could still be executing")
        .allMatch(report -> report.incarnation() == 0 && report.suspended().isEmpty());
    assertThat(first.last().suspended()).isEmpty();
    requestEnds.countDown();
    await().until(() -> second.last().suspended().equals(both.live()));
    assertThat(second.last().incarnation()).isEqualTo(8);
    assertThat(second.reports)
        .as("who reports none of this term says nothing of its sessions")
        .allMatch(report -> (report.incarnation() == 8) == !report.suspended().isEmpty());
  }

  /** An error too: as when there is no memory for a moment. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasAppliedToNoEndIsAppliedAfterTheNextReport(boolean isError) throws Exception {
    NameNode active = nameNode();
    active.says(lists(7, 1, TWO));
    List<Set<SessionId>> failed = new CopyOnWriteArrayList<>();
    open.add(
        0,
        new NodeReporter(
            new Configuration(false),
            List.of(active.server.getListenerAddress()),
            SELF,
            live,
            (over, suspended, lingering) -> {
              if (failed.isEmpty()) {
                failed.add(over);
                if (isError) {
                  throw new OutOfMemoryError("injected");
                }
                throw new IllegalStateException("injected");
              }
              return Set.of();
            },
            Set::of,
            Time::monotonicNow));
    await().until(() -> active.last().appliedVersion() == 1);
    assertThat(failed).hasSize(1);
  }

  @Test
  void anErrorEndsNoReports() throws Exception {
    NameNode active = nameNode();
    active.says(lists(7, 1, TWO));
    AtomicBoolean hasFailed = new AtomicBoolean();
    open.add(
        0,
        new NodeReporter(
            new Configuration(false),
            List.of(active.server.getListenerAddress()),
            SELF,
            live,
            (over, suspended, lingering) -> Set.of(),
            () -> {
              if (hasFailed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("injected");
              }
              return Set.of();
            },
            Time::monotonicNow));
    await().until(() -> active.last().appliedVersion() == 1);
    assertThat(hasFailed).isTrue();
  }

  @Test
  void whoIsClosedWaitsForNoRequest() throws Exception {
    NameNode active = nameNode();
    active.says(lists(7, 1, ONE));
    report(active);
    await().until(() -> active.last().appliedVersion() == 1);
    active.says(lists(7, 2));
    await().until(() -> !live.isLive(ONE));
    List<Thread> applying =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("ecupdate-apply"))
            .toList();
    assertThat(applying).isNotEmpty();
    open.remove(0).close();
    await().until(() -> applying.stream().noneMatch(Thread::isAlive));
    assertThat(wasEnded()).isFalse();
  }
}
