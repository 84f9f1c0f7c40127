/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.torture.check.HistoryChecker;
import io.hdfsparity.localcluster.torture.check.Violation;
import io.hdfsparity.localcluster.torture.check.WorkDone;
import io.hdfsparity.localcluster.torture.fault.FaultInjector;
import io.hdfsparity.localcluster.torture.fault.NodeHosts;
import io.hdfsparity.localcluster.torture.history.HistoryLog;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.plan.Episode;
import io.hdfsparity.localcluster.torture.plan.Feature;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import io.hdfsparity.localcluster.torture.report.FaultSpan;
import io.hdfsparity.localcluster.torture.report.HtmlReport;
import io.hdfsparity.localcluster.torture.report.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A run: a cluster, clients, faults, checks, and a report. It leaves a folder with {@code
 * schedule.json}, {@code history.jsonl} and {@code report.html}, and the logs of the daemons in
 * {@code logs} unless all was right. Used by one thread.
 */
final class Torture {
  private static final long LOOK_MS = 200;

  private final TortureOptions options;
  private final Path cacheDir;
  private final String commit;
  private final Consumer<String> log;

  /**
   * @param cacheDir where packed jars are kept
   * @param commit of the code that is run, for the report
   */
  Torture(TortureOptions options, Path cacheDir, String commit, Consumer<String> log) {
    this.options = options;
    this.cacheDir = cacheDir;
    this.commit = commit;
    this.log = log;
  }

  /**
   * Runs it.
   *
   * @return what was found; also in the report
   * @throws IOException if it cannot be run to its end; the history up to there stays
   */
  RunResult run() throws IOException, InterruptedException {
    Path dir = options.dir();
    if (Files.exists(dir)) {
      throw new IOException(
          "Cannot write the history: folder=" + dir + ", expected none; name another by --out");
    }
    Files.createDirectories(dir);
    Schedule schedule = options.schedule();
    Files.writeString(dir.resolve("schedule.json"), schedule.toJson());
    schedule
        .episodes()
        .forEach(
            each ->
                log.accept(
                    "planned: at %d s for %d s: %s"
                        .formatted(
                            each.beginMs() / 1000,
                            each.holdMs() / 1000,
                            each.faults().stream().map(fault -> fault.describe()).toList())));
    Path clusterDir = dir.resolve("cluster");
    NodeHosts hosts = new NodeHosts(schedule);
    LocalCluster cluster = TortureCluster.describe(schedule, clusterDir, cacheDir, hosts, log);
    try (ClusterEnd end =
        new ClusterEnd(cluster, hosts, options.keepsCluster(), dir.resolve("logs"))) {
      log.accept("starting " + schedule.nodes() + " DataNodes");
      hosts.make(clusterDir);
      cluster.start();
      RunResult result = run(cluster);
      if (result.isRight()) {
        end.right();
      }
      return result;
    }
  }

  private RunResult run(LocalCluster cluster) throws IOException, InterruptedException {
    Instant begin = Instant.now();
    long zero = System.nanoTime();
    LongSupplier clock = () -> System.nanoTime() - zero;
    Path historyFile = options.dir().resolve("history.jsonl");
    FaultInjector injector =
        new FaultInjector(
            cluster, options.schedule(), clock, () -> TortureCluster.awaitLive(cluster), log);
    LastChecks checks;
    Optional<Throwable> failure;
    List<String> stuck;
    Map<Set<String>, Set<OperationKind>> expected = new LinkedHashMap<>();
    try (HistoryLog history = new HistoryLog(historyFile, clock)) {
      Site site = new Site(cluster, options.schedule(), history);
      List<Workload> workloads = workloads(site);
      try {
        List<Workload.Client> clients = new ArrayList<>();
        for (Workload workload : workloads) {
          workload.prepare();
          List<Workload.Client> its = workload.clients();
          expected.put(
              its.stream().map(Workload.Client::name).collect(Collectors.toSet()),
              workload.expected());
          clients.addAll(its);
        }
        Clients running = new Clients(clients);
        try {
          injectAll(injector, running);
        } finally {
          stuck = running.end();
        }
        failure = running.failure();
        log.accept("reading all, and checking the cluster");
        checks = new LastChecks(site);
        checks.run(workloads);
      } finally {
        for (Workload workload : workloads) {
          workload.close();
        }
      }
    }
    List<Operation> history = HistoryLog.read(historyFile);
    List<String> problems = new ArrayList<>(checks.wrong());
    failure.ifPresent(why -> problems.add("A client has ended by itself: " + why));
    stuck.forEach(client -> problems.add("The client " + client + " did not end"));
    expected.forEach(
        (clients, kinds) -> problems.addAll(WorkDone.lacking(history, clients, kinds)));
    return report(begin, injector.spans(), history, checks.right(), problems);
  }

  private static List<Workload> workloads(Site site) throws IOException {
    List<Workload> workloads = new ArrayList<>();
    for (Feature feature : site.schedule().features()) {
      workloads.add(
          switch (feature) {
            case ECUPDATE -> new UpdateWorkload(site);
            case CASO -> new CasoWorkload(site);
            case STOCK, RAIDP, IZS -> new FileWorkload(site, feature);
          });
    }
    return workloads;
  }

  private void injectAll(FaultInjector injector, Clients running)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    for (Episode episode : options.schedule().episodes()) {
      if (!awaitTime(begin, episode.beginMs(), running)) {
        return;
      }
      if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)
          >= options.schedule().durationMs()) {
        log.accept("time is up: the episodes that are left are left out");
        return;
      }
      injector.run(episode);
    }
    awaitTime(begin, options.schedule().durationMs(), running);
  }

  /** Whether all clients are still at work then; what one has done that has ended is not known. */
  private static boolean awaitTime(long beginNanos, long ms, Clients running)
      throws InterruptedException {
    while (running.failure().isEmpty()
        && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos) < ms) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return running.failure().isEmpty();
  }

  private RunResult report(
      Instant begin,
      List<FaultSpan> faults,
      List<Operation> history,
      List<String> right,
      List<String> problems)
      throws IOException {
    Schedule schedule = options.schedule();
    List<Violation> violations = new HistoryChecker().check(history);
    List<String> rightChecks = new ArrayList<>(right);
    if (history.stream().anyMatch(each -> each.kind() == OperationKind.FILE_WRITE)) {
      rightChecks.add(
          WorkDone.rightFiles(history, violations) + " files are as acknowledged at the end");
    }
    RunResult result =
        new RunResult(
            List.of(
                "seed " + schedule.seed(),
                schedule.minutes() + " minutes from " + begin,
                "features: "
                    + String.join(", ", schedule.features().stream().map(Feature::label).toList()),
                schedule.nodes() + " DataNodes, " + faults.size() + " faults",
                "commit " + commit),
            faults,
            history,
            violations,
            rightChecks,
            problems);
    Files.writeString(options.dir().resolve("report.html"), HtmlReport.of(result));
    return result;
  }
}
