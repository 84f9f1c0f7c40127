/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;

class StoredReplicasTest {
  private final Set<Long> finalized = new HashSet<>();
  private boolean isBroken;
  private final StoredReplicas stored =
      new StoredReplicas(
          "DS-7",
          blockId -> {
            if (isBroken) {
              throw new IOException("permission denied");
            }
            return finalized.contains(blockId);
          });

  @Test
  void aReplicaIsFound() {
    finalized.add(5L);
    assertThat(stored.mayHold(5)).isTrue();
    assertThat(stored.mayHold(6)).isFalse();
    assertThat(stored.isUnreadable()).isFalse();
  }

  @Test
  void aDirectoryThatCannotBeReadMayHoldItAndIsWarnedOfOnce() {
    isBroken = true;
    GenericTestUtils.LogCapturer log =
        GenericTestUtils.LogCapturer.captureLogs(
            org.slf4j.LoggerFactory.getLogger(StoredReplicas.class));
    List<Boolean> answers = new ArrayList<>();
    for (long block = 0; block < 20; block++) {
      answers.add(stored.mayHold(block));
    }
    assertThat(answers).containsOnly(true);
    assertThat(log.getOutput()).containsOnlyOnce("Cannot look for replicas: storageId=DS-7");
    isBroken = false;
    assertThat(stored.mayHold(1)).isFalse();
    assertThat(stored.isUnreadable()).isFalse();
    isBroken = true;
    assertThat(stored.mayHold(1)).isTrue();
    assertThat(log.getOutput().split("Cannot look for replicas", -1)).hasSize(3);
    log.stopCapturing();
  }
}
