/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.admin.ParityAdmin;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.BlockDeviceServer;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.hdfs.tools.ECAdmin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Executes single commands of the pages of docs/how-to on a cluster of processes: those of {@code
 * hdfs} in this process, other programs in one of their own. Daemons are stopped by SIGTERM and
 * started as processes. Not thread-safe.
 */
final class HowToShell implements AutoCloseable {
  private LocalCluster cluster;
  private final Path dir;
  private final ForeignProgram programs;

  /** Those that {@code hdfs --daemon} means on the hosts that are looked at, by its argument. */
  private Map<String, List<String>> daemons = Map.of();

  /** Daemons that are started together when the next command is not a start. */
  private final List<String> toStart = new ArrayList<>();

  /** Daemons that are started in the background. */
  private CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);

  private Optional<BlockDeviceServer> server = Optional.empty();

  /**
   * @param dir local files that have no directory are there
   */
  HowToShell(LocalCluster cluster, Path dir) {
    this.cluster = cluster;
    this.dir = dir;
    this.programs = new ForeignProgram(dir);
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** The same processes and files under another description. */
  void describedAs(LocalCluster other) {
    cluster = other;
  }

  Path local(String name) {
    return dir.resolve(name);
  }

  /**
   * Chooses the hosts on which {@code hdfs --daemon} is executed from now on.
   *
   * @param names of processes of the cluster by what {@code hdfs --daemon start} calls them
   */
  void onHostsOf(Map<String, List<String>> names) {
    daemons = Map.copyOf(names);
  }

  /** A client's configuration. Each call makes a new one. */
  Configuration conf() throws IOException {
    Configuration conf = cluster.conf();
    // A connection that is kept from before a restart ends with an EOFException.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 0);
    return conf;
  }

  /** Runs a command to its end; one that serves until it is terminated, till it serves. */
  int run(List<String> command) throws Exception {
    if (!command.get(0).equals("hdfs")) {
      ForeignProgram.Outcome outcome = programs.attempt(command.toArray(String[]::new));
      System.out.println(outcome.output());
      return outcome.code();
    }
    if (command.get(1).equals("--daemon")) {
      daemon(command.get(2), daemons.getOrDefault(command.get(3), List.of()));
      return 0;
    }
    start();
    if (command.contains("-nbd")) {
      server = Optional.of(BlockDeviceServer.start(cluster, command.subList(2, command.size())));
      return 0;
    }
    Configuration conf = conf();
    String[] arguments = command.subList(2, command.size()).toArray(String[]::new);
    return ToolRunner.run(conf, tool(command.get(1), conf), arguments);
  }

  private static Tool tool(String command, Configuration conf) throws IOException {
    return switch (command) {
      case "raidp" -> new RaidpAdmin(conf, System.out, System.err);
      case "izs" -> new IzsAdmin(conf, System.out, System.err);
      case "caso" -> new CasoAdmin(conf, System.out, System.err);
      case "ecupdate" ->
          new EcUpdateAdmin(conf, InputStream.nullInputStream(), System.out, System.err);
      case "parity" -> new ParityAdmin(conf, System.out, System.err);
      case "dfs" -> new FsShell(conf);
      case "dfsadmin" -> new DFSAdmin(conf);
      case "haadmin" -> new DFSHAAdmin();
      case "fsck" -> new DFSck(conf);
      case "ec" -> new ECAdmin(conf);
      default -> throw new IllegalArgumentException("command=" + command + ", expected one known");
    };
  }

  private void daemon(String action, List<String> names) throws Exception {
    if (names.isEmpty()) {
      throw new IllegalStateException(
          "hosts=none, expected those on which the command is executed");
    }
    if (action.equals("start")) {
      toStart.addAll(names);
      return;
    }
    start();
    List<ProcessHandle> ending = new ArrayList<>();
    for (String name : names) {
      cluster
          .status()
          .process(name)
          .map(ClusterStatus.ProcessStatus::pid)
          .filter(pid -> pid != 0)
          .flatMap(ProcessHandle::of)
          .ifPresent(ending::add);
    }
    assertThat(ending).as("processes that run: %s", names).hasSameSizeAs(names);
    ending.forEach(ProcessHandle::destroy);
    for (ProcessHandle process : ending) {
      process.onExit().get(1, TimeUnit.MINUTES);
    }
  }

  /** Starts what is to be started, and waits until it is at work. */
  void start() throws IOException {
    if (!toStart.isEmpty()) {
      List<String> names = List.copyOf(toStart);
      toStart.clear();
      cluster.restart(names);
    }
  }

  /**
   * The same, for daemons that are at work only after further commands.
   *
   * @return when they are
   */
  CompletableFuture<Void> startInBackground() {
    List<String> names = List.copyOf(toStart);
    toStart.clear();
    starting =
        CompletableFuture.runAsync(
            () -> {
              try {
                cluster.restart(names);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return starting;
  }

  /** Waits until all superchunks take new blocks. */
  void awaitUsableSuperchunks() {
    MiniRaidp.await("all superchunks are usable")
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              JsonNode status = new AdminCommand(conf()).json("raidp -status -json");
              JsonNode superchunks = status.path("superchunks");
              assertThat(superchunks.path("total").asInt()).as("%s", status).isPositive();
              assertThat(superchunks.path("usable")).isEqualTo(superchunks.path("total"));
              assertThat(status.path("assignmentsOutstanding").asInt(-1)).isZero();
            });
  }

  /**
   * Ends what serves, as a signal does, and waits for what is being started: nobody could stop the
   * cluster meanwhile.
   */
  @Override
  public void close() throws IOException {
    // Whether it has failed is for who has asked for it.
    starting.handle((done, failure) -> done).join();
    if (server.isPresent()) {
      server.get().close();
      server = Optional.empty();
    }
  }
}
