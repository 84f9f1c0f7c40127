/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.torture.TortureCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code hdfs-parity torture} on clusters of processes. {@code -Dtorture.minutes=N} chooses how
 * long for each cluster (default 4: three quarters of an hour for all), {@code -Dtorture.seed=N}
 * the seed (default: another one each time; it is printed). Clocks need Debian's package faketime.
 */
@Tag("soak")
@Timeout(7200)
class TortureSoak {
  private static final String MINUTES = System.getProperty("torture.minutes", "4");
  private static final String SEED =
      System.getProperty("torture.seed", String.valueOf(System.nanoTime()));

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ecupdate,stock | kill,stop,restart",
        "ecupdate,stock | kill,stop,failover",
        "stock | stop,namenode-restart",
        "raidp,stock | kill,stop,restart",
        "izs | kill,stop,restart",
        "caso,stock | kill,stop,restart",
        "ecupdate,stock | clock,kill",
        "raidp,izs | clock,kill",
      })
  void allIsAsPromised(String features, String faults) throws Exception {
    Path out = dir.resolve("out");
    int exitCode =
        new TortureCommand(System.out, System.err)
            .run(
                List.of(
                    "--minutes",
                    MINUTES,
                    "--seed",
                    SEED,
                    "--features",
                    features,
                    "--faults",
                    faults,
                    "--out",
                    out.toString()));
    assertThat(exitCode).as("%s under %s, seed %s", features, faults, SEED).isZero();
    assertThat(Files.readString(out.resolve("report.html"))).contains("right</span>");
  }
}
