/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.localcluster.torture.check.HistoryChecker;
import io.hdfsparity.localcluster.torture.check.Violation;
import io.hdfsparity.localcluster.torture.history.HistoryLog;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.report.OperationCounts;
import io.hdfsparity.localcluster.torture.report.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** {@code bin/hdfs-parity torture}. Exit codes: see {@link TortureOptions#USAGE}. */
public final class TortureCommand {
  private static final int VIOLATED = 1;
  private static final int NOT_RUN = 2;
  private static final String CHECK = "--check";

  private final PrintStream out;
  private final PrintStream err;

  /** Prints progress and results, and complaints. */
  public TortureCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command line and exits. */
  public static void main(String[] args) {
    int exitCode = NOT_RUN;
    try {
      exitCode = new TortureCommand(System.out, System.err).run(List.of(args));
    } catch (RuntimeException | Error e) {
      System.err.println("hdfs-parity torture: " + e);
    }
    System.exit(exitCode);
  }

  /** Runs a command line and gives its exit code. */
  public int run(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(TortureOptions.USAGE);
      return 0;
    }
    try {
      return args.contains(CHECK) ? check(args) : torture(args);
    } catch (UsageException e) {
      err.println("hdfs-parity torture: " + e.getMessage());
      err.println("Try: hdfs-parity torture --help");
      return NOT_RUN;
    } catch (NoSuchFileException e) {
      err.println(
          "hdfs-parity torture: Cannot read a file: file=" + e.getFile() + ", expected one");
      return NOT_RUN;
    } catch (IOException | IllegalArgumentException e) {
      err.println("hdfs-parity torture: " + e.getMessage());
      return NOT_RUN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("hdfs-parity torture: interrupted");
      return NOT_RUN;
    }
  }

  private int check(List<String> args) throws UsageException, IOException {
    if (args.size() != 2 || !args.get(0).equals(CHECK)) {
      throw new UsageException(CHECK + " takes a file, and nothing else");
    }
    List<Operation> history = HistoryLog.read(Path.of(args.get(1)));
    List<Violation> violations = new HistoryChecker().check(history);
    print(history, violations);
    return verdict(violations.stream().noneMatch(each -> each.kind().breaksPromise()));
  }

  private int torture(List<String> args) throws UsageException, IOException, InterruptedException {
    TortureOptions options;
    try {
      options = TortureOptions.parse(args, System.nanoTime());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    String cacheDir = System.getProperty("hdfsparity.cache", "local-cluster/target/cache");
    String commit = System.getProperty("hdfsparity.commit", "unknown");
    out.println("seed " + options.schedule().seed() + ", folder " + options.dir());
    RunResult result = new Torture(options, Path.of(cacheDir), commit, out::println).run();
    print(result.history(), result.violations());
    result.checks().forEach(out::println);
    result.problems().forEach(problem -> out.println("PROBLEM " + problem));
    out.println("report " + options.dir().resolve("report.html").toUri());
    return verdict(result.isRight());
  }

  private void print(List<Operation> history, List<Violation> violations) {
    OperationCounts.of(history).forEach(row -> out.println(row.describe()));
    for (Violation each : violations) {
      String what = each.kind().breaksPromise() ? "VIOLATION " : "NOTED ";
      out.println(what + each.kind() + " " + each.object() + ": " + each.explanation());
      each.operations().forEach(operation -> out.println("  " + operation.describe()));
    }
  }

  private int verdict(boolean isRight) {
    out.println(isRight ? "RIGHT: all is as promised" : "VIOLATIONS FOUND");
    return isRight ? 0 : VIOLATED;
  }
}
