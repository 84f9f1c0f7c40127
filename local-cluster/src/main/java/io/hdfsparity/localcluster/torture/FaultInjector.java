/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.torture.plan.Episode;
import io.hdfsparity.localcluster.torture.plan.Fault;
import io.hdfsparity.localcluster.torture.report.FaultSpan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Breaks parts of a cluster and heals them. Used by one thread. */
final class FaultInjector {
  private static final int RECOVERIES = 5;

  private final LocalCluster cluster;
  private final LongSupplier clock;
  private final Consumer<String> log;
  private final List<FaultSpan> spans = new ArrayList<>();

  /**
   * @param clock that of the history
   */
  FaultInjector(LocalCluster cluster, LongSupplier clock, Consumer<String> log) {
    this.cluster = cluster;
    this.clock = clock;
    this.log = log;
  }

  /** What was broken so far, and when. */
  List<FaultSpan> spans() {
    return List.copyOf(spans);
  }

  /** What heals a fault. */
  private interface Remedy {
    void apply() throws IOException;
  }

  private record Broken(Fault fault, long beginNanos, Remedy remedy) {}

  /**
   * Makes the faults of an episode, waits, and heals them; returns when all DataNodes are back.
   * Those of NameNodes are made first and healed last: a NameNode that is started waits for all
   * DataNodes that run, and one that is stopped by a signal runs and says nothing.
   *
   * @throws IOException if a fault cannot be made or healed: what is left of the cluster is unknown
   */
  void run(Episode episode) throws IOException, InterruptedException {
    List<Broken> broken = new ArrayList<>();
    List<Fault> faults =
        episode.faults().stream()
            .sorted(Comparator.comparing(fault -> fault.kind().takesDataNode()))
            .toList();
    for (Fault fault : faults) {
      long begin = clock.getAsLong();
      log.accept(String.format("%6.1f s  %s", begin / 1e9, fault.describe()));
      broken.add(new Broken(fault, begin, inject(fault)));
    }
    TimeUnit.MILLISECONDS.sleep(episode.holdMs());
    heal(broken);
    TortureCluster.awaitLive(cluster);
    long end = clock.getAsLong();
    broken.forEach(
        each -> spans.add(new FaultSpan(each.fault().describe(), each.beginNanos(), end)));
    log.accept(String.format("%6.1f s  healed", end / 1e9));
  }

  /** In the opposite order; one that fails keeps no other from being healed. */
  private static void heal(List<Broken> broken) throws IOException {
    Attempts attempts = new Attempts();
    for (int i = broken.size() - 1; i >= 0; i--) {
      attempts.run(broken.get(i).remedy()::apply);
    }
    attempts.throwFirst();
  }

  private Remedy inject(Fault fault) throws IOException {
    String node = "dn" + fault.node();
    switch (fault.kind()) {
      case KILL -> {
        cluster.kill(node);
        return () -> cluster.restart(node);
      }
      case STOP -> {
        signal("STOP", node);
        return () -> signal("CONT", node);
      }
      case RESTART -> {
        cluster.restart(node);
        return () -> {};
      }
      case NAMENODE_RESTART -> {
        cluster.restart("nn");
        return () -> {};
      }
      case FAILOVER -> {
        return failOver();
      }
      case DISK_FAIL -> {
        cluster.failDisk(fault.node(), 0);
        cluster.awaitDiskFailureKnown(fault.node(), 0);
        return () -> replaceDisk(fault.node());
      }
    }
    throw new IllegalArgumentException("Cannot make a fault: kind=" + fault.kind());
  }

  private Remedy failOver() throws IOException {
    String active =
        cluster
            .activeNameNode()
            .orElseThrow(() -> new IOException("Cannot fail over: no NameNode is active"));
    String other = active.equals("nn0") ? "nn1" : "nn0";
    cluster.kill(active);
    cluster.failOver(other);
    return () -> cluster.restart(active);
  }

  private void replaceDisk(int node) throws IOException {
    AdminCommand admin = new AdminCommand(cluster.conf());
    for (int attempt = 1; ; attempt++) {
      AdminCommand.Answer answer = admin.run(line -> {}, "raidp -recover -progress -json");
      if (answer.exitCode() == 0) {
        break;
      }
      if (attempt == RECOVERIES) {
        answer.requireSuccess();
      }
    }
    cluster.replaceDisk(node, 0);
    cluster.applyLayout();
  }

  private void signal(String signal, String node) throws IOException {
    long pid =
        cluster
            .status()
            .process(node)
            .map(ClusterStatus.ProcessStatus::pid)
            .filter(running -> running > 0)
            .orElseThrow(() -> new IOException("Cannot signal " + node + ": it does not run"));
    Process kill =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).inheritIO().start();
    try {
      int exitCode = kill.waitFor();
      if (exitCode != 0) {
        throw new IOException(
            ErrorMessage.to("signal a process")
                .value("exitCode", exitCode)
                .expected("0 of kill -" + signal)
                .where("process", node)
                .message());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while " + node + " was signalled");
    }
  }
}
