/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell scripts, as far as they go without a cluster. */
class ScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  @TempDir Path dir;

  private record Outcome(int exitCode, String text) {}

  private Outcome run(Map<String, String> environment, List<String> command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true);
    builder.environment().remove("CLASSPATH");
    builder.environment().putAll(environment);
    builder.redirectOutput(dir.resolve("out").toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      return new Outcome(process.exitValue(), Files.readString(dir.resolve("out")));
    } finally {
      process.destroyForcibly();
    }
  }

  private Outcome parity(String... args) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", ROOT.resolve("bin/hdfs-parity").toString()));
    command.addAll(List.of(args));
    return run(Map.of("HDFS_PARITY_DIR", dir.resolve("none").toString()), command);
  }

  @Test
  void helpIsNoError() throws Exception {
    for (String help : List.of("--help", "-help", "-h", "help")) {
      assertThat(parity(help))
          .satisfies(o -> assertThat(o.exitCode()).isZero())
          .satisfies(o -> assertThat(o.text()).startsWith("Usage: hdfs-parity"));
    }
  }

  @Test
  void wrongCommandLinesAreTwo() throws Exception {
    for (List<String> args :
        List.of(List.<String>of(), List.of("dance"), List.of("--dir"), List.of("hdfs"))) {
      assertThat(parity(args.toArray(String[]::new)).exitCode()).as(args.toString()).isEqualTo(2);
    }
  }

  @Test
  void withoutAClusterTheWayToOneIsTold() throws Exception {
    for (String command : List.of("dfs", "raidp", "izs", "ecupdate", "fsck", "dfsadmin")) {
      Outcome outcome = parity(command, "-x");
      assertThat(outcome.exitCode()).as(command).isEqualTo(1);
      assertThat(outcome.text())
          .contains("cluster start --dir")
          .contains(dir.resolve("none").toString());
    }
  }

  /** With or without its dash, and behind Hadoop's generic options. */
  @Test
  void whatChangesFilesOfTheClusterIsSentThere() throws Exception {
    for (String line :
        List.of(
            "-organize /v",
            "organize /v",
            "-rewrite /v",
            "-reorganize /v",
            "-restore /v",
            "-repair /v",
            "-D a=b -rewrite /v",
            "-Da=b -conf c.xml organize /v",
            "-show /v",
            "-show -json /v",
            "-show -at 5 hdfs://n/v")) {
      Outcome outcome = parity(("caso " + line).split(" "));
      assertThat(outcome.text()).as(line).contains("cluster start --dir");
      assertThat(outcome.exitCode()).as(line).isEqualTo(1);
    }
    for (String line :
        List.of(
            "caso -compare none",
            "caso -show none",
            "raidp plan",
            "izs mttdl",
            "izs -help",
            "parity help")) {
      assertThat(parity(line.split(" ")).text()).as(line).doesNotContain("cluster start --dir");
    }
  }

  @Test
  void aWrongJavaHomeIsNamed() throws Exception {
    Outcome outcome =
        run(
            Map.of("JAVA_HOME", "/no/java"),
            List.of("bash", ROOT.resolve("bin/hdfs-parity").toString(), "cluster", "status"));
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.text()).contains("JAVA_HOME=/no/java");
  }

  /** Behind what the project needs, so that it replaces nothing of it. */
  @Test
  void theUsersClassPathIsAppended() throws Exception {
    Path project = Files.createDirectories(dir.resolve("parity"));
    Path script = Files.createDirectories(project.resolve("bin")).resolve("hdfs-parity");
    Files.copy(ROOT.resolve("bin/hdfs-parity"), script);
    Path target = Files.createDirectories(project.resolve("local-cluster/target"));
    Files.writeString(target.resolve("hdfs-parity.classpath"), "needed.jar");
    Files.createFile(target.resolve("local-cluster-1.jar"));
    Path conf = Files.createDirectories(dir.resolve("cluster/conf"));
    Files.writeString(conf.resolve("classpath"), "daemons.jar");
    Files.writeString(conf.resolve("archive"), "");
    Files.createFile(conf.resolve("suite-client.jar"));
    Path java = Files.createDirectories(project.resolve("jre/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$CLASSPATH\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    String cluster = conf.getParent().toString();
    Map<String, String> home = Map.of("JAVA_HOME", project.resolve("jre").toString());
    Map<String, String> own = new TreeMap<>(home);
    own.put("CLASSPATH", "mine.jar:also.jar");
    for (Map<String, String> environment : List.of(home, own)) {
      String tail = environment == own ? ":mine.jar:also.jar" : "";
      List<String> dfs = List.of("bash", script.toString(), "--dir", cluster, "dfs", "-ls", "/");
      assertThat(run(environment, dfs).text().strip())
          .isEqualTo("daemons.jar:" + conf.resolve("suite-client.jar") + tail);
      List<String> plan = List.of("bash", script.toString(), "raidp", "plan");
      assertThat(run(environment, plan).text().strip())
          .endsWith("local-cluster-1.jar:needed.jar" + tail);
    }
  }

  /** Names of files that are not ASCII would be garbled in the locale of cron and of containers. */
  @Test
  void javaGetsALocaleOfUtf8() throws Exception {
    for (String locale : List.of("POSIX", "xx_XX.none", "C.UTF-8")) {
      assertThat(javasLocale(locale, "quickstart"))
          .as("quickstart, %s", locale)
          .isEqualTo("C.UTF-8");
      assertThat(javasLocale(locale, "bin/hdfs-parity-bench", "kernel"))
          .as("bench, %s", locale)
          .isEqualTo("C.UTF-8");
    }
  }

  /** What a script, as if it were that of a project, gives a java that only looks at it. */
  private String javasLocale(String locale, String script, String... args) throws Exception {
    Path project = Files.createDirectories(dir.resolve("project"));
    Path there = project.resolve(script);
    Files.createDirectories(there.getParent());
    Files.copy(ROOT.resolve(script), there, StandardCopyOption.REPLACE_EXISTING);
    Path classpath = project.resolve("benchmarks/target/benchmarks.classpath");
    Files.createDirectories(classpath.getParent());
    Files.writeString(classpath, "none.jar");
    Path java = project.resolve("jre/bin/java");
    Files.createDirectories(java.getParent());
    Path seen = project.resolve("seen");
    // A runtime without a compiler: nothing is built by it.
    Files.writeString(
        java,
        "#!/bin/sh\necho \"$LC_ALL\" >'"
            + seen
            + "'\necho ' java.specification.version = 17'\necho ' java.home = /none'\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of("bash", there.toString()));
    command.addAll(List.of(args));
    run(Map.of("LC_ALL", locale, "JAVA_HOME", java.getParent().getParent().toString()), command);
    return Files.readString(seen).strip();
  }

  /** Hadoop sources the file with its own functions defined, then calls hdfs_subcommand_NAME. */
  @Test
  void theShellProfileNamesClassesThatAreThere() throws Exception {
    String script =
        "hadoop_add_subcommand() { echo \"usage $1\"; }; HADOOP_SHELL_EXECNAME=hdfs; . '"
            + ROOT.resolve("conf/shellprofile.d/hdfs-parity.sh")
            + "'; for s in parity raidp izs ecupdate caso lstor; do "
            + "hdfs_subcommand_$s; echo \"class $HADOOP_CLASSNAME\"; done";
    List<String> lines = run(Map.of(), List.of("bash", "-euc", script)).text().lines().toList();
    assertThat(lines)
        .hasSize(12)
        .contains(
            "usage parity",
            "usage raidp",
            "usage izs",
            "usage ecupdate",
            "usage caso",
            "usage lstor");
    for (String line : lines.subList(6, 12)) {
      assertThat(
              Class.forName(line.substring("class ".length()), false, getClass().getClassLoader())
                  .getMethod("main", String[].class))
          .isNotNull();
    }
  }
}
