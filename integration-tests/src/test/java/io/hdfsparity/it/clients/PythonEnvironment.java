/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        "clients-python",
        ClientTools.resource("requirements.txt", scratch),
        List.of("--only-binary=:all:"));
  }

  /** The interpreter of an environment with PySpark, which comes as sources and jars. */
  static Path pySpark(Path scratch) throws IOException, InterruptedException {
    return python(
        "clients-pyspark", ClientTools.resource("requirements-pyspark.txt", scratch), List.of());
  }

  private static Path python(String name, Path requirements, List<String> options)
      throws IOException, InterruptedException {
    Path folder = Path.of("target", name);
    Path python = folder.resolve("bin").resolve("python").toAbsolutePath();
    Path stamp = folder.resolve("installed.txt");
    if (Files.exists(stamp) && Files.mismatch(stamp, requirements) == -1) {
      return python;
    }
    Path here = Path.of("").toAbsolutePath();
    ClientTools.run(
        here,
        "Debian: apt-get install python3-venv",
        List.of("python3", "-m", "venv", "--clear", folder.toString()));
    List<String> install =
        new ArrayList<>(List.of(python.toString(), "-m", "pip", "install", "--quiet"));
    install.addAll(List.of("--disable-pip-version-check", "--require-hashes", "--no-deps"));
    install.addAll(options);
    install.addAll(List.of("-r", requirements.toString()));
    ClientTools.run(
        here, "packages come from PyPI, or from the index that PIP_INDEX_URL names", install);
    Files.copy(requirements, stamp);
    return python;
  }
}
