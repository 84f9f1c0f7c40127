/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bin/hdfs-parity cluster …}. Exit codes: 0 done, 1 failed, 2 the command line is wrong;
 * {@code status}: 0 everything runs, 3 nothing runs, 4 something is dead or stopped.
 */
public final class ClusterCommand {
  static final String HELP =
      """
      Usage: hdfs-parity cluster COMMAND [--dir DIR] [options]

        start [--layout]  start a cluster, or start a stopped one again; --layout also forms
                          superchunks of all frames that have none (raidp -layout -apply)
        stop [--purge]    stop it; --purge deletes all that it has stored
        status [--json]   show processes, disks, space and network bytes
        kill NAME         end a process at once (SIGKILL): nn, dn0, lstor0, nn1, jn0, nm0, ...
        restart NAME ...  stop processes if they run, and start them
        fail-disk DISK    fail a disk, as dn0/disk1: all its data is out of reach
        replace-disk DISK put an empty disk in the place of a failed one; restarts the DataNode
        add-node          add a node to the running cluster
        failover NAME     make nn0 or nn1 the active NameNode of a cluster with --ha

      --dir DIR           the folder with all the state of the cluster (default: run/cluster)

      Options of start; a cluster keeps them:
        --mode MODE           raidp (default): two replicas with parity; izs: erasure codes of codec
                              izs enabled; ec-update: erasure-coded files are changed in place;
                              caso: that, and stripes organized by use; all: all four, from
                              conf/hdfs-site-all.xml; stock: plain HDFS
        --replication N       replicas of a block (default: 3)
        --ha                  two NameNodes, nn0 and nn1, with three JournalNodes, jn0 to jn2
        --yarn                YARN and MapReduce: a ResourceManager rm, a history server jhs, and
                              NodeManagers nm0, nm1, ...
        --nodemanagers N      NodeManagers of --yarn (default: 2)
        --nodes N             DataNodes (default: 6; 8 with izs and all)
        --racks N             racks (default: 2)
        --disks N             simulated disks of a node (default: 2)
        --frames N            frames of a disk (default: 8)
        --frame-size SIZE     size of a frame (default: 256m)
        --unit-size SIZE      allocation unit in a frame (default: 1m)
        --journal-size SIZE   bytes of a disk that partners may owe an acknowledgement (default: 128m)
        --block-size SIZE     block size of clients (default: 64m)
        --namenode-port PORT  port of the NameNode, of nn0 with --ha (default: any free one)
        --http-port PORT      port of its web pages (default: any free one)
        -D KEY=VALUE          a Hadoop property for all daemons and clients

      Options of start and restart for this time only; daemons run the classes of the bin/hdfs-parity
      that starts them, so another build of the project can take over a cluster:
        --namenode-arguments TEXT  command line of NameNodes, as "-rollingUpgrade started"
        --datanode-arguments TEXT  command line of DataNodes, as -rollback

      Exit codes: 0 done, 1 failed, 2 wrong command line;
      of status: 0 everything runs, 3 nothing runs, 4 something is dead or stopped.
      """;

  private static final String NAME_NODE_ARGUMENTS = "namenode-arguments";
  private static final String DATA_NODE_ARGUMENTS = "datanode-arguments";
  private static final Set<String> NUMBERS =
      Set.of(
          "replication",
          "nodes",
          "racks",
          "disks",
          "frames",
          "namenode-port",
          "http-port",
          ClusterSpec.NODE_MANAGERS);
  private static final Set<String> SIZES =
      Set.of("frame-size", "unit-size", "journal-size", "block-size");
  private static final Set<String> WITH_VALUE =
      Stream.of(
              NUMBERS,
              SIZES,
              Set.of("dir", "mode", "cache-dir", NAME_NODE_ARGUMENTS, DATA_NODE_ARGUMENTS))
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> FLAGS =
      Set.of("purge", "json", "layout", "ha", "yarn", "help", "h");
  private static final Pattern DISK = Pattern.compile("dn(\\d{1,3})/disk(\\d{1,3})");
  private static final int NODE_MANAGERS = 2;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final int NOTHING_RUNS = 3;
  private static final int DEGRADED = 4;

  private final PrintStream out;
  private final PrintStream err;

  /** Prints results and complaints to the given streams. */
  public ClusterCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command line and exits. */
  public static void main(String[] args) {
    System.exit(new ClusterCommand(System.out, System.err).run(List.of(args)));
  }

  /** Runs a command line and gives its exit code. */
  public int run(List<String> args) {
    try {
      Arguments arguments = Arguments.parse(args, WITH_VALUE, FLAGS);
      if (arguments.has("help")
          || arguments.has("h")
          || arguments.words().equals(List.of("help"))) {
        out.print(HELP);
        return 0;
      }
      return dispatch(arguments);
    } catch (UsageException | IllegalArgumentException e) {
      err.println("hdfs-parity cluster: " + e.getMessage());
      err.println("Try: hdfs-parity cluster --help");
      return WRONG_USAGE;
    } catch (IOException e) {
      err.println("hdfs-parity cluster: " + e.getMessage());
      return FAILED;
    }
  }

  private int dispatch(Arguments arguments) throws UsageException, IOException {
    if (arguments.words().isEmpty()) {
      throw new UsageException(
          "No command, expected start, stop, status, kill, restart, fail-disk, replace-disk, add-node or failover");
    }
    String command = arguments.words().get(0);
    List<String> operands = arguments.words().subList(1, arguments.words().size());
    return switch (command) {
      case "start" -> {
        operands(command, operands, 0);
        yield start(arguments);
      }
      case "stop" -> {
        operands(command, operands, 0);
        yield stop(arguments);
      }
      case "status" -> {
        operands(command, operands, 0);
        yield status(arguments);
      }
      case "kill" -> {
        operands(command, operands, 1);
        open(arguments).kill(operands.get(0));
        yield done("Killed " + operands.get(0));
      }
      case "restart" -> {
        if (operands.isEmpty()) {
          throw new UsageException("restart takes at least one operand, got 0");
        }
        open(arguments).restart(operands);
        yield done("Restarted " + String.join(", ", operands));
      }
      case "fail-disk" -> {
        operands(command, operands, 1);
        yield failDisk(arguments, operands.get(0));
      }
      case "replace-disk" -> {
        operands(command, operands, 1);
        yield replaceDisk(arguments, operands.get(0));
      }
      case "add-node" -> {
        operands(command, operands, 0);
        yield done("Added " + open(arguments).addDataNode());
      }
      case "failover" -> {
        operands(command, operands, 1);
        open(arguments).failOver(operands.get(0));
        yield done("Active is " + operands.get(0));
      }
      default -> throw new UsageException("Unknown command " + command);
    };
  }

  private static void operands(String command, List<String> operands, int expected)
      throws UsageException {
    if (operands.size() != expected) {
      throw new UsageException(
          command
              + " takes "
              + expected
              + " operand"
              + (expected == 1 ? "" : "s")
              + ", got "
              + operands.size());
    }
  }

  private int done(String message) {
    out.println(message);
    return 0;
  }

  private LocalClusterBuilder builder(Arguments arguments) {
    String dir = arguments.value("dir");
    LocalClusterBuilder builder =
        LocalCluster.builder(Path.of(dir == null ? "run/cluster" : dir)).log(err::println);
    if (arguments.has("cache-dir")) {
      builder.cacheDir(Path.of(arguments.value("cache-dir")));
    }
    return builder
        .nameNodeArguments(words(arguments, NAME_NODE_ARGUMENTS))
        .dataNodeArguments(words(arguments, DATA_NODE_ARGUMENTS));
  }

  private static List<String> words(Arguments arguments, String option) {
    String text = arguments.has(option) ? arguments.value(option).strip() : "";
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
  }

  private LocalCluster open(Arguments arguments) throws IOException {
    return builder(arguments).open();
  }

  private int start(Arguments arguments) throws IOException, UsageException {
    LocalClusterBuilder builder = builder(arguments);
    if (arguments.has("mode")) {
      builder.mode(ClusterMode.parse(arguments.value("mode")));
    }
    if (arguments.has("ha")) {
      builder.highlyAvailable();
    }
    if (arguments.has("yarn")) {
      builder.yarn(NODE_MANAGERS);
    } else if (arguments.has(ClusterSpec.NODE_MANAGERS)) {
      throw new UsageException("Option --nodemanagers is for --yarn, which is not given");
    }
    for (String name : NUMBERS) {
      if (arguments.has(name)) {
        builder.set(name, number(name, arguments.value(name)));
      }
    }
    for (String name : SIZES) {
      if (arguments.has(name)) {
        builder.set(name, Sizes.parse(name, arguments.value(name)));
      }
    }
    for (Map.Entry<String, String> property : arguments.properties().entrySet()) {
      builder.conf(property.getKey(), property.getValue());
    }
    LocalCluster cluster = builder.build();
    if (arguments.has("layout") && !cluster.spec().mode().hasRaidp()) {
      throw new IllegalArgumentException(
          "Cannot form superchunks: mode="
              + cluster.spec().mode().label()
              + ", expected raidp or all");
    }
    long begin = System.nanoTime();
    cluster.start();
    if (arguments.has("layout")) {
      cluster.applyLayout();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.print(cluster.status().toText());
    out.printf(
        Locale.ROOT,
        "Ready after %.1f s. Stop it with: hdfs-parity cluster stop --dir %s%n",
        seconds,
        cluster.dir());
    return 0;
  }

  private static int number(String name, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Cannot read a number: " + name + "=" + text + ", expected a whole number", e);
    }
  }

  private int stop(Arguments arguments) throws IOException {
    LocalCluster cluster = open(arguments);
    if (arguments.has("purge")) {
      cluster.purge();
      return done("Stopped and deleted " + cluster.dir());
    }
    cluster.stop();
    return done("Stopped " + cluster.dir());
  }

  private int status(Arguments arguments) throws IOException {
    ClusterStatus status = open(arguments).status();
    out.print(arguments.has("json") ? status.toJson() + "\n" : status.toText());
    if (!status.anyRunning()) {
      return NOTHING_RUNS;
    }
    return status.allRunning() ? 0 : DEGRADED;
  }

  private static Matcher disk(String name) throws UsageException {
    Matcher matcher = DISK.matcher(name);
    if (!matcher.matches()) {
      throw new UsageException("Cannot read the disk " + name + ", expected a name as dn0/disk1");
    }
    return matcher;
  }

  private int replaceDisk(Arguments arguments, String name) throws IOException, UsageException {
    Matcher named = disk(name);
    open(arguments).replaceDisk(Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)));
    return done("Replaced " + name + " by an empty disk");
  }

  private int failDisk(Arguments arguments, String name) throws IOException, UsageException {
    Matcher named = disk(name);
    int node = Integer.parseInt(named.group(1));
    int disk = Integer.parseInt(named.group(2));
    LocalCluster cluster = open(arguments);
    Path aside = cluster.failDisk(node, disk);
    out.println("Failed " + name + "; its content is in " + aside);
    if (cluster.spec().mode().hasRaidp()
        && cluster.activeNameNode().isPresent()
        && runs(cluster, "dn" + node)) {
      cluster.awaitDiskFailureKnown(node, disk);
      out.println("The RAIDP manager knows; bring the data back with: raidp -recover -progress");
    }
    return 0;
  }

  private static boolean runs(LocalCluster cluster, String process) throws IOException {
    return cluster
        .status()
        .process(process)
        .filter(status -> status.state() == ClusterStatus.ProcessState.RUNNING)
        .isPresent();
  }
}
