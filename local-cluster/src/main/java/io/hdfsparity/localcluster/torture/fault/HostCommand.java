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
    ProcessBuilder builder =
        new ProcessBuilder(line.split(" ")).redirectInput(new File("/dev/null"));
    try {
      ForegroundProgram.run(what, builder, printed -> {});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted at " + what);
    }
  }
}
