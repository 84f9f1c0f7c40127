/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.doctor.Doctor;
import io.hdfsparity.core.cli.CommandLine;
import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs parity}: how the suite is on a whole cluster. Exit codes: 0; {@link #PROBLEMS};
 * {@link #MISUSED}; -1 for any error.
 */
public final class ParityAdmin extends Configured implements Tool {
  /** Exit code: problems were found. */
  public static final int PROBLEMS = 1;

  /** Exit code: the arguments are wrong. */
  public static final int MISUSED = 2;

  private final CommandLine commands;

  /** Prints to the process' own streams; {@code ToolRunner} sets the configuration. */
  public ParityAdmin() {
    this(new HdfsConfiguration(), System.out, System.err);
  }

  /**
   * @param conf HDFS configuration of the cluster
   */
  public ParityAdmin(Configuration conf, PrintStream out, PrintStream err) {
    super(conf);
    Console console = new Console(this::getConf, out, err);
    commands =
        new CommandLine(
            "hdfs parity",
            "only an HDFS superuser or an administrator (dfs.cluster.administrators) gets answers.",
            ToolRunner::printGenericCommandUsage,
            out,
            err,
            List.of(new StatusCommand(console), new DoctorCommand(console, Doctor.ofClassPath())),
            MISUSED);
  }

  /**
   * @param args generic Hadoop options, then a command
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new ParityAdmin(), args));
  }

  @Override
  public int run(String[] args) {
    return commands.run(args);
  }
}
