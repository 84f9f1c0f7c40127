/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.localcluster.torture.fault.DaemonClocks;
import io.hdfsparity.localcluster.torture.fault.NodeHosts;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.FaultPlanner;
import io.hdfsparity.localcluster.torture.plan.Feature;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is asked for. Immutable.
 *
 * @param schedule what is run
 * @param dir where the run keeps everything; not there yet
 * @param keepsCluster whether the cluster is left running
 */
record TortureOptions(Schedule schedule, Path dir, boolean keepsCluster) {
  static final String USAGE =
      """
      Usage: hdfs-parity torture [--minutes N] [--seed S] [--features LIST] [--faults LIST]
                                 [--replay FILE] [--out DIR] [--keep]
             hdfs-parity torture --check FILE

        Starts a cluster, lets clients write and read while processes are killed and stopped, and
        checks the history of all operations for what is promised.

        --minutes N      how long clients work, 1 to 240 (default: 5)
        --seed S         what faults and operations are drawn from (default: another one each time)
        --features LIST  of ecupdate, raidp, izs, stock, caso (default: ecupdate,stock)
        --faults LIST    of kill, stop, restart, failover, namenode-restart, disk-fail, bit-flip,
                         partition, partition-namenode, disk-full, refuse-readers, reply-loss,
                         slow-link, disk-pair-fail, clock, or none
                         (default: kill,stop,restart)
        --replay FILE    the faults and operations of an earlier run: its schedule.json
        --out DIR        a new folder for history and report (default: run/torture/SEED)
        --keep           let the cluster run at the end
        --check FILE     check the history.jsonl of a run, also of one that was cut off

      Exit codes: 0 all is as promised, 1 it is not, 2 wrong command line or it could not be run.
      """;

  private static final int DEFAULT_MINUTES = 5;
  private static final int MAX_MINUTES = 240;
  private static final Set<String> FLAGS = Set.of("--keep");
  private static final Set<String> DRAWN = Set.of("--minutes", "--seed", "--features", "--faults");
  private static final Set<String> VALUES =
      Set.of("--minutes", "--seed", "--features", "--faults", "--replay", "--out");

  /**
   * Parses.
   *
   * @param freshSeed the seed if none is given
   * @throws UsageException if something is not understood, or cannot be done
   * @throws IOException if a schedule cannot be read
   */
  static TortureOptions parse(List<String> args, long freshSeed)
      throws UsageException, IOException {
    Arguments arguments = Arguments.parse(args, FLAGS, VALUES);
    Schedule schedule = schedule(arguments, freshSeed);
    require(schedule);
    requireHosts(schedule, arguments.has("--keep"));
    requireClocks(schedule, DaemonClocks.library());
    Path dir =
        Path.of(arguments.value("--out").orElse("run/torture/" + schedule.seed()))
            .toAbsolutePath()
            .normalize();
    return new TortureOptions(schedule, dir, arguments.has("--keep"));
  }

  private static Schedule schedule(Arguments arguments, long freshSeed)
      throws UsageException, IOException {
    Optional<String> replay = arguments.value("--replay");
    if (replay.isPresent()) {
      for (String drawn : DRAWN) {
        if (arguments.value(drawn).isPresent()) {
          throw new UsageException("--replay has " + drawn + " in its file; give one of both");
        }
      }
      return Schedule.load(Path.of(replay.get()));
    }
    int minutes =
        (int) number("--minutes", arguments.value("--minutes"), DEFAULT_MINUTES, 1, MAX_MINUTES);
    long seed =
        number("--seed", arguments.value("--seed"), freshSeed, Long.MIN_VALUE, Long.MAX_VALUE);
    Set<Feature> features =
        named(
            "--features",
            arguments.value("--features").orElse("ecupdate,stock"),
            Feature::named,
            labels(Feature.values(), Feature::label));
    String faults = arguments.value("--faults").orElse("kill,stop,restart");
    Set<FaultKind> kinds =
        faults.equals("none")
            ? Set.of()
            : named(
                "--faults", faults, FaultKind::named, labels(FaultKind.values(), FaultKind::label));
    return FaultPlanner.plan(seed, minutes, features, kinds, TortureCluster.nodes(features));
  }

  private static long number(String name, Optional<String> text, long otherwise, long min, long max)
      throws UsageException {
    if (text.isEmpty()) {
      return otherwise;
    }
    String expected =
        name + "=" + text.get() + ", expected a whole number from " + min + " to " + max;
    try {
      long number = Long.parseLong(text.get());
      if (number >= min && number <= max) {
        return number;
      }
      throw new UsageException(expected);
    } catch (NumberFormatException e) {
      throw new UsageException(expected);
    }
  }

  private static <T> String labels(T[] values, Function<T, String> label) {
    return Arrays.stream(values).map(label).collect(Collectors.joining(", "));
  }

  private static <T extends Enum<T>> Set<T> named(
      String option, String list, Function<String, Optional<T>> parse, String expected)
      throws UsageException {
    Set<T> found = new TreeSet<>();
    for (String word : list.split(",", -1)) {
      Optional<T> value = parse.apply(word);
      if (value.isEmpty()) {
        throw new UsageException(option + "=" + word + " is unknown, expected some of " + expected);
      }
      found.add(value.get());
    }
    return EnumSet.copyOf(found);
  }

  private static void require(Schedule schedule) throws UsageException {
    boolean hasFailover = schedule.has(FaultKind.FAILOVER);
    if (hasFailover && schedule.has(FaultKind.NAMENODE_RESTART)) {
      throw new UsageException(
          "--faults failover,namenode-restart, expected one of both: two NameNodes or one");
    }
    if ((schedule.has(FaultKind.REPLY_LOSS) || schedule.has(FaultKind.SLOW_LINK))
        && !schedule.features().contains(Feature.ECUPDATE)) {
      throw new UsageException(
          ErrorMessage.to("impede updaters by reply-loss or slow-link")
              .value("--features", schedule.features())
              .expected("ecupdate among them")
              .message());
    }
    boolean isRaidp = EnumSet.of(Feature.RAIDP, Feature.STOCK).containsAll(schedule.features());
    if ((schedule.has(FaultKind.DISK_FAIL) || schedule.has(FaultKind.DISK_PAIR_FAIL))
        && !(isRaidp && schedule.features().contains(Feature.RAIDP))) {
      throw new UsageException(
          ErrorMessage.to("fail disks")
              .value("--features", schedule.features())
              .expected("raidp, or raidp,stock")
              .message());
    }
  }

  static void requireClocks(Schedule schedule, Optional<Path> library) throws UsageException {
    if (schedule.has(FaultKind.CLOCK) && library.isEmpty()) {
      throw new UsageException(DaemonClocks.missing());
    }
  }

  private static void requireHosts(Schedule schedule, boolean keepsCluster) throws UsageException {
    if (!NodeHosts.needsNamespaces(schedule)) {
      return;
    }
    String faults = labels(NodeHosts.IN_NAMESPACES.toArray(FaultKind[]::new), FaultKind::label);
    if (keepsCluster) {
      throw new UsageException(
          "--keep with any of " + faults + ", expected one of both: namespaces end with the run");
    }
    if (!NodeHosts.hasNamespaces()) {
      throw new UsageException(
          ErrorMessage.to("make namespaces for " + faults)
              .value("user", System.getProperty("user.name"))
              .expected(
                  "root by bin/hdfs-parity, and ip (package iproute2), and unshare and nsenter"
                      + " (package util-linux) that may make them")
              .message());
    }
  }
}
