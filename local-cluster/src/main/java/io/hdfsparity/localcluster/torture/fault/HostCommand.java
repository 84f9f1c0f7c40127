/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.ForegroundProgram;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Programs of the machine that this one runs on. */
final class HostCommand {
  private HostCommand() {}

  /**
   * Runs a program to its end.
   *
   * @param line program and arguments, separated by blanks: none has any
   * @throws IOException if it fails; with the last lines that it has printed
   */
  static void run(String line) throws IOException {
    run(line, line);
  }

  /**
   * As {@link #run(String)}.
   *
   * @param what for messages, instead of the line
   */
  static void run(String what, String line) throws IOException {
    run(what, line, printed -> {});
  }

  /** As {@link #run(String)}, and gives the lines that it has printed, without empty ones. */
  static List<String> lines(String line) throws IOException {
    List<String> lines = new ArrayList<>();
    run(
        line,
        line,
        printed -> {
          if (!printed.isBlank()) {
            lines.add(printed);
          }
        });
    return lines;
  }

  private static void run(String what, String line, Consumer<String> printed) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(line.split(" ")).redirectInput(new File("/dev/null"));
    try {
      ForegroundProgram.run(what, builder, printed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted at " + what);
    }
  }
}
