/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Virtual environments with packages from PyPI, pinned by their hashes, kept below {@code target}
 * until they change. They are never skipped: without Python a test fails.
 */
final class PythonEnvironment {
  private PythonEnvironment() {}

  /** The interpreter of an environment with hdfs-native, which comes as a wheel. */
  static Path hdfsNative(Path scratch) throws IOException, InterruptedException {
    return python(
        "clients-python", resource("requirements.txt", scratch), List.of("--only-binary=:all:"));
  }

  /** The interpreter of an environment with PySpark, which comes as sources and jars. */
  static Path pySpark(Path scratch) throws IOException, InterruptedException {
    return python("clients-pyspark", resource("requirements-pyspark.txt", scratch), List.of());
  }

  /** A copy of a file of the tests' resources. */
  static Path resource(String name, Path folder) throws IOException {
    try (InputStream in = PythonEnvironment.class.getResourceAsStream("/clients/" + name)) {
      Path copy = folder.resolve(name);
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      return copy;
    }
  }

  private static Path python(String name, Path requirements, List<String> options)
      throws IOException, InterruptedException {
    Path folder = Path.of("target", name);
    Path python = folder.resolve("bin").resolve("python").toAbsolutePath();
    Path stamp = folder.resolve("installed.txt");
    if (Files.exists(stamp) && Files.mismatch(stamp, requirements) == -1) {
      return python;
    }
    run("Debian: apt-get install python3-venv", "python3", "-m", "venv", "--clear", folder + "");
    List<String> install =
        new ArrayList<>(List.of(python.toString(), "-m", "pip", "install", "--quiet"));
    install.addAll(List.of("--disable-pip-version-check", "--require-hashes", "--no-deps"));
    install.addAll(options);
    install.addAll(List.of("-r", requirements.toString()));
    run(
        "packages come from PyPI, or from the index that PIP_INDEX_URL names",
        install.toArray(new String[0]));
    Files.copy(requirements, stamp);
    return python;
  }

  private static void run(String remedy, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("Cannot prepare a Python client: command=%s; %s\n%s", List.of(command), remedy, said)
        .isZero();
  }
}
