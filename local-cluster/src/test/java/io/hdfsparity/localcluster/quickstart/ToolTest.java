/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTest {
  @TempDir Path dir;

  @Test
  void whatIsMissingIsNamedWithItsPackage() throws Exception {
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThatThrownBy(() -> Tool.requireAll(List.of(empty, dir)))
        .isInstanceOf(QuickstartException.class)
        .hasMessageContaining("Cannot find e2fsck, mke2fs, nbdcopy, qemu-img:")
        .hasMessageContaining("apt-get install e2fsprogs libnbd-bin qemu-utils)");
    for (String program : List.of("e2fsck", "mke2fs", "qemu-img")) {
      assertThat(Files.createFile(dir.resolve(program)).toFile().setExecutable(true)).isTrue();
    }
    Files.createFile(dir.resolve("nbdcopy")); // which cannot be run
    assertThatThrownBy(() -> Tool.requireAll(List.of(empty, dir)))
        .hasMessageContaining("Cannot find nbdcopy:")
        .hasMessageContaining("apt-get install libnbd-bin)");
    assertThat(dir.resolve("nbdcopy").toFile().setExecutable(true)).isTrue();
    Tool.requireAll(List.of(empty, dir));
  }

  @Test
  void programsOfAdministratorsAreFound() {
    assertThat(Tool.folders()).contains(Path.of("/usr/sbin"));
  }
}
