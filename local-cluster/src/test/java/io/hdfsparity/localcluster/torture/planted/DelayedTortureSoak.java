/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Torture finds nothing while the methods of daemons and clients are delayed at random. */
@Tag("soak")
class DelayedTortureSoak {
  private static final Path WORK = Path.of("target/planted").toAbsolutePath();
  private static final int MINUTES = Integer.getInteger("delayed.minutes", 3);
  private static final long SEED = Long.getLong("delayed.seed", 1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "raidp --faults kill,restart,stop",
        "raidp,stock --faults disk-fail,restart,namenode-restart",
        "ecupdate --faults kill,restart,failover",
        "izs --faults kill,restart,failover",
        "caso --faults kill,restart"
      })
  void isRight(String line) throws Exception {
    String features = line.substring(0, line.indexOf(' ')).replace(',', '-');
    String name = "delayed-" + features + "-" + System.nanoTime();
    String all = "--minutes " + MINUTES + " --seed " + SEED + " --features " + line;
    assertThat(new PlantedRun(WORK).runDelayed(name, all)).isZero();
  }
}
