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
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMarkTest {
  @TempDir Path dir;

  @Test
  void thisProcessIsAlive() throws IOException {
    ProcessMark mark = ProcessMark.of(ProcessHandle.current().pid()).orElseThrow();
    mark.store(dir.resolve("me.pid"));
    assertThat(ProcessMark.load(dir.resolve("me.pid"))).contains(mark);
    assertThat(mark.isAlive()).isTrue();
  }

  @Test
  void aRecycledIdIsAnotherProcess() throws IOException {
    long self = ProcessHandle.current().pid();
    ProcessMark earlier = new ProcessMark(self, "another-boot:1");
    assertThat(earlier.isAlive()).isFalse();
  }

  @Test
  void anEndedProcessIsNotAliveEvenIfNobodyHasWaitedForIt() throws Exception {
    // The child of a shell that never waits is a zombie once it has ended.
    Process shell = new ProcessBuilder("sh", "-c", "sleep 0.01 & echo $!; exec sleep 30").start();
    try {
      long child = Long.parseLong(shell.inputReader().readLine().trim());
      Await.until(
          "see the child end",
          Duration.ofSeconds(10),
          () -> ProcessMark.of(child).isPresent() ? Optional.of("it runs") : Optional.empty());
      ProcessMark mark = ProcessMark.of(shell.pid()).orElseThrow();
      shell.destroyForcibly().waitFor();
      assertThat(mark.isAlive()).isFalse();
    } finally {
      shell.destroyForcibly();
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    Path file = dir.resolve("x.pid");
    Files.writeString(file, "abc\n");
    assertThatThrownBy(() -> ProcessMark.load(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
    assertThat(ProcessMark.load(dir.resolve("none.pid"))).isEmpty();
  }
}
