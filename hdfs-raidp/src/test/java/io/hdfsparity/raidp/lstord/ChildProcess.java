/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM with the test's class path, told what to do by its arguments and watched by its output. */
final class ChildProcess implements Closeable {
  private final Process process;
  private final BufferedReader output;

  private ChildProcess(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildProcess start(Class<?> main, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    return new ChildProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** Reads output up to a line that begins so. */
  String expect(String prefix) throws IOException {
    List<String> seen = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      seen.add(line);
      if (line.startsWith(prefix)) {
        return line;
      }
    }
    throw new AssertionError("Child ended before " + prefix + ": " + seen);
  }

  /** As kill -9. */
  void kill() {
    process.destroyForcibly();
  }

  /** Ends it politely. */
  int stop() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
