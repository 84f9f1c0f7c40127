/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for processes of any kind, without a cluster. */
class ProcessesTest {
  @TempDir Path dir;

  @Test
  void aPidFileThatCannotBeReadKeepsNoOtherDaemonAlive() throws Exception {
    ClusterSpec spec = Specs.stock(0, Map.of());
    ClusterPaths paths = new ClusterPaths(dir);
    spec.store(paths.specFile());
    List<Daemon> daemons = Daemon.of(spec);
    Path first = damaged(paths, daemons.get(0));
    Path second = damaged(paths, daemons.get(2));
    Process one = new ProcessBuilder("sleep", "60").start();
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessMark.of(one.pid()).orElseThrow().store(paths.pidFile(daemons.get(1)));
      ProcessMark.of(other.pid()).orElseThrow().store(paths.pidFile(daemons.get(3)));
      assertThatThrownBy(LocalCluster.open(dir)::killAll)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(first.toString())
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .singleElement()
                      .satisfies(also -> assertThat(also).hasMessageContaining(second.toString())));
      assertThat(one.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      one.destroyForcibly();
      other.destroyForcibly();
    }
  }

  private static Path damaged(ClusterPaths paths, Daemon daemon) throws IOException {
    Path file = paths.pidFile(daemon);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "abc\n");
  }
}
