/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.layout.PlanSpec;
import io.hdfsparity.raidp.layout.SpareRule;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of {@code -plan}.
 *
 * @param spec the described cluster
 * @param json whether to print JSON
 */
record PlanArguments(PlanSpec spec, boolean json) {
  static final String USAGE =
      """
      Usage: hdfs raidp -plan -nodes N -disks D [-racks R] [-frames F] [-spare S] [-room M]
                              [-diskSize SIZE] [-seed X] [-json]
        Plans the superchunks of a described cluster and prints sizes, capacity and which failures it
        survives. Touches no cluster.
        -nodes N        DataNodes, at least 2
        -disks D        disks of each node
        -racks R        racks over which the nodes are spread evenly (default 1)
        -frames F       frames of each disk (default: the most up to 64 that 1-sharing can fill, spare
                        frames aside, with 2 disks left over as receivers in a recovery)
        -spare S        frames of each disk that stay spare: a number (2) or a share (10% or 0.1,
                        rounded up, at least 1); default 10%
        -room M         leaves room for the superchunks of M failed disks, 0 to 2 (default 2), as
                        dfs.parity.raidp.layout.recovery.room.disks does; not with -spare 0
        -diskSize SIZE  bytes of a disk, with K, M, G, T, P for powers of 1024 (default 4T)
        -seed X         another seed gives another layout by the same rules (default 0)
        -json           prints JSON, with every superchunk
      """;

  private static final Set<String> WITH_VALUE =
      Set.of("-nodes", "-disks", "-racks", "-frames", "-spare", "-room", "-diskSize", "-seed");
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
                + "', expected -nodes, -disks, -racks, -frames, -spare, -room, -diskSize, -seed or -json");
      }
    }
    return new PlanArguments(
        new PlanSpec(
            required(values, "-nodes"),
            required(values, "-disks"),
            values.containsKey("-racks") ? required(values, "-racks") : 1,
            values.containsKey("-frames")
                ? OptionalInt.of(required(values, "-frames"))
                : OptionalInt.empty(),
            spare(values.get("-spare")),
            room(values.getOrDefault("-room", "2")),
            size(values.getOrDefault("-diskSize", "4T")),
            seed(values.getOrDefault("-seed", "0"))),
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
  static long size(String text) {
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
      throw wrong("-diskSize", text, expected, e);
    }
    throw wrong("-diskSize", text, expected, null);
  }

  private static IllegalArgumentException wrong(
      String option, String text, String expected, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "Cannot plan: " + option + "=" + text + ", expected " + expected, cause);
  }
}
