/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs that change the machine that this one runs on. */
final class HostCommand {
  private HostCommand() {}

  /**
   * Runs a program to its end.
   *
   * @param line program and arguments, separated by blanks: none has any
   * @throws IOException if it fails; with what it printed
   */
  static void run(String line) throws IOException {
    run(List.of(line.split(" ")));
  }

  /** The same for arguments with blanks. */
  static void run(List<String> words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IOException(
            ErrorMessage.to("run a program")
                .value("exitCode", exitCode)
                .expected("0")
                .where("command", String.join(" ", words))
                .where("output", printed)
                .message());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted at " + String.join(" ", words));
    }
  }
}
