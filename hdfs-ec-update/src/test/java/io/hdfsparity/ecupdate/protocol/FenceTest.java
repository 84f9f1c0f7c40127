/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two NameNodes that take turns, three DataNodes whose reports, answers and requests take their
 * time, and two promises. Levels and copies rely on this: a file that is not held has no session
 * that any DataNode would serve, and no request that is being executed. Settling relies on this: a
 * session that a DataNode has ended is never served there again, though clients attach sessions at
 * the next NameNode, and ask for what is over. One seed, one schedule: {@code -Dfence.seed=N} runs
 * it alone.
 */
class FenceTest {
  private static final int SCHEDULES = 400;

  /** At most, until one is found that shows a mistake. */
  private static final int CARELESS_SCHEDULES = 4000;

  private static final int STEPS = 800;
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
    new Schedule(seed, Careless.IN_NOTHING).run();
  }

  /** What a NameNode may forget to look at before it attaches a session. */
  private enum Careless {
    IN_NOTHING,
    /** One DataNode that keeps it suspended is enough. */
    IN_ALL_BUT_ONE_NODE,
    /** Whatever DataNodes say. */
    IN_ALL_NODES,
    /** Whose it was. */
    IN_OWNERS,
    /**
     * One DataNode that keeps it suspended is enough, and of those that were started again, that
     * they have it noted on their disks. Nobody does that: ADR 0045 says why, and this shows it.
     */
    IN_RESTARTED_NODES,
    /** Whatever else lingers on a DataNode. */
    IN_LINGERING_SESSIONS
  }

  /** So that the schedules are known to find it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IN_NOTHING")
  void aCarelessNameNodeIsFound(Careless careless) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < CARELESS_SCHEDULES; seed++) {
                new Schedule(seed, careless).run();
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  /** And to attach some. */
  @Test
  void sessionsAreAttached() {
    int attached = 0;
    for (long seed = 0; seed < 100; seed++) {
      Schedule schedule = new Schedule(seed, Careless.IN_NOTHING);
      schedule.run();
      attached += schedule.attached;
    }
    assertThat(attached).isGreaterThan(20);
  }

  /** And to end some while something of others goes on. */
  @Test
  void sessionsEndBesideOthersThatLinger() {
    int lingered = 0;
    int ended = 0;
    for (long seed = 0; seed < 100; seed++) {
      Schedule schedule = new Schedule(seed, Careless.IN_NOTHING);
      schedule.run();
      lingered += schedule.lingered;
      ended += schedule.endedBesideOthers;
    }
    assertThat(lingered).isGreaterThan(20);
    assertThat(ended).isGreaterThan(20);
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
    final Map<SessionId, Long> openedMs = new HashMap<>();

    /** The last term in which each was opened or attached. */
    final Map<SessionId, Long> termOf = new HashMap<>();

    final Set<Long> gone = new HashSet<>();
    final boolean[][] waiting = new boolean[3][2];
    final Careless careless;

    /** Of whose sessions a request is being executed, by DataNode. */
    final List<Set<SessionId>> executing = new ArrayList<>();

    /** Until when the answer is good that a DataNode goes by. */
    final long[] validUntilMs = new long[3];

    /** What a DataNode waits for before it says that it is applied; at most one each. */
    final Map<Integer, LiveSessions.Due> applying = new HashMap<>();

    /** Sessions that a DataNode has ended or called over, restarts or not. */
    final List<Set<SessionId>> ended = new ArrayList<>();

    /** Sessions that a DataNode has had live, as it notes them on its disk. */
    final List<Set<SessionId>> noted = new ArrayList<>();

    /** What a DataNode that was started again has ended or called over since; others have none. */
    final Map<Integer, Set<SessionId>> endedSinceRestart = new HashMap<>();

    /** That were open when the last term ended. */
    final Set<SessionId> interrupted = new HashSet<>();

    int attached;
    int lingered;
    int endedBesideOthers;
    long nowMs = 1;
    long transactions;
    long term;
    int active;

    Schedule(long seed, Careless careless) {
      random = new Random(seed);
      this.careless = careless;
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
        executing.add(new HashSet<>());
        ended.add(new HashSet<>());
        noted.add(new HashSet<>());
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
      switch (random.nextInt(20)) {
        case 0, 1 -> open(table);
        case 2 -> pick(table).ifPresent(table::renew);
        case 3 ->
            pick(table)
                .ifPresent(
                    id ->
                        table.end(
                            id, new Lease.End(RefusalKind.GONE.because("", "", "", ""), false)));
        case 4, 5, 6 -> send(node, random.nextInt(2));
        case 7, 8, 9 -> serve(node);
        case 10, 11 -> arrive(node);
        case 12, 13 -> attach(managers.get(active));
        case 14 -> ask(node);
        case 15 -> nowMs += random.nextInt(random.nextInt(8) == 0 ? 60 : 8);
        case 16 -> begin(node);
        case 17 -> executing.get(node).removeIf(id -> random.nextInt(3) > 0);
        case 18 -> apply(node);
        default -> rarely();
      }
      table.expire();
      for (SessionId id : fenced(managers.get(active))) {
        table.forget(id);
        endedBesideOthers += lingersAny(table) ? 1 : 0;
      }
    }

    boolean lingersAny(SessionTable table) {
      return executing.stream()
          .flatMap(Set::stream)
          .anyMatch(id -> table.find(id).map(lease -> lease.ended().isPresent()).orElse(false));
    }

    List<SessionId> fenced(Manager manager) {
      return manager.table().fenced(manager.nodes()).stream().map(Lease::id).toList();
    }

    void rarely() {
      switch (random.nextInt(8)) {
        case 0 -> becomeActive(1 - active);
        case 1 -> becomeActive(active);
        case 2 -> gone.add((long) random.nextInt(INODES));
        case 3 -> restart(random.nextInt(nodes.size()));
        default -> nowMs += random.nextInt(8);
      }
    }

    void becomeActive(int manager) {
      transactions++;
      interrupted.clear();
      managers.get(active).table().open().forEach(lease -> interrupted.add(lease.id()));
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
            .ifPresent(
                id -> {
                  opened.put(id, inode);
                  openedMs.put(id, nowMs);
                  termOf.put(id, term);
                });
      }
    }

    /** All that was ever opened may be asked for, for its file and user or another one. */
    void attach(Manager manager) {
      if (opened.isEmpty()) {
        return;
      }
      if (random.nextInt(4) == 0) {
        allReport();
        allReport();
      }
      boolean isLikely = !interrupted.isEmpty() && random.nextInt(4) > 0;
      List<SessionId> all = (isLikely ? interrupted : opened.keySet()).stream().sorted().toList();
      SessionId id = all.get(random.nextInt(all.size()));
      long inode = random.nextInt(4) == 0 ? random.nextInt(INODES) : opened.get(id);
      if (gone.contains(inode) || !manager.table().isAttachable(id)) {
        return;
      }
      SessionOwner owner =
          SessionOwner.of(
              careless == Careless.IN_OWNERS ? opened.get(id) : inode, "u", Sharing.SHARED);
      if (isSuspended(manager, id, owner)) {
        Lease lease = new Lease(id, inode, "/f", "u", "c", Sharing.SHARED, Optional.empty());
        if (manager.table().attach(lease, OptionalLong.of(inode)).isNew()) {
          attached++;
          termOf.put(id, term);
        }
      }
    }

    /** Most of them. */
    void allReport() {
      for (int node = 0; node < nodes.size(); node++) {
        if (random.nextInt(8) > 0) {
          send(node, active);
          while (!reports.get(node).isEmpty()) {
            serve(node);
          }
          while (!answers.get(node).isEmpty()) {
            arrive(node);
          }
          quiet(node);
        }
      }
    }

    boolean isSuspended(Manager manager, SessionId id, SessionOwner owner) {
      Set<String> all = Set.of("dn0", "dn1", "dn2");
      long incarnation = manager.table().incarnation();
      return switch (careless) {
        case IN_ALL_NODES -> true;
        case IN_ALL_BUT_ONE_NODE -> all.stream().anyMatch(each -> isKept(manager, each, id, owner));
        case IN_RESTARTED_NODES ->
            all.stream().anyMatch(each -> isKept(manager, each, id, owner))
                && all.stream()
                    .allMatch(
                        each ->
                            isKept(manager, each, id, owner) || isNoted(manager, each, id, owner));
        default ->
            manager.nodes().suspension(all, incarnation, id, owner)
                == NodeRegistry.Suspension.SUSPENDED;
      };
    }

    static boolean isKept(Manager manager, String node, SessionId id, SessionOwner owner) {
      return manager.nodes().suspension(Set.of(node), manager.table().incarnation(), id, owner)
          == NodeRegistry.Suspension.SUSPENDED;
    }

    /** It goes by this NameNode's list, has the note, and has not ended the session since. */
    boolean isNoted(Manager manager, String name, SessionId id, SessionOwner owner) {
      int node = name.charAt(2) - '0';
      return endedSinceRestart.containsKey(node)
          && !endedSinceRestart.get(node).contains(id)
          && noted.get(node).contains(id)
          && manager.nodes().suspension(Set.of(name), manager.table().incarnation(), id, owner)
              == NodeRegistry.Suspension.NONE;
    }

    void end(int node, Set<SessionId> over) {
      ended.get(node).addAll(over);
      endedSinceRestart.computeIfPresent(
          node,
          (each, since) -> {
            since.addAll(over);
            return since;
          });
    }

    /** Somebody who settles asks a DataNode which sessions are over. */
    void ask(int node) {
      long sentMs = nowMs - random.nextInt(20);
      Set<SessionId> asked = new HashSet<>(opened.keySet());
      asked.removeIf(id -> openedMs.get(id) >= sentMs);
      end(node, nodes.get(node).over(asked, sentMs));
    }

    /** What was under way to it is lost. */
    void restart(int node) {
      endedSinceRestart.put(node, new HashSet<>());
      nodes.set(node, new LiveSessions(() -> nowMs));
      answers.get(node).clear();
      reports.get(node).clear();
      executing.get(node).clear();
      applying.remove(node);
      Arrays.fill(waiting[node], false);
    }

    Optional<SessionId> pick(SessionTable table) {
      List<Lease> open = table.open();
      return open.isEmpty()
          ? Optional.empty()
          : Optional.of(open.get(random.nextInt(open.size())).id());
    }

    /** A DataNode has one report under way to each NameNode. */
    void send(int node, int manager) {
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
                    new NodeReport(
                        self,
                        applied.incarnation(),
                        applied.version(),
                        careless == Careless.IN_LINGERING_SESSIONS
                            ? LingeringSessions.none(applied.lingering().version())
                            : applied.lingering(),
                        true,
                        nodes.get(node).suspendedFor(managers.get(manager).name()),
                        Set.of())));
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
      SessionList live = isActive ? manager.table().live() : SessionList.NONE;
      answers
          .get(node)
          .add(
              new Arrival(
                  flight,
                  new NodeAnswer(
                      isActive,
                      isActive ? transactions : transactions - 1,
                      live,
                      TIMES.validMs(),
                      TIMES.reportEveryMs(),
                      Set.of())));
    }

    void arrive(int node) {
      if (answers.get(node).isEmpty()) {
        return;
      }
      Arrival arrival = answers.get(node).remove(random.nextInt(answers.get(node).size()));
      String name = managers.get(arrival.flight().manager()).name();
      waiting[node][arrival.flight().manager()] = false;
      noted.get(node).addAll(arrival.answer().sessions().ids());
      long before = nodes.get(node).due().answer();
      end(node, nodes.get(node).accept(name, arrival.answer(), arrival.flight().askedAtMs()));
      if (nodes.get(node).due().answer() > before) {
        validUntilMs[node] = arrival.flight().askedAtMs() + arrival.answer().validMs();
      }
      if (random.nextInt(4) > 0) {
        quiet(node); // as mostly: requests are short
      }
    }

    /** A request of a session that is live; it may take longer than that. */
    void begin(int node) {
      List<SessionId> live =
          opened.keySet().stream().filter(nodes.get(node)::isLive).sorted().toList();
      if (!live.isEmpty()) {
        executing.get(node).add(live.get(random.nextInt(live.size())));
      }
    }

    /** But for requests that hang, as all of some sessions do. */
    void quiet(int node) {
      executing.get(node).removeIf(id -> !nodes.get(node).isLive(id) && id.value() % 4 != 0);
      apply(node); // what it has begun to wait for
      apply(node);
    }

    /** Begins to wait for requests of an answer; or has waited for them, perhaps long enough. */
    void apply(int node) {
      LiveSessions.Due due = applying.computeIfAbsent(node, each -> nodes.get(node).due());
      Set<SessionId> lingering = new HashSet<>(due.over());
      lingering.addAll(due.suspended());
      lingering.retainAll(executing.get(node));
      lingering.removeIf(nodes.get(node)::isLive);
      if (lingering.isEmpty() || random.nextInt(3) > 0) {
        nodes.get(node).applied(due, lingering);
        applying.remove(node);
        lingered += lingering.isEmpty() ? 0 : 1;
      }
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
      for (int node = 0; node < nodes.size(); node++) {
        if (nowMs >= validUntilMs[node]) {
          executing.get(node).clear(); // what waited until then is not carried out
        }
        LiveSessions live = nodes.get(node);
        assertThat(ended.get(node))
            .as("sessions that dn%d has ended", node)
            .noneMatch(live::isLive)
            .noneMatch(live.suspended()::contains);
      }
      SessionTable table = managers.get(active).table();
      if (!table.isInGrace(nowMs)) {
        // No request hangs for longer than a grace, of sessions that nobody knows (ADR 0013).
        executing.forEach(ids -> ids.removeIf(id -> termOf.get(id) != term));
      }
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
            assertThat(executing)
                .as("a request for inode %d, while inode %d is not held", each.getValue(), inode)
                .noneMatch(of -> of.contains(each.getKey()));
          }
        }
      }
    }
  }
}
