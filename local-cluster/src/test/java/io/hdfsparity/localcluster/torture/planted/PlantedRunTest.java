/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedRunTest {
  /** A JVM does not start with an agent that it cannot load. */
  @Test
  void torturesJvmLoadsTheAgent(@TempDir Path dir) throws Exception {
    int exitCode = new PlantedRun(dir).run("help", "--help", Optional.of(PlantedBug.FENCE_SKIPPED));
    assertThat(Files.readString(dir.resolve("help.log"))).contains("--faults");
    assertThat(exitCode).isZero();
  }
}
