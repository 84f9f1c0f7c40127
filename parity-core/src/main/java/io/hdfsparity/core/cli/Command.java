/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import java.util.List;

/** One command of a program such as {@code hdfs raidp} or {@code hdfs izs}. */
public interface Command {
  /** Its name, with its dash if usage is to show it so: it may be called with and without. */
  String name();

  /** Its arguments, on one line. */
  String usage();

  /** What it does; may have several lines. */
  String help();

  /**
   * Runs it.
   *
   * @param args what follows its name
   * @return exit code: 0, -1, or another one that the command's help names
   * @throws UsageException when the arguments are wrong
   * @throws Exception for anything else; the first line of its message is what the user sees
   */
  int run(List<String> args) throws Exception;

  /** Name and arguments. */
  default String synopsis() {
    return (name() + " " + usage()).trim();
  }

  /** What {@link #of} runs. */
  @FunctionalInterface
  interface Action {
    /**
     * @return exit code: 0, or -1
     */
    int run(List<String> args) throws Exception;
  }

  /** A command of a method that runs it. */
  static Command of(String name, String usage, String help, Action action) {
    return new MethodCommand(name, usage, help, action);
  }

  /** See {@link #of}. */
  record MethodCommand(String name, String usage, String help, Action action) implements Command {
    @Override
    public int run(List<String> args) throws Exception {
      return action.run(args);
    }
  }
}
