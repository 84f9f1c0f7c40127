/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.CommandLine;
import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs caso}: analysis of how data are used, and files whose stripes are organized by what
 * is updated together. Exit codes as those of dfsadmin: 0, or -1 for any error.
 */
public final class CasoAdmin extends Configured implements Tool {
  private final CommandLine commands;

  /** Prints to the process' own streams; {@code ToolRunner} sets the configuration. */
  public CasoAdmin() {
    this(new Configuration(), System.out, System.err);
  }

  /**
   * @param conf with the keys of docs/reference/caso.md
   */
  public CasoAdmin(Configuration conf, PrintStream out, PrintStream err) {
    this(conf, out, err, RewritePoints.NONE);
  }

  /**
   * As above.
   *
   * @param points notified where a run is that changes the order of a file
   */
  public CasoAdmin(Configuration conf, PrintStream out, PrintStream err, RewritePoints points) {
    super(conf);
    this.commands =
        new CommandLine(
            "hdfs caso",
            "only -organize, -reorganize, -restore, -rewrite and -repair change something on a"
                + " cluster.",
            ToolRunner::printGenericCommandUsage,
            out,
            err,
            commands(new Console(this::getConf, out, err), points));
  }

  /** Every command, in the order of the usage. */
  private static List<Command> commands(Console console, RewritePoints points) {
    return List.of(
        new CompareCommand(console),
        new AnalyzeCommand(console),
        new ShowCommand(console),
        new OrganizeCommand(console, points),
        new ReorganizeCommand(console, points),
        new RestoreCommand(console, points),
        new RewriteCommand(console, points),
        new RepairCommand(console),
        new GenerateCommand(console));
  }

  /**
   * @param args generic Hadoop options, then a command
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new CasoAdmin(), args));
  }

  @Override
  public int run(String[] args) {
    // Commands read stored cells as such, by whatever file system is configured.
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return commands.run(args);
    }
  }
}
