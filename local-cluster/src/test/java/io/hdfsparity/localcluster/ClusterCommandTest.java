/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCommandTest {
  @TempDir Path dir;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    out.reset();
    err.reset();
    return new ClusterCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(List.of(args));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void helpIsNoError() {
    for (String help : List.of("-help", "--help", "-h", "help")) {
      assertThat(run(help)).isZero();
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("fail-disk", "--frame-size", "--ha", "failover");
      assertThat(err()).isEmpty();
    }
  }

  @Test
  void wrongCommandLinesAreTwo() {
    String there = dir.resolve("c").toString();
    List<List<String>> wrong =
        List.of(
            List.of(),
            List.of("dance"),
            List.of("start", "--nodes"),
            List.of("start", "--nodes", "many", "--dir", there),
            List.of("start", "--colour", "red"),
            List.of("start", "--mode", "raid5", "--dir", there),
            List.of("start", "--frame-size", "1x", "--dir", there),
            List.of("start", "-D", "novalue", "--dir", there),
            List.of("kill", "--dir", there),
            List.of("restart", "--dir", there),
            List.of("restart", "nn", "--namenode-arguments"),
            List.of("start", "now", "--dir", there),
            List.of("fail-disk", "disk7", "--dir", there),
            List.of("start", "--mode", "stock", "--layout", "--dir", there));
    for (List<String> args : wrong) {
      assertThat(run(args.toArray(String[]::new))).as(String.join(" ", args)).isEqualTo(2);
      assertThat(err())
          .as(String.join(" ", args))
          .contains("hdfs-parity cluster: ")
          .contains("--help");
    }
    assertThat(Path.of(there)).doesNotExist();
  }

  @Test
  void aFolderWithoutAClusterIsOne() {
    for (String command : List.of("status", "stop")) {
      assertThat(run(command, "--dir", dir.toString())).isEqualTo(1);
      assertThat(err()).contains("Cannot find a cluster").contains(dir.toString());
    }
  }

  @Test
  void aStoppedClusterHasAStatus() throws Exception {
    ClusterPaths paths = new ClusterPaths(dir);
    ClusterSpec spec = Specs.raidp();
    spec.store(paths.specFile());
    PortMap.empty().choose(spec, Daemon.of(spec)).store(paths.portsFile());
    assertThat(run("status", "--dir", dir.toString())).isEqualTo(3);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("STOPPED")
        .contains("lstor5")
        .contains("failed: none");

    Path disk = Files.createDirectories(paths.diskRoot(1, 1));
    assertThat(run("fail-disk", "dn1/disk1", "--dir", dir.toString())).isZero();
    assertThat(disk).isRegularFile();
    assertThat(paths.failedDiskRoot(1, 1)).isDirectory();
    assertThat(run("fail-disk", "dn1/disk1", "--dir", dir.toString())).isEqualTo(1);
    assertThat(err()).contains("failed already");
    assertThat(run("fail-disk", "dn9/disk1", "--dir", dir.toString())).isEqualTo(1);
    assertThat(err()).contains("dn0 to dn5");
    run("status", "--json", "--dir", dir.toString());
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"failed\" : true");
    assertThat(run("kill", "dn0", "--dir", dir.toString())).isEqualTo(1);
    assertThat(err()).contains("does not run");
    assertThat(run("kill", "dn77", "--dir", dir.toString())).isEqualTo(2);
    assertThat(run("failover", "nn", "--dir", dir.toString())).isEqualTo(2);
    assertThat(err()).contains("expected nn0 or nn1");
    assertThat(run("stop", "--purge", "--dir", dir.toString())).isZero();
    assertThat(dir).doesNotExist();
    Files.createDirectories(dir);
  }

  @Test
  void sizesAreReadAndPrinted() {
    assertThat(Sizes.parse("x", "64k")).isEqualTo(65536);
    assertThat(Sizes.parse("x", "2G")).isEqualTo(2L << 30);
    assertThat(Sizes.text(1536)).isEqualTo("1.5 KB");
    assertThat(Sizes.text(7)).isEqualTo("7 B");
  }
}
