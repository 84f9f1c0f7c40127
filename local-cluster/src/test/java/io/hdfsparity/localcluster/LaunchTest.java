/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTest {
  private static final List<String> STARTED = List.of("-rollingUpgrade", "started");
  private static final List<String> ROLLBACK = List.of("-rollback");

  @Test
  void argumentsAreThoseOfTheRole() {
    Launch launch =
        Launch.plain(Path.of("cache"))
            .withNameNodeArguments(STARTED)
            .withDataNodeArguments(ROLLBACK)
            .withCacheDir(Path.of("other"));
    assertThat(launch.cacheDir()).isAbsolute().hasFileName("other");
    for (DaemonRole role : DaemonRole.values()) {
      assertThat(launch.arguments(role))
          .as("%s", role)
          .isEqualTo(
              role.isNameNode() ? STARTED : role == DaemonRole.DATANODE ? ROLLBACK : List.of());
      assertThat(Launch.plain(Path.of("cache")).arguments(role)).as("%s", role).isEmpty();
    }
  }
}
