/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs that nobody here wrote. One that is not installed is a failure of the test, with
 * the name of its Debian package.
 */
final class ForeignProgram {
  private static final Map<String, String> PACKAGES =
      Map.ofEntries(
          Map.entry("nbdinfo", "libnbd-bin"),
          Map.entry("nbdcopy", "libnbd-bin"),
          Map.entry("nbdfuse", "libnbd-bin"),
          Map.entry("qemu-img", "qemu-utils"),
          Map.entry("qemu-io", "qemu-utils"),
          Map.entry("fio", "fio"),
          Map.entry("mke2fs", "e2fsprogs"),
          Map.entry("e2fsck", "e2fsprogs"),
          Map.entry("debugfs", "e2fsprogs"),
          Map.entry("fuse2fs", "fuse2fs"),
          Map.entry("sqlite3", "sqlite3"));

  private static final int MAX_SECONDS = 300;

  /**
   * What came of a run.
   *
   * @param output of both streams
   */
  record Outcome(int code, String output) {}

  private final Path folder;

  /**
   * @param folder that output goes to, and programs run in: fio leaves files there
   */
  ForeignProgram(Path folder) {
    this.folder = folder;
  }

  /** Runs a program, which has to succeed; returns its output. */
  String run(String... command) throws Exception {
    Outcome outcome = attempt(command);
    assertThat(outcome.code()).as("%s%n%s", List.of(command), outcome.output()).isZero();
    return outcome.output();
  }

  /** Runs a program that may fail. */
  Outcome attempt(String... command) throws Exception {
    Path output = Files.createTempFile(folder, command[0], ".log");
    Process process;
    try {
      process = start(output, command);
    } catch (IOException e) {
      throw new AssertionError(
          "Cannot run "
              + command[0]
              + ": expected Debian package "
              + PACKAGES.get(command[0])
              + " to be installed",
          e);
    }
    if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(
          "Ran for more than "
              + MAX_SECONDS
              + " s: "
              + List.of(command)
              + Files.readString(output));
    }
    return new Outcome(process.exitValue(), Files.readString(output));
  }

  /** Programs of administrators are not on everybody's path. */
  private Process start(Path output, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
    builder.directory(folder.toFile());
    builder.environment().merge("PATH", ":/usr/sbin:/sbin", String::concat);
    Path administrators = Path.of("/usr/sbin", command[0]);
    if (Files.isExecutable(administrators)) {
      builder.command().set(0, administrators.toString());
    }
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }
}
