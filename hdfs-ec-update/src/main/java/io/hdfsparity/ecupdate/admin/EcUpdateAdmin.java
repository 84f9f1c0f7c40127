/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.CommandLine;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs ecupdate}: changes bytes of closed erasure-coded files in place, and looks after
 * them. Exit codes as those of dfsadmin: 0, or -1 for any error.
 */
public final class EcUpdateAdmin extends Configured implements Tool {
  private final CommandLine commands;

  /** Uses the process' own streams; {@code ToolRunner} sets the configuration. */
  public EcUpdateAdmin() {
    this(new HdfsConfiguration(), System.in, System.out, System.err, Openers.HDFS);
  }

  /**
   * The same with other streams.
   *
   * @param conf HDFS configuration of the cluster
   */
  public EcUpdateAdmin(Configuration conf, InputStream in, PrintStream out, PrintStream err) {
    this(conf, in, out, err, Openers.HDFS);
  }

  /**
   * The same with other files.
   *
   * @param conf HDFS configuration of the cluster
   * @param in what {@code -write} reads where no file is named
   * @param opener of files
   */
  public EcUpdateAdmin(
      Configuration conf, InputStream in, PrintStream out, PrintStream err, UpdaterOpener opener) {
    super(conf);
    this.commands =
        new CommandLine(
            "hdfs ecupdate",
            "files can be changed by who may write them; -merge and -scheme -convert need an HDFS"
                + " superuser.",
            ToolRunner::printGenericCommandUsage,
            out,
            err,
            commands(new Console(this::getConf, out, err), in, opener));
  }

  /** Every command, in the order of the usage. */
  private static List<Command> commands(Console console, InputStream in, UpdaterOpener opener) {
    return List.of(
        new WriteCommand(console, in, opener),
        new ReadCommand(console, opener),
        new ReplayCommand(console, opener),
        new VerifyCommand(console, opener),
        new RecoverCommand(console, opener),
        new SchemeCommand(console),
        new StatusCommand(console),
        new MergeCommand(console),
        new CreateCommand(console),
        new NbdCommand(console));
  }

  /**
   * @param args generic Hadoop options, then a command
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new EcUpdateAdmin(), args));
  }

  @Override
  public int run(String[] args) {
    return commands.run(args);
  }
}
