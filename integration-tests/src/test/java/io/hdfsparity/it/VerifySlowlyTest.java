/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes that need longer for all bytes of a group than a task may take. */
@Tag("full")
class VerifySlowlyTest {
  private static final int LENGTH = 8 << 20;

  @Test
  void wrongParityOfALargeGroupIsFound(@TempDir Path root) throws IOException {
    Map<String, String> slow =
        Map.of(
            DFSConfigKeys.DFS_BLOCK_SIZE_KEY,
            "4m",
            VerifyKey.BYTES_PER_SECOND.key(),
            "1M",
            VerifyKey.TASK_TIMEOUT.key(),
            "5s");
    try (VerifyingCluster verifying = VerifyingCluster.start(root, 7, slow)) {
      byte[] content = new byte[LENGTH];
      new Random(1).nextBytes(content);
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(verifying.directory("izs", 2), "large");
      verifying.writeForeign(Kind.REED_SOLOMON, file, content);
      await()
          .atMost(Duration.ofSeconds(90))
          .untilAsserted(
              () -> {
                VerifyStatus.Results results = verifying.status().results();
                assertThat(results.wrongParity()).isEqualTo(1);
                assertThat(results.unitsReencoded()).isEqualTo(2);
              });
    }
  }
}
