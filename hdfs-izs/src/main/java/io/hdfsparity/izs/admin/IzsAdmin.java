/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.izs.apply.MovePoints;
import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs izs}: administration of IZS codes, levels and the mapping of schemes. Exit codes as
 * those of dfsadmin: 0, or -1 for any error.
 */
public final class IzsAdmin extends Configured implements Tool {
  private final CommandLine commands;

  /** Prints to the process' own streams; {@code ToolRunner} sets the configuration. */
  public IzsAdmin() {
    this(new HdfsConfiguration(), System.out, System.err);
  }

  /**
   * @param conf HDFS configuration of the cluster
   */
  public IzsAdmin(Configuration conf, PrintStream out, PrintStream err) {
    this(conf, out, err, MovePoints.NONE);
  }

  /**
   * For tests that end the process at a point of a move.
   *
   * @param conf HDFS configuration of the cluster
   */
  public IzsAdmin(Configuration conf, PrintStream out, PrintStream err, MovePoints points) {
    super(conf);
    this.commands =
        new CommandLine(
            "hdfs izs",
            "commands that change something can be run by an HDFS superuser or the owner only.",
            ToolRunner::printGenericCommandUsage,
            out,
            err,
            commands(new Console(this::getConf, out, err), points));
  }

  /** Every command, in the order of the usage. */
  private static List<Command> commands(Console console, MovePoints points) {
    return List.of(
        new SetLevelCommand(console),
        new GetLevelCommand(console),
        new StatusCommand(console),
        new VerifyCommand(console),
        new ImportanceCommand(console),
        new AdviseCommand(console),
        new ApplyCommand(console, points),
        new MttdlCommand(console));
  }

  /**
   * @param args generic Hadoop options, then a command
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new IzsAdmin(), args));
  }

  @Override
  public int run(String[] args) {
    return commands.run(args);
  }
}
