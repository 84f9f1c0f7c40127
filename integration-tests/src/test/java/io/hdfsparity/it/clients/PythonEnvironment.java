/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A virtual environment with the packages of {@code clients/requirements.txt}, kept below {@code
 * target} until they change. It is never skipped: without Python the test fails.
 */
final class PythonEnvironment {
  private static final Path FOLDER = Path.of("target", "clients-python");

  private PythonEnvironment() {}

  /** Its interpreter. */
  static Path python(Path requirements) throws IOException, InterruptedException {
    Path python = FOLDER.resolve("bin").resolve("python").toAbsolutePath();
    Path stamp = FOLDER.resolve("installed.txt");
    if (Files.exists(stamp) && Files.mismatch(stamp, requirements) == -1) {
      return python;
    }
    run("Debian: apt-get install python3-venv", "python3", "-m", "venv", "--clear", FOLDER + "");
    run(
        "packages come from PyPI, or from the index that PIP_INDEX_URL names",
        python.toString(),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--quiet",
        "--require-hashes",
        "--no-deps",
        "--only-binary=:all:",
        "-r",
        requirements.toString());
    Files.copy(requirements, stamp);
    return python;
  }

  private static void run(String remedy, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("Cannot prepare hdfs-native: command=%s; %s\n%s", List.of(command), remedy, said)
        .isZero();
  }
}
