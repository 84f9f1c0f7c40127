/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import java.util.List;

/**
 * One subcommand of {@code hdfs raidp}.
 *
 * @param name with its dash
 * @param usage arguments
 * @param help what it does
 * @param action what runs
 */
record Command(String name, String usage, String help, Action action) {
  /** Runs a subcommand with the arguments after its name. */
  @FunctionalInterface
  interface Action {
    /**
     * @return exit code: 0, or -1
     */
    int run(List<String> args) throws Exception;
  }

  /** Arguments that are wrong; the usage is printed. */
  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  String synopsis() {
    return (name + " " + usage).trim();
  }
}
