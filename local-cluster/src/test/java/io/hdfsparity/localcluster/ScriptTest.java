/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        List.of("caso -compare none", "caso -show none", "raidp plan", "izs mttdl", "izs -help")) {
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

  /** Hadoop sources the file with its own functions defined, then calls hdfs_subcommand_NAME. */
  @Test
  void theShellProfileNamesClassesThatAreThere() throws Exception {
    String script =
        "hadoop_add_subcommand() { echo \"usage $1\"; }; HADOOP_SHELL_EXECNAME=hdfs; . '"
            + ROOT.resolve("conf/shellprofile.d/hdfs-parity.sh")
            + "'; for s in raidp izs ecupdate caso lstor; do "
            + "hdfs_subcommand_$s; echo \"class $HADOOP_CLASSNAME\"; done";
    List<String> lines = run(Map.of(), List.of("bash", "-euc", script)).text().lines().toList();
    assertThat(lines)
        .hasSize(10)
        .contains("usage raidp", "usage izs", "usage ecupdate", "usage caso", "usage lstor");
    for (String line : lines.subList(5, 10)) {
      assertThat(
              Class.forName(line.substring("class ".length()), false, getClass().getClassLoader())
                  .getMethod("main", String[].class))
          .isNotNull();
    }
  }
}
