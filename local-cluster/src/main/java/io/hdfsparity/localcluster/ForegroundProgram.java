/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Runs programs to their end, one line of output after the other. */
public final class ForegroundProgram {
  private static final int LAST_LINES = 12;

  private ForegroundProgram() {}

  /**
   * Runs a program and waits for its end.
   *
   * @param what for messages, as "the job teragen"
   * @param builder its output and its errors are read together
   * @param lines gets each line that it prints, as it comes; a carriage return ends one too
   * @throws IOException when it cannot be started, or fails; with the last lines that it has
   *     printed
   */
  public static void run(String what, ProcessBuilder builder, Consumer<String> lines)
      throws IOException, InterruptedException {
    Process process = builder.redirectErrorStream(true).start();
    Deque<String> last = new ArrayDeque<>();
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(line);
        last.add(line);
        if (last.size() > LAST_LINES) {
          last.remove();
        }
      }
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IOException(
            "Cannot run "
                + what
                + ": exit code "
                + exitCode
                + ", expected 0; its last lines:\n  "
                + String.join("\n  ", last));
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
