/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server of Hadoop 3.4 that stands between clients and the cluster, without the suite's jars. */
final class GatewayProcess implements AutoCloseable {
  /** Where the build puts its jars. */
  private static final Path JARS = Path.of("..", "foreign", "gateways", "target", "jars");

  private static final String LOGGING =
      """
      log4j.rootLogger=WARN, err
      log4j.logger.org.apache.hadoop.hdfs.nfs=INFO
      log4j.appender.err=org.apache.log4j.ConsoleAppender
      log4j.appender.err.target=System.err
      log4j.appender.err.layout=org.apache.log4j.PatternLayout
      log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} [%t] %m%n
      """;

  private final String name;
  private final Path out;
  private final Process process;

  /**
   * @param options of the Java machine
   * @param what comes first on the class path, folders of site files and more; the first is its own
   * @param out file for what it prints
   */
  GatewayProcess(String name, List<String> options, List<Path> folders, String mainClass, Path out)
      throws IOException {
    this(name, options, folders, List.of(mainClass), out);
  }

  /**
   * As above.
   *
   * @param program main class and operands
   */
  GatewayProcess(
      String name, List<String> options, List<Path> folders, List<String> program, Path out)
      throws IOException {
    this.name = name;
    this.out = out;
    Files.writeString(folders.get(0).resolve("log4j.properties"), LOGGING);
    List<String> classPath = new ArrayList<>();
    folders.forEach(folder -> classPath.add(folder.toString()));
    try (Stream<Path> jars = Files.list(JARS)) {
      jars.map(jar -> jar.toAbsolutePath().toString()).sorted().forEach(classPath::add);
    }
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // JAXB of its Jersey defines classes.
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.addAll(options);
    command.addAll(List.of("-cp", String.join(System.getProperty("path.separator"), classPath)));
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().keySet().removeIf(variable -> variable.startsWith("HADOOP_"));
    process = builder.start();
    process.getOutputStream().close();
  }

  /** Fails with what it has printed if it has ended. */
  void requireAlive() throws IOException {
    assertThat(process.isAlive()).as("%s: %s", name, Files.readString(out)).isTrue();
  }

  /** Waits until it has done what it was started for. */
  void awaitDone() throws IOException, InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", name).isTrue();
    assertThat(process.exitValue()).as("%s: %s", name, Files.readString(out)).isZero();
  }

  /** Waits until it takes connections. */
  void awaitPort(int port) {
    await(name + " serves")
        .until(
            () -> {
              requireAlive();
              try (Socket socket = new Socket("127.0.0.1", port)) {
                return socket.isConnected();
              } catch (IOException e) {
                return false;
              }
            });
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
  }
}
