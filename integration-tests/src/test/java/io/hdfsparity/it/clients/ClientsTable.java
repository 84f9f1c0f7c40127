/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What some clients did to all clusters. For one thread. */
final class ClientsTable {
  /** Starts a cluster with so many files of each kind to append to. */
  @FunctionalInterface
  interface Starter {
    ClientsCluster start(Path root, int appended) throws Exception;
  }

  /** Makes the clients of a cluster; the first is the suite's file system. */
  @FunctionalInterface
  interface Clients {
    List<Client> of(ClientsCluster cluster, Path folder) throws Exception;
  }

  private final List<String> titles = new ArrayList<>();
  private final Set<String> takeOurJar = new HashSet<>();
  private final Map<Observation, Outcome> table = new ConcurrentHashMap<>();

  /**
   * All operations of all clients on a cluster, which is started and stopped.
   *
   * @param folder of its own
   * @param count how many clients there are
   */
  void observe(Path folder, Starter starter, int count, Clients clients) throws Exception {
    Files.createDirectories(folder);
    try (ClientsCluster cluster = starter.start(folder.resolve("cluster"), 2 * count)) {
      List<Client> all = clients.of(cluster, folder);
      try {
        assertThat(all).hasSize(count);
        for (Client each : all) {
          if (!titles.contains(each.title())) {
            titles.add(each.title());
          }
          if (each.takesOurJar()) {
            takeOurJar.add(each.title());
          }
        }
        for (boolean nodeIsDead : new boolean[] {false, true}) {
          if (nodeIsDead) {
            cluster.loseNode();
          }
          observe(cluster, all, nodeIsDead, folder);
        }
      } finally {
        for (Client each : all) {
          each.close();
        }
      }
    }
  }

  /** All clients at once, each with what it writes to itself. */
  private void observe(
      ClientsCluster cluster, List<Client> clients, boolean nodeIsDead, Path folder)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients.size());
    try {
      List<Callable<Void>> runs = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        int number = i;
        Client client = clients.get(i);
        Path scratch = Files.createDirectories(folder.resolve("client-" + i));
        runs.add(
            () -> {
              try (SuiteClient judge = new SuiteClient(cluster.conf())) {
                new Observer(cluster, client, judge, number, scratch)
                    .observe(nodeIsDead, clients.size(), table);
              }
              return null;
            });
      }
      for (Future<Void> run : pool.invokeAll(runs)) {
        run.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** To be called when all was observed. */
  void explain() {
    explainByTheJar();
    table.replaceAll((cell, seen) -> chance(cell, seen).map(seen::orRefused).orElse(seen));
  }

  /** What a Java client is refused and the suite's file system can, the jar would have brought. */
  private void explainByTheJar() {
    String suite = titles.get(0);
    table.replaceAll(
        (cell, outcome) -> {
          Outcome ours =
              table.get(new Observation(suite, cell.kind(), cell.operation(), cell.nodeIsDead()));
          return takeOurJar.contains(cell.client())
                  && outcome.isRefused()
                  // DistCp asks for no new block with the jar either.
                  && !outcome.reason().equals(Optional.of(Reason.APPEND_WITHOUT_NEW_BLOCK))
                  && ours.word() == Outcome.Word.WORKS
              ? outcome.withOurJar()
              : outcome;
        });
  }

  /** Appends beside a node that is down succeed or not, by what no client chooses. */
  private static Optional<Reason> chance(Observation cell, Outcome seen) {
    boolean isRaidp = cell.kind() == FileKind.RAIDP;
    boolean isNative =
        cell.kind() == FileKind.REPLICATED
            && (cell.client().startsWith("hdfs-native") || cell.client().startsWith(Reason.GO));
    if (!cell.nodeIsDead() || cell.operation() != Operation.APPEND || !(isRaidp || isNative)) {
      return Optional.empty();
    }
    Reason why = isRaidp ? Reason.RAIDP_APPEND : Reason.PIPELINE_NODE_DOWN;
    boolean isEither = seen.word() == Outcome.Word.WORKS || seen.reason().equals(Optional.of(why));
    return isEither ? Optional.of(why) : Optional.empty();
  }

  /** What was said in cells with some words. */
  Map<String, String> told(Outcome.Word... words) {
    Map<String, String> told = new TreeMap<>();
    table.forEach(
        (cell, outcome) -> {
          if (List.of(words).contains(outcome.word())) {
            told.put(cell.toString(), outcome.told());
          }
        });
    return told;
  }

  /** What was said in refusals of no known reason. */
  Map<String, String> unexplained() {
    Map<String, String> unexplained = new TreeMap<>();
    table.forEach(
        (cell, outcome) -> {
          if (outcome.isUnexplained()) {
            unexplained.put(cell.toString(), outcome.told());
          }
        });
    return unexplained;
  }

  /** Titles of the clients, in the order in which they were first seen. */
  List<String> titles() {
    return List.copyOf(titles);
  }

  /** All cells. */
  Map<Observation, Outcome> cells() {
    return Map.copyOf(table);
  }
}
