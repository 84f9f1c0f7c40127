/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Torture finds each planted bug, and nothing in the same run without it. */
@Tag("soak")
class PlantedBugsSoak {
  private static final Path WORK = Path.of("target/planted").toAbsolutePath();

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void isFound(PlantedBug bug) throws Exception {
    String line = "--minutes 1 --seed 1 " + bug.run();
    String name = bug.label() + "-" + System.nanoTime();
    PlantedRun runs = new PlantedRun(WORK);
    assertThat(runs.run(name + "-without", line, Optional.empty())).isZero();
    assertThat(runs.run(name + "-planted", line, Optional.of(bug))).isEqualTo(1);
  }
}
