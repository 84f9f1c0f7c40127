/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unpacks the tarball as an operator does, and runs commands on the unpacked jars and Hadoop's own
 * alone.
 */
class TarballTest {
  private static final List<String> OURS =
      List.of(
          "parity-core",
          "hdfs-bridge",
          "hdfs-raidp",
          "hdfs-izs",
          "hdfs-ec-update",
          "hdfs-caso",
          "jna",
          "HdrHistogram",
          "jgrapht-core",
          "jheaps",
          "apfloat");

  @TempDir Path home;

  private record Ran(int exitCode, String output) {}

  private Ran run(List<String> command) throws Exception {
    Path output = home.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("in time: " + command).isTrue();
    return new Ran(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }

  @BeforeEach
  void unpack() throws Exception {
    String tarball = System.getProperty("dist.tarball");
    assertThat(run(List.of("tar", "-xzf", tarball, "-C", home.toString())).exitCode()).isZero();
  }

  private Path lib() {
    return home.resolve("share/hadoop/hdfs/lib");
  }

  private List<Path> jars() throws Exception {
    try (Stream<Path> files = Files.list(lib())) {
      return files.sorted().toList();
    }
  }

  private static boolean isOurs(String fileName) {
    return OURS.stream().anyMatch(name -> fileName.matches(name + "-[0-9].*"));
  }

  /** The unpacked jars, and of this test's class path only what Hadoop brings. */
  private String classPath() throws Exception {
    List<String> path = new ArrayList<>();
    jars().forEach(jar -> path.add(jar.toString()));
    Arrays.stream(System.getProperty("surefire.test.class.path", "").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !isOurs(Path.of(entry).getFileName().toString()))
        .forEach(path::add);
    return path.stream().collect(Collectors.joining(File.pathSeparator));
  }

  private Ran java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(classPath());
    command.addAll(List.of(arguments));
    return run(command);
  }

  @Test
  void holdsOurJarsAndWhatHadoopLacksAndNothingOfHadoops() throws Exception {
    List<String> names = jars().stream().map(jar -> jar.getFileName().toString()).toList();
    assertThat(names).hasSize(OURS.size()).allMatch(TarballTest::isOurs);
    for (String file :
        List.of(
            "etc/hadoop/shellprofile.d/hdfs-parity.sh",
            "share/doc/hdfs-parity/conf/core-site-client.xml",
            "share/doc/hdfs-parity/conf/hdfs-site-raidp.xml",
            "share/doc/hdfs-parity/conf/hdfs-site-ecupdate.xml",
            "share/doc/hdfs-parity/conf/hdfs-site-caso.xml",
            "share/doc/hdfs-parity/conf/hdfs-site-all.xml",
            "share/doc/hdfs-parity/conf/parity-default.xml",
            "share/doc/hdfs-parity/conf/user_ec_policies.xml",
            "share/doc/hdfs-parity/docs/concepts/raidp.md",
            "share/doc/hdfs-parity/LICENSE",
            "share/doc/hdfs-parity/NOTICE")) {
      assertThat(home.resolve(file)).isRegularFile();
    }
    assertThat(home.resolve("LICENSE.txt")).doesNotExist();
    assertThat(home.resolve("etc/hadoop/hdfs-site.xml")).doesNotExist();
  }

  @Test
  void theCommandRuns() throws Exception {
    Ran help = java("io.hdfsparity.raidp.admin.RaidpAdmin", "-help");
    assertThat(help.exitCode()).as(help.output()).isZero();
    assertThat(help.output()).contains("-recover", "-lstor [-rebuild DISK]");
    Ran plan = java("io.hdfsparity.raidp.admin.RaidpAdmin", "-plan", "-nodes", "6", "-disks", "2");
    assertThat(plan.exitCode()).as(plan.output()).isZero();
    assertThat(plan.output()).contains("Fully redundant again");
    String trace = home.resolve("trace.csv").toString();
    Ran generated = java("io.hdfsparity.caso.admin.CasoAdmin", "-generate", "wdev_1", trace);
    assertThat(generated.exitCode()).as(generated.output()).isZero();
    Ran compared =
        java("io.hdfsparity.caso.admin.CasoAdmin", "-compare", trace, "-k", "4", "-m", "2");
    assertThat(compared.exitCode()).as(compared.output()).isZero();
    assertThat(compared.output()).contains("authors-code");
    Ran update = java("io.hdfsparity.ecupdate.admin.EcUpdateAdmin", "-help", "replay");
    assertThat(update.exitCode()).as(update.output()).isZero();
    assertThat(update.output()).contains("-replay <trace> <path>", "OVERWRITES THE FILE");
    Ran refused =
        java("io.hdfsparity.ecupdate.admin.EcUpdateAdmin", "-verify", "file:///etc/hostname");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(255);
    assertThat(refused.output()).contains("expected HDFS");
  }

  /** Hadoop's shell in a few lines: it defines functions, reads the profile, calls ours. */
  @Test
  void theShellProfileNamesClassesOfTheJars() throws Exception {
    Path profile = home.resolve("etc/hadoop/shellprofile.d/hdfs-parity.sh");
    for (String subcommand : List.of("parity", "raidp", "izs", "caso", "ecupdate", "lstor")) {
      Ran named =
          run(
              List.of(
                  "bash",
                  "-c",
                  "HADOOP_SHELL_EXECNAME=hdfs; hadoop_add_subcommand() { :; }; . '"
                      + profile
                      + "'; hdfs_subcommand_"
                      + subcommand
                      + "; echo $HADOOP_CLASSNAME"));
      assertLoads(named.output().trim());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core-site-client.xml",
        "hdfs-site-raidp.xml",
        "hdfs-site-izs.xml",
        "hdfs-site-ecupdate.xml",
        "hdfs-site-caso.xml",
        "hdfs-site-all.xml"
      })
  void everyClassThatTheSampleConfigurationNamesLoads(String file) throws Exception {
    String sample = Files.readString(home.resolve("share/doc/hdfs-parity/conf").resolve(file));
    Matcher value = Pattern.compile("<value>((?:io|org)\\.[A-Za-z0-9_.]+)</value>").matcher(sample);
    int classes = 0;
    while (value.find()) {
      assertLoads(value.group(1));
      classes++;
    }
    assertThat(classes).isGreaterThanOrEqualTo(file.startsWith("core-site") ? 1 : 2);
  }

  private void assertLoads(String className) throws Exception {
    URL[] urls = new URL[classPath().split(File.pathSeparator).length];
    int next = 0;
    for (String entry : classPath().split(File.pathSeparator)) {
      urls[next++] = Path.of(entry).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      assertThat(Class.forName(className, false, loader).getName()).isEqualTo(className);
    }
  }
}
