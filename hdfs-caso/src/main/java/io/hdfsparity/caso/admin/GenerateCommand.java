/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.caso.trace.MsrLine;
import io.hdfsparity.caso.workload.Workload;
import io.hdfsparity.caso.workload.WorkloadGenerator;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.core.trace.ByteRequest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** {@code hdfs caso -generate}: writes a trace with the statistics of a published one. */
final class GenerateCommand extends ConsoleCommand {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String VOLUME = "-volume";
  private static final int PROGRESS_EVERY = 1 << 14;

  GenerateCommand(Console console) {
    super(
        console,
        "-generate",
        "<workload> <file> [-requests N] [-seed N] [-volume SIZE]",
        """
    Writes a block trace with the numbers of requests, the average sizes and the share of correlated
    writes of one of the paper's workloads (Table II), to a new local file; compressed if its name
    ends in .gz. What is written together is made up: it says nothing of the real workload.
    """
            + "Workloads: "
            + names()
            + "\n"
            + """
    -requests N       as many requests instead of the workload's own number
    -seed N           same seed, same trace (1)
    -volume SIZE      requests begin in so many bytes, 4K to 16G (16G); the longest ends 1 MiB behind
    """);
  }

  private static String names() {
    return Arrays.stream(Workload.values()).map(Workload::word).collect(Collectors.joining(", "));
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args,
            Set.of(),
            Set.of("-requests", "-seed", VOLUME),
            List.of("the workload", "the file"));
    Workload workload =
        Workload.named(a.operand(0))
            .orElseThrow(
                () ->
                    new UsageException(
                        "workload=" + a.operand(0) + ", expected one of " + names()));
    Path file = LocalPaths.parse(a.operand(1));
    long requests = a.number("-requests", 1, 1_000_000_000, workload.reads() + workload.writes());
    long seed = a.number("-seed", 0, Integer.MAX_VALUE, 1);
    long volumeBytes = volumeBytes(a);
    try (Progress progress = new Progress(console.err());
        OutputStream out = create(file)) {
      write(new WorkloadGenerator(workload, requests, seed, volumeBytes), out, progress);
    }
    console.out().printf(Locale.ROOT, "%s: %,d requests as %s%n", file, requests, workload.word());
    return 0;
  }

  private static long volumeBytes(Arguments a) throws UsageException {
    if (a.value(VOLUME).isEmpty()) {
      return WorkloadGenerator.VOLUME_BYTES;
    }
    String text = a.value(VOLUME).get();
    long bytes = TraceArguments.bytes(VOLUME, text);
    if (bytes < WorkloadGenerator.MIN_VOLUME_BYTES || bytes > WorkloadGenerator.VOLUME_BYTES) {
      throw new UsageException(VOLUME + "=" + text + ", expected 4K to 16G");
    }
    return bytes;
  }

  private static OutputStream create(Path file) throws IOException {
    try {
      OutputStream plain =
          Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return new BufferedOutputStream(
          file.toString().endsWith(".gz") ? new GZIPOutputStream(plain, BUFFER_BYTES) : plain,
          BUFFER_BYTES);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          ErrorMessage.to("generate a trace")
              .value("file", file)
              .expected("none of that name")
              .message(),
          e);
    }
  }

  private static void write(WorkloadGenerator generator, OutputStream out, Progress progress)
      throws IOException {
    out.write((MsrLine.HEADING + "\n").getBytes(StandardCharsets.US_ASCII));
    long written = 0;
    for (Optional<ByteRequest> next = generator.next(); next.isPresent(); next = generator.next()) {
      out.write((next.get().line() + "\n").getBytes(StandardCharsets.US_ASCII));
      if (++written % PROGRESS_EVERY == 0) {
        progress.count("writing the trace", written, "requests");
      }
    }
  }
}
