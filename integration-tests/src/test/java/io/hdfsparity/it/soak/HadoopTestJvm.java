/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * A JVM that runs tests of Hadoop under a configuration, with directories of its own: two of them
 * can run at a time. What it prints and logs stays in {@code out} and {@code log} of its directory.
 */
final class HadoopTestJvm {
  private static final String LOG =
      """
      log4j.rootLogger=INFO, file
      log4j.appender.file=org.apache.log4j.FileAppender
      log4j.appender.file.File=%s
      log4j.appender.file.layout=org.apache.log4j.PatternLayout
      log4j.appender.file.layout.ConversionPattern=%%d{ISO8601} [%%t] %%-5p %%c{1}:%%L - %%m%%n
      """;

  private final Path work;
  private final Process process;

  private HadoopTestJvm(Path work, Process process) {
    this.work = work;
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param work directory, emptied before
   * @param what name of a class, or unique id of a test
   */
  static HadoopTestJvm start(Path work, Configuration site, String what) throws IOException {
    FileUtils.deleteDirectory(work.toFile());
    Path conf = Files.createDirectories(work.resolve("conf"));
    for (String file : new String[] {"hdfs-site.xml", "core-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
    Files.writeString(conf.resolve("log4j.properties"), LOG.formatted(work.resolve("log")));
    Path data = Files.createDirectories(work.resolve("data"));
    List<String> command =
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx2g",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + Files.createDirectories(data.resolve("java")),
            "-Dtest.build.data=" + data.resolve("data"),
            "-Dtest.build.dir=" + data.resolve("build"),
            "-Dhadoop.tmp.dir=" + data.resolve("tmp"),
            "-cp",
            conf + java.io.File.pathSeparator + classPath(),
            HadoopTestRunner.class.getName(),
            what,
            work.resolve("outcomes").toString());
    Process process =
        new ProcessBuilder(command)
            .directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("out").toFile())
            .start();
    return new HadoopTestJvm(work, process);
  }

  /** Waits for its end, or ends it. The outcomes by test, of those that ended. */
  SortedMap<String, HadoopTestOutcome> outcomes(Instant deadline)
      throws IOException, InterruptedException {
    try {
      Duration left = Duration.between(Instant.now(), deadline);
      if (!process.waitFor(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
        System.out.println("Ended, for its time was over: " + work);
      }
    } finally {
      process.destroyForcibly().waitFor();
      FileUtils.deleteDirectory(work.resolve("data").toFile());
    }
    SortedMap<String, HadoopTestOutcome> outcomes = new TreeMap<>();
    Path file = work.resolve("outcomes");
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        HadoopTestOutcome outcome = HadoopTestOutcome.ofLine(line);
        outcomes.put(outcome.test(), outcome);
      }
    }
    return outcomes;
  }

  /** The versions that Hadoop's tests are built against, Mockito's and the like, come first. */
  private static String classPath() throws IOException {
    String surefire = System.getProperty("surefire.test.class.path");
    String tests = surefire == null ? System.getProperty("java.class.path") : surefire;
    List<String> all = new ArrayList<>();
    try (Stream<Path> jars = Files.list(Path.of("target", "soak-lib"))) {
      jars.sorted().forEach(jar -> all.add(jar.toAbsolutePath().toString()));
    }
    all.addAll(Arrays.asList(tests.split(java.io.File.pathSeparator)));
    return String.join(java.io.File.pathSeparator, all);
  }
}
