/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients that nobody here wrote get from the suite's clusters: never a wrong byte, and no
 * refusal that is not explained. What was seen is {@code docs/reference/clients.md}; to write the
 * page: {@code -Dclients.regenerate=true}.
 */
@Tag("full")
@Tag("clients")
@Timeout(1200)
class ClientsTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "clients.md");
  private static final Path OBSERVED = Path.of("target", "clients.md");

  private static final Path TOLD = Path.of("target", "clients-told.txt");

  @TempDir static Path root;

  private static final List<String> TITLES = new ArrayList<>();
  private static final Map<Observation, Outcome> TABLE = new ConcurrentHashMap<>();

  /** Starts a cluster with so many files of each kind to append to. */
  @FunctionalInterface
  private interface Starter {
    ClientsCluster start(Path root, int appended) throws Exception;
  }

  @BeforeAll
  static void observe() throws Exception {
    observe("striped", StripedCluster::new);
    observe("raidp", RaidpCluster::new);
    explainByTheJar();
    TABLE.replaceAll((cell, seen) -> chance(cell, seen).map(seen::orRefused).orElse(seen));
    Files.writeString(OBSERVED, ClientsPage.of(TITLES, TABLE));
    // In clients' own words, for who looks into a cell.
    Files.write(
        TOLD, told(Outcome.Word.values()).entrySet().stream().map(Object::toString).toList());
  }

  private static void observe(String name, Starter starter) throws Exception {
    Path folder = Files.createDirectories(root.resolve(name));
    int clients = 5;
    try (ClientsCluster cluster = starter.start(folder.resolve("cluster"), 2 * clients)) {
      List<Client> all = clients(cluster.conf(), folder);
      try {
        assertThat(all).hasSize(clients);
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

  private static List<Client> clients(Configuration conf, Path folder) throws Exception {
    Path site = folder.resolve("site");
    JavaClients.writeSite(conf, site);
    JavaClients java = new JavaClients(folder, site);
    List<Client> all = new ArrayList<>();
    all.add(new SuiteClient(conf));
    all.add(java.shell());
    all.add(java.older());
    Path script = resource("hdfs_native_client.py", folder);
    Path python = PythonEnvironment.python(resource("requirements.txt", folder));
    all.add(
        new LineClient(
            "hdfs-native 0.14.7 (PyPI)",
            /* takesOurJar= */ false,
            List.of(python.toString(), script.toString(), site.toString()),
            folder.resolve("hdfs-native.err")));
    all.add(new WebClient(conf.get(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY), folder));
    return all;
  }

  private static Path resource(String name, Path folder) throws IOException {
    try (InputStream in = ClientsTest.class.getResourceAsStream("/clients/" + name)) {
      Path copy = folder.resolve(name);
      Files.copy(in, copy);
      return copy;
    }
  }

  /** All clients at once, each with what it writes to itself. */
  private static void observe(
      ClientsCluster cluster, List<Client> clients, boolean nodeIsDead, Path folder)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients.size());
    try {
      List<Callable<Void>> runs = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        int number = i;
        Client client = clients.get(i);
        if (!TITLES.contains(client.title())) {
          TITLES.add(client.title());
        }
        Path scratch = Files.createDirectories(folder.resolve("client-" + i));
        runs.add(
            () -> {
              try (SuiteClient judge = new SuiteClient(cluster.conf())) {
                new Observer(cluster, client, judge, number, scratch)
                    .observe(nodeIsDead, clients.size(), TABLE);
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

  /** What a Java client is refused and the suite's file system can, the jar would have brought. */
  private static void explainByTheJar() {
    String suite = TITLES.get(0);
    List<String> javaClients = TITLES.subList(1, 3);
    TABLE.replaceAll(
        (cell, outcome) -> {
          Outcome ours =
              TABLE.get(new Observation(suite, cell.kind(), cell.operation(), cell.nodeIsDead()));
          return javaClients.contains(cell.client())
                  && outcome.isRefused()
                  && ours.word() == Outcome.Word.WORKS
              ? outcome.withOurJar()
              : outcome;
        });
  }

  /** Appends beside a node that is down succeed or not, by what no client chooses. */
  private static Optional<Reason> chance(Observation cell, Outcome seen) {
    boolean isRaidp = cell.kind() == FileKind.RAIDP;
    boolean isNative =
        cell.kind() == FileKind.REPLICATED && cell.client().startsWith("hdfs-native");
    if (!cell.nodeIsDead() || cell.operation() != Operation.APPEND || !(isRaidp || isNative)) {
      return Optional.empty();
    }
    Reason why = isRaidp ? Reason.RAIDP_APPEND : Reason.PIPELINE_NODE_DOWN;
    boolean isEither = seen.word() == Outcome.Word.WORKS || seen.reason().equals(Optional.of(why));
    return isEither ? Optional.of(why) : Optional.empty();
  }

  private static Map<String, String> told(Outcome.Word... words) {
    Map<String, String> told = new TreeMap<>();
    TABLE.forEach(
        (cell, outcome) -> {
          if (List.of(words).contains(outcome.word())) {
            told.put(cell.toString(), outcome.told());
          }
        });
    return told;
  }

  @Test
  void noClientGetsOrLeavesWrongBytes() {
    assertThat(told(Outcome.Word.WRONG)).isEmpty();
  }

  @Test
  void everyRefusalIsExplained() {
    Map<String, String> unexplained = new TreeMap<>();
    TABLE.forEach(
        (cell, outcome) -> {
          if (outcome.isUnexplained()) {
            unexplained.put(cell.toString(), outcome.told());
          }
        });
    assertThat(unexplained).isEmpty();
  }

  /** The page is what was seen. */
  @Test
  void thePageSaysWhatWasSeen() throws IOException {
    String observed = Files.readString(OBSERVED);
    if (Boolean.getBoolean("clients.regenerate")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, observed);
    }
    assertThat(new String(Files.readAllBytes(PAGE), StandardCharsets.UTF_8))
        .as("regenerate %s by -Dclients.regenerate=true, and look at what differs", PAGE)
        .isEqualTo(observed);
  }
}
