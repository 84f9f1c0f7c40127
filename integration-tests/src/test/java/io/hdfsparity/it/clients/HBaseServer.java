/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * HBase without a jar of the suite: a process with ZooKeeper, master and region server, whose root
 * is in HDFS, and processes of {@code HBaseProgram}. For one thread.
 */
final class HBaseServer implements AutoCloseable {
  private static final Path JARS = Path.of("..", "foreign", "hbase", "target", "jars");

  private static final int ERROR_LINES = 60;
  private static final Pattern ERROR =
      Pattern.compile(" (ERROR|FATAL) |ABORT|^Caused by|RemoteException|^Exception in thread");

  private final Path folder;
  private final Path conf;
  private final Path program;
  private Process server;
  private int starts;

  /**
   * @param folder of its own
   * @param cluster what the servers of HDFS run with
   * @param root its directory in HDFS
   */
  HBaseServer(Path folder, Configuration cluster, String root) throws IOException {
    this.folder = folder;
    conf = Files.createDirectories(folder.resolve("conf"));
    JavaClients.writeSite(cluster, conf);
    Configuration keys = new Configuration(false);
    keys.set("hbase.rootdir", cluster.get("fs.defaultFS") + root);
    keys.set("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    keys.set("hbase.tmp.dir", folder.resolve("tmp").toString());
    keys.set("hbase.zookeeper.quorum", "127.0.0.1");
    keys.setInt("hbase.zookeeper.property.clientPort", FreePorts.next());
    keys.setInt("hbase.master.port", FreePorts.next());
    keys.setInt("hbase.regionserver.port", FreePorts.next());
    keys.setInt("hbase.master.info.port", -1);
    keys.setInt("hbase.regionserver.info.port", -1);
    keys.set("hbase.master.hostname", "localhost");
    keys.set("hbase.regionserver.hostname", "localhost");
    // Small, so that there are compactions.
    keys.setInt("hbase.hstore.compactionThreshold", 3);
    try (OutputStream out = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      keys.writeXml(out);
    }
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO, err
        log4j.appender.err=org.apache.log4j.ConsoleAppender
        log4j.appender.err.target=System.err
        log4j.appender.err.layout=org.apache.log4j.PatternLayout
        log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} [%t] %m%n
        """);
    program = ClientTools.resource("HBaseProgram.java", folder);
  }

  private Process java(String name, String... args) throws IOException {
    List<String> classPath = new ArrayList<>(List.of(conf.toString()));
    try (Stream<Path> jars = Files.list(JARS)) {
      jars.map(jar -> jar.toAbsolutePath().toString()).sorted().forEach(classPath::add);
    }
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-Xmx640m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // As bin/hbase does for Java 11 and later.
    for (String opened :
        List.of(
            "java.lang", "java.lang.reflect", "java.nio", "java.util", "java.util.concurrent")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    for (String opened : List.of("sun.nio.ch", "jdk.internal.misc", "java.io", "java.net")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    command.addAll(List.of("-cp", String.join(System.getProperty("path.separator"), classPath)));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".err").toFile()));
    builder.environment().keySet().removeIf(variable -> variable.startsWith("HADOOP_"));
    return builder.start();
  }

  void start() throws IOException {
    starts++;
    server = java("server", "org.apache.hadoop.hbase.master.HMaster", "start");
    server.getOutputStream().close();
  }

  /** As kill -9. */
  void kill() throws InterruptedException {
    assertThat(server.isAlive()).as("HBase has ended by itself, see %s", folder).isTrue();
    server.destroyForcibly().waitFor();
  }

  /** Why its processes have ended, as they say. */
  String errors() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String name : List.of("load", "server")) {
      Path file = folder.resolve(name + ".err");
      List<String> lines =
          Files.exists(file)
              ? Files.readAllLines(file).stream()
                  .filter(line -> ERROR.matcher(line).find() && !line.contains("ZooKeeper"))
                  .toList()
              : List.of();
      all.append(name).append(".err:\n");
      lines.stream().limit(ERROR_LINES).forEach(line -> all.append(line).append('\n'));
    }
    return all.toString();
  }

  int starts() {
    return starts;
  }

  /** Starts a program that puts and deletes until it is killed. */
  Process load(long first) throws IOException {
    return java("load", program.toString(), "load", Long.toString(first));
  }

  /** Lines of all rows that there are. */
  List<String> scan() throws IOException, InterruptedException {
    Process scan = java("scan", program.toString(), "scan");
    List<String> lines = new ArrayList<>();
    try (BufferedReader in = scan.inputReader()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("::")) {
          lines.add(line.substring(2));
        }
      }
    }
    assertThat(scan.waitFor()).as("%s", folder).isZero();
    assertThat(lines).last().isEqualTo("end");
    return lines.subList(0, lines.size() - 1);
  }

  @Override
  public void close() throws InterruptedException {
    if (server != null) {
      server.destroyForcibly().waitFor();
    }
  }
}
