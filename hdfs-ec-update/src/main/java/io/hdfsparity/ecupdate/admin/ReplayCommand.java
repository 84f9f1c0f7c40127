/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.core.trace.BadLinePrinter;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.MsrTrace;
import io.hdfsparity.core.trace.TraceFormatException;
import io.hdfsparity.ecupdate.trace.Replay;
import io.hdfsparity.ecupdate.trace.ReplayOptions;
import io.hdfsparity.ecupdate.trace.ReplayOptions.OutOfRange;
import io.hdfsparity.ecupdate.trace.ReplayOptions.ReadBack;
import io.hdfsparity.ecupdate.trace.ReplayReport;
import io.hdfsparity.ecupdate.trace.RequestStats;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/** {@code hdfs ecupdate -replay}: the requests of a block trace, made on a file and measured. */
final class ReplayCommand extends ConsoleCommand {
  private static final String STRICT = "-strict";
  private static final String TIMED = "-timed";
  private static final String VERIFY = "-verify";
  private static final String BEYOND = "-beyond";
  private static final String CONCURRENCY = "-concurrency";
  private static final String CACHE = "-cache";
  private static final String LIMIT = "-limit";
  private static final String SEED = "-seed";
  private static final Pattern SPEED = Pattern.compile("[0-9]+([.][0-9]+)?");
  private static final int MAX_CONCURRENCY = 4096;

  private final UpdaterOpener opener;

  ReplayCommand(Console console, UpdaterOpener opener) {
    super(
        console,
        "-replay",
        "<trace> <path> [-timed [SPEED]] [-concurrency N] [-cache SIZE] [-limit N]"
            + " [-beyond wrap|refuse] [-seed N] [-verify] [-strict] [-json]",
        """
    Makes the requests of a block trace on a file, and tells how long they took. OVERWRITES THE FILE.
    <trace>          local file, plain or gzip, in the format of the MSR Cambridge traces:
                     Timestamp(100 ns),Hostname,DiskNumber,Type,Offset,Size,ResponseTime
    -timed [SPEED]   each request at its time in the trace, or SPEED times as fast; the time of a
                     request is then counted from when it was due. Without: as fast as it goes.
                     One that is earlier than the one before it is due with that.
    -concurrency N   requests under way at a time (16)
    -cache SIZE      of the client's write-back cache (0: none); a write that is in it is not durable
                     until the end, and its time is that of the cache
    -limit N         at most so many requests
    -beyond WORD     requests that do not lie inside the file. wrap (default): the offset modulo the
                     file's length, shifted back where the request would reach over the end, and cut
                     where it is longer than the file; refuse: the replay ends
    -seed N          of the bytes that are written (1)
    -verify          reads all that was written at the end, and compares
    -strict          fail at the first bad line, instead of counting it
    Exit code -1 when a request fails, bytes differ, or no line is a request.
    """);
    this.opener = opener;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            withSpeed(args),
            Set.of(STRICT, VERIFY, Console.JSON),
            Set.of(TIMED, BEYOND, CONCURRENCY, CACHE, LIMIT, SEED),
            List.of("trace", "path"));
    Path trace = LocalPaths.parse(a.operand(0));
    if (!Files.isRegularFile(trace)) {
      throw new UsageException("trace=" + trace + ", expected a local file");
    }
    ReplayOptions options = options(a);
    long cacheBytes = Values.bytes(a, CACHE, 0);
    UpdaterOptions updater = UpdaterOptions.standard();
    updater =
        updater
            .withCache(cacheBytes)
            .withOutstanding(Math.max(updater.maxOutstanding(), options.concurrency()));
    BadLinePrinter badLines = new BadLinePrinter(trace, console.err());
    ReplayReport report;
    try (InputStream in = Files.newInputStream(trace);
        StripedFileUpdater file =
            opener.open(console.conf(), Values.remote(a.operand(1)), updater);
        Progress progress = new Progress(console.err())) {
      MsrTrace requests = new MsrTrace(in, a.has(STRICT) ? BadLines.FAIL : BadLines.SKIP, badLines);
      report =
          new Replay(file, options)
              .run(requests, made -> progress.count("replaying", made, "requests"));
    } catch (EOFException | ZipException e) {
      throw TraceFormatException.ofCompressed(trace, e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage())); // the cache and the file's stripes
    }
    if (report.reads().requests() + report.writes().requests() == 0) {
      throw new IOException(
          ErrorMessage.to("replay")
              .value("requests", 0)
              .value("bad lines", badLines.count())
              .expected("lines Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime")
              .where("trace", trace)
              .message());
    }
    ObjectNode doc = document(a, report);
    doc.put("badLines", badLines.count());
    console.print(doc, a, ReplayCommand::text);
    return report.differing().orElse(0) == 0 ? 0 : CommandLine.FAILED;
  }

  /** The speed may be left out. */
  private static List<String> withSpeed(List<String> args) {
    List<String> all = new ArrayList<>(args);
    int timed = all.indexOf(TIMED);
    if (timed >= 0 && (timed + 1 == all.size() || !SPEED.matcher(all.get(timed + 1)).matches())) {
      all.add(timed + 1, "1");
    }
    return all;
  }

  private static ReplayOptions options(Arguments a) throws UsageException {
    String beyond = a.value(BEYOND).orElse("wrap");
    if (!beyond.equals("wrap") && !beyond.equals("refuse")) {
      throw new UsageException(BEYOND + "=" + beyond + ", expected wrap or refuse");
    }
    double speed = a.value(TIMED).isPresent() ? Double.parseDouble(a.value(TIMED).get()) : 0;
    if (a.value(TIMED).isPresent() && speed == 0) {
      throw new UsageException(TIMED + "=" + a.value(TIMED).get() + ", expected above 0");
    }
    return new ReplayOptions(
        (int) a.number(CONCURRENCY, 1, MAX_CONCURRENCY, 16),
        a.number(LIMIT, 1, Long.MAX_VALUE, Long.MAX_VALUE),
        speed,
        a.number(SEED, 0, Long.MAX_VALUE, 1),
        beyond.equals("wrap") ? OutOfRange.WRAP : OutOfRange.REFUSE,
        a.has(VERIFY) ? ReadBack.AT_THE_END : ReadBack.NO);
  }

  private static ObjectNode document(Arguments a, ReplayReport report) {
    ObjectNode doc =
        JsonNodeFactory.instance.objectNode().put("trace", a.operand(0)).put("path", a.operand(1));
    doc.put("elapsedMs", report.elapsedNanos() / 1_000_000);
    doc.put("iops", Math.round(report.iops() * 10) / 10.0);
    doc.set("reads", document(report.reads()));
    doc.set("writes", document(report.writes()));
    doc.put("wrapped", report.moved());
    if (a.value(TIMED).isPresent()) {
      doc.put("late", report.late());
    }
    report.differing().ifPresent(bytes -> doc.put("differingBytes", bytes));
    return doc;
  }

  private static ObjectNode document(RequestStats stats) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("requests", stats.requests())
        .put("bytes", stats.bytes())
        .put("p50Us", stats.p50Us())
        .put("p95Us", stats.p95Us())
        .put("p99Us", stats.p99Us())
        .put("maxUs", stats.maxUs());
  }

  private static void text(JsonNode doc, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%,d requests in %,.1f s: %,.1f a second; %,d wrapped, %,d bad lines left out%n",
        doc.path("reads").path("requests").asLong() + doc.path("writes").path("requests").asLong(),
        doc.path("elapsedMs").asLong() / 1000.0,
        doc.path("iops").asDouble(),
        doc.path("wrapped").asLong(),
        doc.path("badLines").asLong());
    if (doc.has("late")) {
      out.printf(
          Locale.ROOT,
          "%,d requests began more than 1 ms after their time%n",
          doc.path("late").asLong());
    }
    out.printf(
        Locale.ROOT,
        "%-7s %10s %16s %10s %10s %10s %10s%n",
        "",
        "requests",
        "bytes",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "max ms");
    line(out, "reads", doc.path("reads"));
    line(out, "writes", doc.path("writes"));
    if (doc.has("differingBytes")) {
      long differing = doc.path("differingBytes").asLong();
      boolean isWritten = doc.path("writes").path("requests").asLong() > 0;
      out.println(
          differing == 0
              ? isWritten ? "All that was written was read back." : "Nothing was written."
              : String.format(Locale.ROOT, "%,d bytes DIFFER from what was written.", differing));
    }
  }

  private static void line(PrintStream out, String name, JsonNode stats) {
    out.printf(
        Locale.ROOT,
        "%-7s %,10d %,16d %,10.3f %,10.3f %,10.3f %,10.3f%n",
        name,
        stats.path("requests").asLong(),
        stats.path("bytes").asLong(),
        stats.path("p50Us").asLong() / 1000.0,
        stats.path("p95Us").asLong() / 1000.0,
        stats.path("p99Us").asLong() / 1000.0,
        stats.path("maxUs").asLong() / 1000.0);
  }
}
