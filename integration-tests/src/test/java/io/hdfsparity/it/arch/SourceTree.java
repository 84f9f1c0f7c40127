/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The project's sources. Never looks below a module's {@code target}, where other tests make and
 * delete files. Stateless.
 */
final class SourceTree {
  private SourceTree() {}

  static List<Path> moduleDirectories() throws IOException {
    Path root =
        Objects.requireNonNull(
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent());
    try (Stream<Path> children = Files.list(root)) {
      return children.filter(child -> Files.isRegularFile(child.resolve("pom.xml"))).toList();
    }
  }

  static Path moduleDirectory(String name) throws IOException {
    return moduleDirectories().stream()
        .filter(path -> path.endsWith(name))
        .findFirst()
        .orElseThrow();
  }

  /** Java files of a module in packages of Hadoop. */
  static List<Path> hadoopSourcesIn(Path module) {
    return Stream.of(
            "src/main/java",
            "src/main/java-hadoop-3.4",
            "src/main/java-hadoop-3.5",
            "src/test/java")
        .map(sources -> module.resolve(sources).resolve("org/apache/hadoop"))
        .flatMap(SourceTree::javaFiles)
        .toList();
  }

  /** Java files below a directory; none where there is no directory. */
  static Stream<Path> javaFiles(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Stream.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
