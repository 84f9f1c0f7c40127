/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two NameNodes that take turns, three DataNodes whose reports and answers take their time, and the
 * one promise that levels and copies rely on: a file that is not held has no session that any
 * DataNode would serve. One seed, one schedule: {@code -Dfence.seed=N} runs it alone.
 */
class FenceTest {
  private static final int SCHEDULES = 400;
  private static final int STEPS = 600;
  private static final int INODES = 4;
  private static final SessionTimes TIMES = new SessionTimes(60, 40, 10, 6, 4);

  static LongStream seeds() {
    return Optional.ofNullable(Long.getLong("fence.seed"))
        .map(LongStream::of)
        .orElseGet(() -> LongStream.range(0, SCHEDULES));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aFileThatIsNotHeldIsNotServed(long seed) {
    new Schedule(seed).run();
  }

  private record Manager(String name, SessionTable table, NodeRegistry nodes) {}

  /** A report under way, or its answer. */
  private record Flight(int node, int manager, long askedAtMs, NodeReport report) {}

  private record Arrival(Flight flight, NodeAnswer answer) {}

  private static final class Schedule {
    final Random random;
    final List<Manager> managers = new ArrayList<>();
    final List<LiveSessions> nodes = new ArrayList<>();
    final List<List<Flight>> reports = new ArrayList<>();
    final List<List<Arrival>> answers = new ArrayList<>();
    final Map<SessionId, Long> opened = new HashMap<>();
    final Set<Long> gone = new HashSet<>();
    final boolean[][] waiting = new boolean[3][2];
    long nowMs = 1;
    long transactions;
    long term;
    int active;

    Schedule(long seed) {
      random = new Random(seed);
      for (String name : List.of("nn1", "nn2")) {
        managers.add(
            new Manager(
                name,
                new SessionTable(TIMES, () -> nowMs, random::nextLong),
                new NodeRegistry(TIMES, () -> nowMs)));
      }
      for (int node = 0; node < 3; node++) {
        nodes.add(new LiveSessions(() -> nowMs));
        reports.add(new ArrayList<>());
        answers.add(new ArrayList<>());
      }
      becomeActive(0);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        check();
      }
    }

    void step() {
      int node = random.nextInt(nodes.size());
      SessionTable table = managers.get(active).table();
      switch (random.nextInt(14)) {
        case 0, 1 -> open(table);
        case 2 -> pick(table).ifPresent(table::renew);
        case 3 ->
            pick(table)
                .ifPresent(
                    id ->
                        table.end(
                            id, new Lease.End(RefusalKind.GONE.because("", "", "", ""), false)));
        case 4, 5, 6 -> send(node);
        case 7, 8, 9 -> serve(node);
        case 10, 11 -> arrive(node);
        case 12 -> nowMs += random.nextInt(random.nextInt(8) == 0 ? 60 : 8);
        default -> rarely();
      }
      table.expire();
      table.fenced(managers.get(active).nodes()).forEach(lease -> table.forget(lease.id()));
    }

    void rarely() {
      switch (random.nextInt(8)) {
        case 0 -> becomeActive(1 - active);
        case 1 -> becomeActive(active);
        case 2 -> gone.add((long) random.nextInt(INODES));
        default -> nowMs += random.nextInt(8);
      }
    }

    void becomeActive(int manager) {
      transactions++;
      managers.get(1 - manager).table().leave();
      active = manager;
      managers.get(manager).table().in(++term);
    }

    void open(SessionTable table) {
      long inode = random.nextInt(INODES);
      if (!gone.contains(inode)) {
        table
            .open(inode, OptionalLong.of(inode), "/f", "u", new OpenRequest("/f", "c", 0))
            .id()
            .ifPresent(id -> opened.put(id, inode));
      }
    }

    Optional<SessionId> pick(SessionTable table) {
      List<Lease> open = table.open();
      return open.isEmpty()
          ? Optional.empty()
          : Optional.of(open.get(random.nextInt(open.size())).id());
    }

    /** A DataNode has one report under way to each NameNode. */
    void send(int node) {
      int manager = random.nextInt(2);
      if (!waiting[node][manager]) {
        waiting[node][manager] = true;
        LiveSessions.Applied applied = nodes.get(node).appliedOf(managers.get(manager).name());
        UpdateNode self = new UpdateNode("dn" + node, 1, "h", 1);
        reports
            .get(node)
            .add(
                new Flight(
                    node,
                    manager,
                    nowMs,
                    new NodeReport(self, applied.incarnation(), applied.version())));
      }
    }

    void serve(int node) {
      if (reports.get(node).isEmpty()) {
        return;
      }
      Flight flight = reports.get(node).remove(random.nextInt(reports.get(node).size()));
      Manager manager = managers.get(flight.manager());
      boolean isActive = flight.manager() == active;
      manager.nodes().reported(flight.report());
      SessionTable.Live live =
          isActive ? manager.table().live() : new SessionTable.Live(0, 0, Set.of());
      answers
          .get(node)
          .add(
              new Arrival(
                  flight,
                  new NodeAnswer(
                      isActive,
                      isActive ? transactions : transactions - 1,
                      live.incarnation(),
                      live.version(),
                      TIMES.validMs(),
                      TIMES.reportEveryMs(),
                      live.ids(),
                      Set.of())));
    }

    void arrive(int node) {
      if (answers.get(node).isEmpty()) {
        return;
      }
      Arrival arrival = answers.get(node).remove(random.nextInt(answers.get(node).size()));
      String name = managers.get(arrival.flight().manager()).name();
      waiting[node][arrival.flight().manager()] = false;
      nodes.get(node).accept(name, arrival.answer(), arrival.flight().askedAtMs());
      nodes.get(node).applied(name);
    }

    /** The blocks of files that are gone may be part of any other. */
    private SessionTable.Namespace anywhere() {
      return new SessionTable.Namespace() {
        @Override
        public boolean exists(long inodeId) {
          return !gone.contains(inodeId);
        }

        @Override
        public boolean has(long groupId) {
          return true;
        }
      };
    }

    void check() {
      SessionTable table = managers.get(active).table();
      for (long inode = 0; inode < INODES; inode++) {
        if (gone.contains(inode) || table.holdOn(inode, anywhere()).isPresent()) {
          continue;
        }
        for (Map.Entry<SessionId, Long> each : opened.entrySet()) {
          // The blocks of a file that is gone can be part of any other.
          if (each.getValue() == inode || gone.contains(each.getValue())) {
            for (LiveSessions node : nodes) {
              assertThat(node.isLive(each.getKey()))
                  .as("session of inode %d, while inode %d is not held", each.getValue(), inode)
                  .isFalse();
            }
          }
        }
      }
    }
  }
}
