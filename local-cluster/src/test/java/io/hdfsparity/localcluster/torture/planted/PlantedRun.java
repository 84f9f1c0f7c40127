/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import io.hdfsparity.localcluster.torture.TortureCommand;
import io.hdfsparity.localcluster.torture.fault.NodeHosts;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;

/** A run of torture in a process of its own, with a bug in it and in all daemons, or without. */
final class PlantedRun {
  private static final String PACKAGE = "io/hdfsparity/localcluster/torture/planted";

  /** Runs the arguments in namespaces of their own, as {@code bin/hdfs-parity} does. Root. */
  private static final List<String> IN_NAMESPACES =
      List.of(
          "unshare",
          "--net",
          "--mount",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount-proc",
          "bash",
          "-c",
          "ip link set lo up && exec \"$@\"",
          "torture");

  private final Path work;

  /**
   * Runs keep everything below a folder.
   *
   * @param work an absolute path
   */
  PlantedRun(Path work) {
    this.work = work;
  }

  /**
   * Runs to the end. What it prints is in {@code NAME.log}, its history and report in a folder of
   * that name.
   *
   * @return the exit code of torture
   */
  int run(String name, String line, Optional<PlantedBug> bug)
      throws IOException, InterruptedException {
    return runWith(
        name,
        line,
        bug.isEmpty()
            ? Optional.empty()
            : Optional.of(agent(PlantedAgent.class) + "=" + bug.get().label()));
  }

  /** As {@link #run}, with {@link Delays} in place of a bug. */
  int runDelayed(String name, String line) throws IOException, InterruptedException {
    return runWith(name, line, Optional.of(agent(DelayAgent.class)));
  }

  private String agent(Class<?> agent) throws IOException {
    return "-javaagent:" + jar(agent);
  }

  private int runWith(String name, String line, Optional<String> agent)
      throws IOException, InterruptedException {
    Path out = work.resolve(name);
    List<String> command = new ArrayList<>();
    boolean needsNamespaces =
        NodeHosts.IN_NAMESPACES.stream().map(FaultKind::label).anyMatch(line::contains);
    if (needsNamespaces) {
      command.addAll(IN_NAMESPACES);
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx768m");
    command.add("-Dhdfsparity.cache=" + work.resolve("cache"));
    command.add("-Dhdfsparity.own.namespaces=" + needsNamespaces);
    if (agent.isPresent()) {
      command.add(agent.get());
      command.add("-Ddfs.parity.cluster.jvm.options=" + agent.get());
    }
    command.add(TortureCommand.class.getName());
    command.addAll(List.of(line.split(" ")));
    command.addAll(List.of("--out", out.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder
        .redirectErrorStream(true)
        .redirectOutput(Files.createDirectories(work).resolve(name + ".log").toFile());
    return builder.start().waitFor();
  }

  /** An agent, which finds Byte Buddy where this JVM has it. */
  private Path jar(Class<?> agent) throws IOException {
    Path jar = work.resolve(agent.getSimpleName() + ".jar");
    if (Files.exists(jar)) {
      return jar;
    }
    Files.createDirectories(work);
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", agent.getName());
    attributes.put(Attributes.Name.CLASS_PATH, place(ByteBuddy.class).toUri().toString());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> classes = Files.list(place(agent).resolve(PACKAGE))) {
      for (Path each : classes.sorted().toList()) {
        out.putNextEntry(new JarEntry(PACKAGE + "/" + each.getFileName()));
        Files.copy(each, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  private static Path place(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }
}
