/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's own examples of MapReduce, each in a process without a class of the suite, with
 * MapReduce's defaults: all tasks run in that process, one after the other, and none is tried
 * again. For one thread.
 */
final class TeraPrograms {
  private static final String PACKAGE = "org.apache.hadoop.examples.terasort.";

  private final Path folder;
  private final Path site;

  /** Is told each line that a program logs. */
  @FunctionalInterface
  interface Listener {
    void line(String line) throws Exception;
  }

  /**
   * @param folder of its own
   * @param cluster a client's configuration
   */
  TeraPrograms(Path folder, Configuration cluster) throws IOException {
    this.folder = folder;
    site = folder.resolve("site");
    JavaClients.writeSite(cluster, site);
    Files.writeString(
        site.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO, out
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} %m%n
        """);
  }

  /** Runs a program, which ends with 0. */
  void run(String program, String... args) throws Exception {
    run(line -> {}, program, args);
  }

  /** The same, with someone who is told what the program logs while it goes on. */
  void run(Listener listener, String program, String... args) throws Exception {
    List<String> classPath = new ArrayList<>(List.of(site.toString()));
    classPath.addAll(JavaClients.stock());
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(System.getProperty("path.separator"), classPath),
                PACKAGE + program));
    command.addAll(List.of(args));
    // They leave files in it.
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_"));
    Process process = builder.start();
    List<String> said = new ArrayList<>();
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        said.add(line);
        listener.line(line);
      }
      assertThat(process.waitFor())
          .as("%s %s: %s", program, Arrays.toString(args), String.join("\n", said))
          .isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
