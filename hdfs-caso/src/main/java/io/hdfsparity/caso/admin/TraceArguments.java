/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.core.trace.BadLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is to be analysed, and how; what is not given is as in the paper's experiments.
 *
 * @param source of the requests
 * @param stripes that the cells are put into
 * @param search for an organization
 */
record TraceArguments(Source source, Stripes stripes, Search search) {
  /**
   * Where the requests come from.
   *
   * @param file the trace, or a directory with traces of updaters
   * @param inodeId of the file whose traces are taken from a directory
   * @param diskNumber what -inode says: of a trace in one file, only requests that have it are
   *     taken
   */
  record Source(
      Path file, OptionalLong inodeId, OptionalLong diskNumber, Format format, BadLines badLines) {}

  /**
   * Stripes that the cells are put into.
   *
   * @param dataCells the paper's k
   * @param parityCells the paper's m
   */
  record Stripes(int dataCells, int parityCells, int cellSizeBytes) {}

  /**
   * How an organization is searched for.
   *
   * @param ratio share of the windows that is analysed
   * @param distanceTicks length of a window in ticks of 100 ns
   * @param threshold in how many windows two cells come together to count
   * @param seed of the local search
   */
  record Search(double ratio, long distanceTicks, int threshold, long seed) {
    /** Requests, by what is analysed and what comes after it. */
    TraceSplit split(RequestTable writes, RequestTable reads) {
      return TraceSplit.of(writes, reads, distanceTicks, ratio);
    }

    static Search of(Arguments a, Format format, double defaultRatio) throws UsageException {
      return new Search(
          TraceArguments.ratio(a.value("-ratio").orElse(Double.toString(defaultRatio))),
          ticks(a.value("-distance").orElse(format.distance)),
          (int) a.number("-threshold", 2, Integer.MAX_VALUE, 2),
          (int) a.number("-seed", 0, Integer.MAX_VALUE, 1));
    }
  }

  /** What the lines of a trace are. */
  enum Format {
    /** MSR Cambridge block traces. */
    MSR("1ms"),
    /** The audit log of a NameNode. */
    AUDIT("1s");

    private final String distance;

    Format(String distance) {
      this.distance = distance;
    }
  }

  static final String STRICT = "-strict";
  static final Set<String> VALUES =
      Set.of(
          "-k", "-m", "-ratio", "-cell", "-distance", "-threshold", "-seed", "-format", "-inode");

  static final String USAGE =
      "<trace> -k K -m M [-ratio R] [-cell SIZE] [-distance TIME] [-threshold N] [-seed N]"
          + " [-format msr|audit] [-inode N] [-strict]";

  /** Explains the options; %s is the default of -ratio. */
  static final String HELP =
      """
      -k K, -m M        data and parity cells of a stripe
      -ratio R          share of the time windows with writes that is analysed, 0 to 1 (%s)
      -cell SIZE        size of a cell (4k); a cell of an audit log is a whole file
      -distance TIME    length of a time window: cells written in the same one come together
                        (1ms; 1s for an audit log); units us, ms, s, m, h
      -threshold N      in how many windows two cells must come together, at least 2 (2)
      -seed N           of the local search (1)
      -format WORD      msr: block trace of MSR Cambridge, Timestamp,Hostname,DiskNumber,Type,Offset,
                        Size,ResponseTime (default); audit: audit log of a NameNode
      -inode N          where <trace> is a directory: of all that updaters have noted there
                        (dfs.parity.ecupdate.trace.dir), take what they did to the file of this inode;
                        of a file, take the requests that have this DiskNumber
      -strict           fail at the first bad line, instead of counting it
      """;

  private static final long TICK_NANOS = 100;
  private static final Pattern TIME = Pattern.compile("([0-9]{1,15})(us|ms|s|m|h)");

  /** How an organization was found, for the origin in its index. */
  String origin() {
    return String.format(
        Locale.ROOT,
        "by %s, ratio %s, distance %d ticks, threshold %d, seed %d",
        source.file().getFileName(),
        search.ratio(),
        search.distanceTicks(),
        search.threshold(),
        search.seed());
  }

  /** Flags and values of a command that takes these and more. */
  static Arguments parse(List<String> args, List<String> flags, List<String> values)
      throws UsageException {
    List<String> allFlags = new ArrayList<>(flags);
    allFlags.add(STRICT);
    List<String> allValues = new ArrayList<>(values);
    allValues.addAll(VALUES);
    return Arguments.parse(args, Set.copyOf(allFlags), Set.copyOf(allValues), List.of("the trace"));
  }

  static TraceArguments of(Arguments a, double defaultRatio) throws UsageException {
    Format format = format(a.value("-format").orElse("msr"));
    if (format == Format.AUDIT && a.value("-inode").isPresent()) {
      throw new UsageException("-inode, expected with a block trace only: an audit log has paths");
    }
    return new TraceArguments(
        new Source(LocalPaths.parse(a.operand(0)), inode(a), inode(a), format, badLines(a)),
        new Stripes(
            (int) a.number("-k", 2, LayoutIndex.MAX_UNITS),
            (int) a.number("-m", 1, LayoutIndex.MAX_UNITS),
            cell(a.value("-cell"), format)),
        Search.of(a, format, defaultRatio));
  }

  /**
   * Of a trace of one file, whose cells and code are given.
   *
   * @param trace a block trace, or a directory with traces of updaters
   * @param inodeId of the file
   */
  static TraceArguments ofFile(Arguments a, String trace, long inodeId, Stripes stripes)
      throws UsageException {
    Format format = format(a.value("-format").orElse("msr"));
    if (format == Format.AUDIT) {
      throw new UsageException("-format=audit, expected a block trace: it has no offsets");
    }
    return new TraceArguments(
        new Source(
            LocalPaths.parse(trace),
            inode(a).isPresent() ? inode(a) : OptionalLong.of(inodeId),
            inode(a),
            format,
            badLines(a)),
        stripes,
        Search.of(a, format, /* defaultRatio= */ 1));
  }

  private static BadLines badLines(Arguments a) {
    return a.has(STRICT) ? BadLines.FAIL : BadLines.SKIP;
  }

  private static OptionalLong inode(Arguments a) throws UsageException {
    if (a.value("-inode").isEmpty()) {
      return OptionalLong.empty();
    }
    String text = a.value("-inode").get();
    if (!text.matches("[0-9]{1,18}")) {
      throw new UsageException("-inode=" + text + ", expected the number of an inode");
    }
    return OptionalLong.of(Long.parseLong(text));
  }

  private static Format format(String text) throws UsageException {
    return Arrays.stream(Format.values())
        .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(() -> new UsageException("-format=" + text + ", expected msr or audit"));
  }

  private static int cell(Optional<String> text, Format format) throws UsageException {
    if (format == Format.AUDIT && text.isPresent()) {
      throw new UsageException(
          "-cell=" + text.get() + ", expected none: a cell of an audit log" + " is a whole file");
    }
    long bytes = bytes("-cell", text.orElse("4k"));
    if (bytes > Integer.MAX_VALUE) {
      throw new UsageException("-cell=" + text.orElse("") + ", expected below 2 GiB");
    }
    return (int) bytes;
  }

  /** A positive size. */
  static long bytes(String name, String text) throws UsageException {
    try {
      return SizesAndDurations.parseBytes(name, text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static double ratio(String text) throws UsageException {
    try {
      double ratio = Double.parseDouble(text);
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      throw new UsageException("-ratio=" + text + ", expected a number from 0 to 1");
    }
    throw new UsageException("-ratio=" + text + ", expected 0 to 1");
  }

  private static long ticks(String text) throws UsageException {
    Matcher m = TIME.matcher(text);
    if (m.matches()) {
      long unitNanos =
          switch (m.group(2)) {
            case "us" -> 1000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
          };
      long count = Long.parseLong(m.group(1));
      if (count > 0 && count <= Long.MAX_VALUE / unitNanos) {
        return count * unitNanos / TICK_NANOS;
      }
    }
    throw new UsageException(
        ErrorMessage.to("cut time")
            .value("-distance", text)
            .expected("a time above 0 such as 100us, 1ms or 1s")
            .message());
  }
}
