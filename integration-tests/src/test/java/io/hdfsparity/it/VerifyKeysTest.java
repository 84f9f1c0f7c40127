/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys of the verification that say what is verified, and how fast. */
@Tag("full")
@Timeout(600)
class VerifyKeysTest {
  private static final int LENGTH = 3 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES;
  private static final long RATE = 1 << 20;

  /** The key is off by default: Hadoop's own clients compute Hadoop's own codes. */
  @Test
  void hadoopsOwnCodecsAreVerifiedOnlyWhenAskedFor(@TempDir Path root) throws IOException {
    try (VerifyingCluster cluster = VerifyingCluster.start(root.resolve("off"), 7, Map.of())) {
      org.apache.hadoop.fs.Path wrong =
          new org.apache.hadoop.fs.Path(cluster.directory("rs", 2), "wrong");
      cluster.writeForeign(Kind.LAST_WRONG, wrong, new byte[LENGTH]);
      VerifyStatus before = cluster.status();
      // Ids ascend: once the second file is verified, the first was looked at.
      cluster.repair().write(cluster.directory("izs", 2), "later", LENGTH);
      VerifyStatus after = cluster.awaitVerified(before, 1);
      assertThat(after.results().wrongParity()).isZero();
    }
    try (VerifyingCluster cluster =
        VerifyingCluster.start(root.resolve("on"), 7, Map.of(VerifyKey.RS.key(), "true"))) {
      org.apache.hadoop.fs.Path directory = cluster.directory("rs", 2);
      Group sound = cluster.repair().write(directory, "sound", LENGTH);
      VerifyStatus before = cluster.awaitVerified(VerifyStatus.off(""), 1);
      assertThat(before.results().wrongParity()).isZero();
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory, "wrong");
      cluster.writeForeign(Kind.LAST_WRONG, file, sound.content());
      VerifyStatus after = cluster.awaitVerified(before, 1);
      assertThat(after.results().wrongParity()).isEqualTo(1);
      assertThat(after.results().unitsReencoded()).isEqualTo(1);
      VerifyingCluster.awaitUnits(cluster.repair().new Group(file, sound.content()), sound);
    }
  }

  /** Never sooner than the rate allows; how much later is the machine's affair. */
  @Test
  void dataNodesKeepToTheRate(@TempDir Path root) throws IOException {
    try (VerifyingCluster cluster =
        VerifyingCluster.start(
            root, 7, Map.of(VerifyKey.BYTES_PER_SECOND.key(), Long.toString(RATE)))) {
      VerifyStatus before = cluster.status();
      long bytesBefore = cluster.repair().repairMetric("VerifiedBytes");
      long startNs = System.nanoTime();
      org.apache.hadoop.fs.Path directory = cluster.directory("izs", 2);
      Group first = cluster.repair().write(directory, "first", LENGTH);
      await()
          .atMost(VerifyingCluster.TIMEOUT)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> cluster.status().results().verified() - before.results().verified() == 1);
      Duration took = Duration.ofNanos(System.nanoTime() - startNs);
      long bytes = cluster.repair().repairMetric("VerifiedBytes") - bytesBefore;
      // Everything is read once at least: 768 KiB of data and half of it of parity.
      assertThat(bytes).isGreaterThanOrEqualTo(LENGTH * 3L / 2);
      assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(bytes * 1000 / RATE));
      assertThat(List.copyOf(first.nodes().keySet())).containsExactly(0, 1, 2, 3, 4, 5);
    }
  }
}
