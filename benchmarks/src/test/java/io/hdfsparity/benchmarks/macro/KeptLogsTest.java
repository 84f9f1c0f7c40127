/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptLogsTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path dir;

  private String keep(Path logs) throws IOException {
    err.reset();
    KeptLogs.keep(logs, dir.resolve("failed"), new PrintStream(err, true, StandardCharsets.UTF_8));
    return err.toString(StandardCharsets.UTF_8);
  }

  private Path logs(String name, String text) throws IOException {
    Path logs = Files.createDirectories(dir.resolve("cluster1/logs"));
    Files.writeString(logs.resolve(name), text);
    return logs;
  }

  @Test
  void whatWentWrongIsShownByFile() throws Exception {
    logs("nbd.log", "INFO: serves\nWARNING: A request failed: 1\nnbd: Cannot serve: x=1\n");
    Path logs =
        logs(
            "dn4.log",
            "2026-11-27 22:06:01,649 INFO DataNode: fine\n"
                + "java.io.IOException: first\njava.io.IOException: second\n\tat somewhere\n"
                + "2026-11-27 22:06:02,649 ERROR DataNode: third\n"
                + "Terminating due to java.lang.OutOfMemoryError: Java heap space\n");

    assertThat(keep(logs).lines())
        .containsExactly(
            "hdfs-parity-bench: logs of the cluster that failed are kept in "
                + dir.resolve("failed"),
            "  dn4.log: java.io.IOException: second",
            "  dn4.log: 2026-11-27 22:06:02,649 ERROR DataNode: third",
            "  dn4.log: Terminating due to java.lang.OutOfMemoryError: Java heap space",
            "  nbd.log: WARNING: A request failed: 1",
            "  nbd.log: nbd: Cannot serve: x=1");
    assertThat(logs).doesNotExist();
    assertThat(dir.resolve("failed/dn4.log")).exists();
  }

  @Test
  void logsOfTheLastFailureTakeThePlaceOfEarlierOnes() throws Exception {
    keep(logs("dn0.log", "x\n"));
    keep(logs("dn1.log", "y\n"));
    assertThat(dir.resolve("failed")).isDirectoryContaining(path -> path.endsWith("dn1.log"));
    assertThat(dir.resolve("failed/dn0.log")).doesNotExist();
  }

  @Test
  void aClusterWithoutLogsLeavesThoseThatAreThere() throws Exception {
    keep(logs("dn0.log", "x\n"));
    assertThat(keep(dir.resolve("cluster2/logs"))).isEmpty();
    assertThat(dir.resolve("failed/dn0.log")).exists();
  }
}
