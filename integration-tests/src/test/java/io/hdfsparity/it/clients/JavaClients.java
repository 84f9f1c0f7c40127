/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Starts {@link ClientProgram} in processes without a jar of the suite. */
final class JavaClients {
  /** Where the build puts the jars of the older client. */
  private static final Path OLDER = Path.of("target", "client-3.4");

  private static final String OURS = "io/hdfsparity/";

  private static final Set<Operation> ALL = EnumSet.allOf(Operation.class);

  private static final List<String> PROGRAMS =
      List.of("ClientProgram", "ClientProgram$Operations", "DistCpProgram");

  private final Path scratch;
  private final Path site;
  private final Path program;

  /**
   * @param scratch a folder of this object's own
   * @param site the folder of the site files that clients get
   */
  JavaClients(Path scratch, Path site) throws IOException {
    this.scratch = scratch;
    this.site = site;
    program = Files.createDirectories(scratch.resolve("program"));
    for (String each : PROGRAMS) {
      String name = JavaClients.class.getPackageName().replace('.', '/') + "/" + each + ".class";
      Path to = program.resolve(name);
      Files.createDirectories(to.getParent());
      URL compiled = JavaClients.class.getResource("/" + name);
      try (var in = compiled.openStream()) {
        Files.copy(in, to);
      }
    }
  }

  /**
   * Writes what a cluster was started with, but none of Hadoop's defaults, for all clients: the
   * site file that an administrator copies from a server.
   */
  static void writeSite(Configuration cluster, Path folder) throws IOException {
    Configuration site = new Configuration(false);
    for (Map.Entry<String, String> each : cluster) {
      String[] sources = cluster.getPropertySources(each.getKey());
      if (sources != null && sources[sources.length - 1].equals("programmatically")) {
        site.set(each.getKey(), each.getValue());
      }
    }
    Files.createDirectories(folder);
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
        site.writeXml(out);
      }
    }
  }

  Client shell() throws IOException {
    return start("hdfs dfs of Hadoop 3.5.0, without our jar", ALL, "shell", stock());
  }

  Client distCp() throws IOException {
    return start(
        "DistCp of Hadoop 3.5.0, without our jar",
        EnumSet.of(Operation.READ, Operation.WRITE, Operation.APPEND),
        "distcp",
        stock());
  }

  /** The older client, with the site file that this object was made with. */
  Client older(String title) throws IOException {
    try (Stream<Path> jars = Files.list(OLDER)) {
      List<String> paths = jars.map(jar -> jar.toAbsolutePath().toString()).sorted().toList();
      return start(title, ALL, "api", paths);
    }
  }

  /** The jars that tests run with, but ours. */
  static List<String> stock() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String each : classPath()) {
      if (each.endsWith(".jar")) {
        try (JarFile jar = new JarFile(each)) {
          if (jar.stream().noneMatch(entry -> entry.getName().startsWith(OURS))) {
            jars.add(each);
          }
        }
      }
    }
    return jars;
  }

  /** What tests run with of the suite, and what else it brings. */
  static List<String> ours() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String each : classPath()) {
      String path = each.replace(java.io.File.separatorChar, '/');
      boolean isOurs =
          path.endsWith("/target/classes") || path.matches(".*/(hdfs|parity)-[^/]*SNAPSHOT.jar");
      if (isOurs
          || path.matches(".*/(jna|jgrapht-core|HdrHistogram|jspecify|jheaps|apfloat)-[^/]*.jar")) {
        entries.add(each);
      }
    }
    return entries;
  }

  private static List<String> classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    String all = surefire == null ? System.getProperty("java.class.path") : surefire;
    return Arrays.asList(all.split(System.getProperty("path.separator")));
  }

  private Client start(String title, Set<Operation> operations, String mode, List<String> jars)
      throws IOException {
    List<String> classPath = new ArrayList<>(List.of(site.toString(), program.toString()));
    classPath.addAll(jars);
    List<String> command =
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            String.join(System.getProperty("path.separator"), classPath),
            (mode.equals("distcp") ? DistCpProgram.class : ClientProgram.class).getName(),
            mode);
    return new LineClient(
        title, /* takesOurJar= */ true, operations, command, scratch.resolve(mode + ".err"));
  }
}
