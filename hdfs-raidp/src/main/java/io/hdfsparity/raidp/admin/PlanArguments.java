/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.layout.PlanRates;
import io.hdfsparity.raidp.layout.PlanSpec;
import io.hdfsparity.raidp.layout.SpareRule;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of {@code -plan}.
 *
 * @param spec the described cluster
 * @param rates how fast it is
 * @param json whether to print JSON
 */
record PlanArguments(PlanSpec spec, PlanRates rates, boolean json) {
  static final String USAGE =
      """
      Usage: hdfs raidp -plan -nodes N -disks D [-racks R] [-superchunkSize SIZE | -frames F]
                              [-spare S] [-room M] [-diskSize SIZE] [-link RATE] [-diskRate SIZE]
                              [-maxStreams N] [-seed X] [-json]
        Plans the superchunks of a described cluster and prints sizes, costs, and which failures it
        survives beside three replicas. Touches no cluster.
        -nodes N        DataNodes, at least 2
        -disks D        disks of each node
        -racks R        racks over which the nodes are spread evenly (default 1)
        -superchunkSize SIZE
                        bytes of a superchunk, as 4G. A disk gets as many as fit, at most 1024, and
                        at most as many as there are disks on other nodes (in other racks), less
                        what -room leaves (default: so large that an Lstor takes at most 1 % of its
                        disk, or as small as the number of disks allows)
        -frames F       frames of each disk, instead: what -layout -apply makes of so many
        -spare S        frames of each disk that stay spare: a number (2) or a share (10% or 0.1,
                        rounded up, at least 1); default 10%. Without -frames they are beside the
                        superchunks, and cost rows of the Lstor, no space
        -room M         leaves room for the superchunks of M failed disks, 0 to 2 (default 2), as
                        dfs.parity.raidp.layout.recovery.room.disks does; not with -spare 0
        -diskSize SIZE  bytes of a disk, with K, M, G, T, P for powers of 1024 (default 4T)
        -link RATE      bits a second of a node's link, as 1G or 10G (default 10G)
        -diskRate SIZE  bytes a second that a disk reads or writes, as 150M (default 150M)
        -maxStreams N   dfs.namenode.replication.max-streams: copies of blocks that a DataNode begins
                        at a heartbeat, every 3 s (default 2, as HDFS's)
        -seed X         another seed gives another layout by the same rules (default 0)
        -json           prints JSON, with every superchunk
      """;

  private static final Set<String> WITH_VALUE =
      Set.of(
          "-nodes",
          "-disks",
          "-racks",
          "-superchunkSize",
          "-frames",
          "-spare",
          "-room",
          "-diskSize",
          "-link",
          "-diskRate",
          "-maxStreams",
          "-seed");

  /** HDFS's default. */
  private static final String MAX_STREAMS = "2";

  private static final String UNITS = "KMGTP";

  /**
   * Parses.
   *
   * @param args arguments, with or without the leading {@code -plan}
   * @throws IllegalArgumentException with a message for the user
   */
  static PlanArguments parse(String[] args) {
    Map<String, String> values = new HashMap<>();
    boolean json = false;
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals("-json")) {
        json = true;
      } else if (WITH_VALUE.contains(option)) {
        if (i + 1 == args.length
            || WITH_VALUE.contains(args[i + 1])
            || args[i + 1].equals("-json")) {
          throw new IllegalArgumentException(
              "Cannot plan: option " + option + " has no value, expected " + option + " VALUE");
        }
        if (values.putIfAbsent(option, args[++i]) != null) {
          throw new IllegalArgumentException(
              "Cannot plan: option " + option + " is given twice, expected once");
        }
      } else if (i > 0 || !option.equals("-plan")) {
        throw new IllegalArgumentException(
            "Cannot plan: unknown option '"
                + option
                + "', expected -nodes, -disks, -racks, -superchunkSize, -frames, -spare, -room, -diskSize,"
                + " -link, -diskRate, -maxStreams, -seed or -json");
      }
    }
    if (values.containsKey("-frames") && values.containsKey("-superchunkSize")) {
      throw new IllegalArgumentException(
          "Cannot plan: options -frames and -superchunkSize are both given, expected one of them");
    }
    return new PlanArguments(
        new PlanSpec(
            new PlanSpec.Servers(
                required(values, "-nodes"),
                required(values, "-disks"),
                values.containsKey("-racks") ? required(values, "-racks") : 1),
            values.containsKey("-frames")
                ? OptionalInt.of(required(values, "-frames"))
                : OptionalInt.empty(),
            values.containsKey("-superchunkSize")
                ? OptionalLong.of(size("-superchunkSize", values.get("-superchunkSize")))
                : OptionalLong.empty(),
            spare(values.get("-spare")),
            room(values.getOrDefault("-room", "2")),
            size("-diskSize", values.getOrDefault("-diskSize", "4T")),
            seed(values.getOrDefault("-seed", "0"))),
        new PlanRates(
            link(values.getOrDefault("-link", "10G")),
            size("-diskRate", values.getOrDefault("-diskRate", "150M")),
            positive("-maxStreams", values.getOrDefault("-maxStreams", MAX_STREAMS))),
        json);
  }

  private static int required(Map<String, String> values, String option) {
    String text = values.get(option);
    if (text == null) {
      throw new IllegalArgumentException(
          "Cannot plan: option " + option + " is missing, expected " + option + " NUMBER");
    }
    return positive(option, text);
  }

  private static int positive(String option, String text) {
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw wrong(option, text, "a whole number from 1 to " + Integer.MAX_VALUE, e);
    }
    if (value < 1) {
      throw wrong(option, text, "a whole number from 1 to " + Integer.MAX_VALUE, null);
    }
    return value;
  }

  private static int room(String text) {
    if (!text.matches("[0-2]")) {
      throw wrong("-room", text, "a number of failed disks from 0 to 2", null);
    }
    return Integer.parseInt(text);
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw wrong("-seed", text, "a whole number", e);
    }
  }

  private static SpareRule spare(@Nullable String text) {
    if (text == null) {
      return SpareRule.DEFAULT;
    }
    String expected = "a number of frames (2) or a share from 0 to below 1 (10% or 0.1)";
    try {
      if (text.endsWith("%") || text.contains(".")) {
        BigDecimal number =
            new BigDecimal(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
        return SpareRule.share(
            (text.endsWith("%") ? number.movePointLeft(2) : number).doubleValue());
      }
      return SpareRule.frames(Integer.parseInt(text));
    } catch (IllegalArgumentException e) {
      throw wrong("-spare", text, expected, e);
    }
  }

  /** Bytes of "4T", "500G", "1.5T" or "1000000". */
  static long size(String option, String text) {
    String expected = "a positive size such as 4T, 500G or 64M";
    String number = text.toUpperCase(Locale.ROOT);
    int unit = number.isEmpty() ? -1 : UNITS.indexOf(number.charAt(number.length() - 1));
    try {
      BigDecimal value =
          new BigDecimal(unit < 0 ? number : number.substring(0, number.length() - 1));
      long bytes = value.multiply(BigDecimal.valueOf(1L << (10 * (unit + 1)))).longValueExact();
      if (bytes > 0) {
        return bytes;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(option, text, expected, e);
    }
    throw wrong(option, text, expected, null);
  }

  /** Bytes a second of "1G", "10G" or "500M" bits a second, in powers of 1000 as links have it. */
  private static long link(String text) {
    if (!text.matches("[0-9]{1,4}[MGmg]")
        || Integer.parseInt(text.substring(0, text.length() - 1)) == 0) {
      throw wrong("-link", text, "bits a second such as 1G, 10G or 500M", null);
    }
    long number = Integer.parseInt(text.substring(0, text.length() - 1));
    return number * (text.toUpperCase(Locale.ROOT).endsWith("G") ? 1_000_000_000L : 1_000_000L) / 8;
  }

  private static IllegalArgumentException wrong(
      String option, String text, String expected, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "Cannot plan: " + option + "=" + text + ", expected " + expected, cause);
  }
}
