/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.layout.LayoutRefusedException;
import io.hdfsparity.raidp.layout.PlanProgress;
import io.hdfsparity.raidp.layout.PlanReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;

/**
 * {@code hdfs raidp -plan}: plans a described cluster. Needs neither a cluster nor a configuration.
 */
public final class PlanCommand {
  /**
   * Runs the command.
   *
   * @param args arguments, with or without the leading {@code -plan}
   * @return 0, or -1 when the arguments are wrong or no layout is possible, as dfsadmin does
   */
  public int run(String[] args, PrintStream out, PrintStream err) {
    if (Arrays.asList(args).contains("-help")) {
      out.print(PlanArguments.USAGE);
      return 0;
    }
    PlanArguments arguments;
    try {
      arguments = PlanArguments.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("plan: " + e.getMessage());
      err.println("plan: -help prints the options");
      return -1;
    }
    try {
      PlanReport report =
          PlanReport.of(arguments.spec(), arguments.rates(), new ProgressPrinter(err));
      if (arguments.json()) {
        PlanJson.write(report, out);
      } else {
        PlanText.write(report, arguments.rates(), out);
      }
    } catch (LayoutRefusedException e) {
      err.println("plan: " + e.getMessage());
      return -1;
    } catch (IOException e) {
      err.println("plan: Cannot print the plan: " + e.getMessage());
      return -1;
    }
    if (out.checkError()) {
      err.println("plan: Cannot print the plan: the output was closed or is full");
      return -1;
    }
    return 0;
  }

  /** Says what a long plan is doing; a short one says nothing. */
  private static final class ProgressPrinter implements PlanProgress {
    private static final long INTERVAL_NANOS = 3_000_000_000L;

    private final PrintStream err;
    private long last = System.nanoTime();

    ProgressPrinter(PrintStream err) {
      this.err = err;
    }

    @Override
    public void at(String step, long done, long total) {
      long now = System.nanoTime();
      if (now - last >= INTERVAL_NANOS) {
        last = now;
        err.println("plan: " + step + (total > 1 ? " (" + done + " of " + total + ")" : ""));
      }
    }
  }
}
